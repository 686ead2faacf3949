"""Waits for a node's answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import urllib3
from urllib3.exceptions import HTTPError

from cognis_local.opensearch.errors import NodeFailed
from cognis_local.opensearch.folder import NodeFolder
from cognis_local.opensearch.layout import tail

_POLL_SECONDS: Final = 0.1
_ANSWER_SECONDS: Final = 2.0
_LOG_LINES: Final = 20


def wait_until_ready(place: NodeFolder, url: str, seconds: float, has_ended: Callable[[], bool]) -> None:
    """Until the node answers, and has the shards of earlier indices back.

    Raises NodeFailed with the end of its log when it has ended, or is not ready in that time.
    """
    deadline = time.monotonic() + seconds
    while not _answers(url):
        if has_ended():
            raise NodeFailed(f"The OpenSearch node has ended. {log_end(place)}")
        if time.monotonic() > deadline:
            raise NodeFailed(
                f"The OpenSearch node did not answer at {url} in {seconds:.0f} s. {log_end(place)}"
            )
        time.sleep(_POLL_SECONDS)
    if not _is_recovered(url, max(1.0, deadline - time.monotonic())):
        raise NodeFailed(
            f"The OpenSearch node at {url} could not open all indices in {seconds:.0f} s. {log_end(place)}"
        )


def log_end(place: NodeFolder) -> str:
    """A sentence with the last lines of the node's log."""
    return f"Its log, {place.log}, ends with\n{tail(place.log, _LOG_LINES)}"


def _answers(url: str) -> bool:
    with urllib3.PoolManager(retries=False, timeout=_ANSWER_SECONDS) as pool:
        try:
            return pool.request("GET", f"{url}/_cluster/health?timeout=1s").status == 200
        except HTTPError:
            return False


def _is_recovered(url: str, seconds: float) -> bool:
    """HTTP opens before the shards of earlier indices are back."""
    wait = f"{url}/_cluster/health?wait_for_status=yellow&timeout={seconds:.0f}s"
    with urllib3.PoolManager(retries=False, timeout=seconds + _ANSWER_SECONDS) as pool:
        try:
            return pool.request("GET", wait).status == 200
        except HTTPError:
            return False
