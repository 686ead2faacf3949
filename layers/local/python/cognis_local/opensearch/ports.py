"""Ports to listen on."""

from __future__ import annotations

import random
import socket
from typing import Final

from cognis_local.opensearch.errors import PortTaken
from cognis_local.opensearch.folder import HOST

_CHOICE: Final = range(20_000, 32_000)
"""Below those that systems give to outgoing connections, so that a node finds its port free at a restart."""

_TRIES: Final = 200


def is_free(port: int) -> bool:
    """Whether a server may listen at the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the node does
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A port at which nothing listens. Raises PortTaken when none is found."""
    for port in random.sample(_CHOICE, _TRIES):
        if is_free(port):
            return port
    raise PortTaken(f"No port between {_CHOICE.start} and {_CHOICE.stop} seems to be free; name one.")
