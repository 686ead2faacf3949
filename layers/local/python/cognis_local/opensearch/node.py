"""One node for a folder: started when needed, found when running, ended on request.

Any number of processes may ask at once: under a lock file one of them starts it, the others find it running.
A node lives as long as `node.lock` is held, which it inherits at its start and the system takes back from it
at its end, a kill included. So no pid that is another's by now is ever believed.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import Timeout

from cognis_local.opensearch.distribution import GATHER_SECONDS
from cognis_local.opensearch.errors import NodeError, NodeFailed, PortTaken
from cognis_local.opensearch.folder import HOST, NodeFolder
from cognis_local.opensearch.health import wait_until_ready
from cognis_local.opensearch.releases import DEFAULT_LINE, Release, release_of
from cognis_local.opensearch.starting import NodeStart

_START_SECONDS: Final = 120.0
_STOP_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Node:
    """A node that listens at `url`."""

    url: str
    pid: int


def _silent(_: str) -> None:
    """Tells nobody."""


def ensure_node(
    folder: Path,
    port: int | None = None,
    line: str = DEFAULT_LINE,
    *,
    heap: str = "1g",
    config: Sequence[str] = (),
    java_options: Sequence[str] = (),
    end_with: int | None = None,
    start_seconds: float = _START_SECONDS,
    say: Callable[[str], None] = _silent,
) -> Node:
    """The folder's node, which is started if none is running, once it answers and has its indices back.

    It listens on 127.0.0.1 at `port`; without one where it did last, or at a free port. `config` are further
    lines of opensearch.yml, `java_options` further options of Java; they and `heap`, as in `-Xmx`, count for
    a start alone. `end_with` is the process whose end ends the node, too. Snapshot repositories lie in `repo`
    of the folder. The first start of a user gathers some 90 MB, of which `say` is told.

    Raises ToolsMissing, DistributionFailed, PortTaken, NodeFailed with the end of the log when it ended or is
    not ready in `start_seconds`, and NodeError for an unknown line or while a node of another one is running.
    """
    release = release_of(line)
    place = NodeFolder(folder.absolute())
    place.make()
    start = NodeStart(place, release, heap, config, java_options, end_with, start_seconds, say)
    try:
        with place.start_lock().acquire(timeout=GATHER_SECONDS + start_seconds):
            if place.is_alive():
                _check_same(place, release, port)
                url = _url(place)
                wait_until_ready(place, url, start_seconds, lambda: not place.is_alive())
            else:
                url = f"http://{HOST}:{start.run(port)}"
            return Node(url, _pid(place))
    except Timeout:
        raise NodeFailed(f"Another process is starting the node of {place.root} and does not end.") from None


def is_running(folder: Path) -> bool:
    """Whether the folder's node is running, ready or not."""
    return NodeFolder(folder.absolute()).is_alive()


def running_node(folder: Path) -> Node | None:
    """The folder's node if one is running, ready or not."""
    place = NodeFolder(folder.absolute())
    return Node(_url(place), _pid(place)) if place.is_alive() else None


def stop_node(folder: Path, wipe: bool = False) -> bool:
    """Ends the folder's node, in order if that takes at most 30 s; False where none was running.

    With `wipe` the folder is removed with all that is in it. Raises NodeError, and removes nothing, if it is
    not a node's.
    """
    place = NodeFolder(folder.absolute())
    was_alive = place.is_alive()
    if was_alive:
        _end(place)
    if wipe and place.root.exists():
        if not place.is_made():
            raise NodeError(f"{place.root} is not the folder of a node; it is left as it is.")
        shutil.rmtree(place.root)
    return was_alive


def _check_same(place: NodeFolder, release: Release, port: int | None) -> None:
    last = place.started()
    if last and last.line != release.line:
        raise NodeError(f"A node of OpenSearch {last.line} is running on {place.root}; stop it first.")
    if last and port is not None and last.port != port:
        raise PortTaken(f"The node of {place.root} is running at port {last.port} already; stop it first.")


def _url(place: NodeFolder) -> str:
    last = place.started()
    if last is None:
        raise NodeError(f"A node is running on {place.root}, but {place.record_file} does not say where.")
    return f"http://{HOST}:{last.port}"


def _pid(place: NodeFolder) -> int:
    """The node writes it right after its start."""
    deadline = time.monotonic() + _STOP_SECONDS
    while (pid := place.pid()) is None:
        if time.monotonic() > deadline or not place.is_alive():
            raise NodeFailed(f"The node of {place.root} did not say which process it is; see {place.log}.")
        time.sleep(_POLL_SECONDS)
    return pid


def _end(place: NodeFolder) -> None:
    pid = _pid(place)
    for number, seconds in ((signal.SIGTERM, _STOP_SECONDS), (signal.SIGKILL, _STOP_SECONDS)):
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not place.is_alive():
                return
            time.sleep(_POLL_SECONDS)
    raise NodeError(f"The node of {place.root}, process {pid}, does not end; see {place.log}.")
