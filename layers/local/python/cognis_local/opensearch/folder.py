"""The folder of a node: everything that it keeps, and what is written down about it."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock

HOST: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Started:
    """How the node was started last; `line` of OpenSearch."""

    port: int
    line: str


@dataclass(frozen=True, slots=True)
class NodeFolder:
    """Where the parts of a node keep their files; the path is absolute.

    node.json   how it was started last
    node.pid    its process, written by the node itself
    node.lock   held by the node for as long as it lives, however it ends
    start.lock  held by whoever starts it
    config/     opensearch.yml, written anew at each start
    data/       its indices
    logs/       opensearch.log
    repo/       for snapshot repositories on the file system
    tmp/        temporary files
    """

    root: Path

    @property
    def configuration(self) -> Path:
        return self.root / "config"

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def snapshots(self) -> Path:
        return self.root / "repo"

    @property
    def temporary(self) -> Path:
        return self.root / "tmp"

    @property
    def log(self) -> Path:
        return self.logs / "opensearch.log"

    @property
    def pid_file(self) -> Path:
        return self.root / "node.pid"

    @property
    def record_file(self) -> Path:
        return self.root / "node.json"

    @property
    def node_lock(self) -> Path:
        return self.root / "node.lock"

    def start_lock(self) -> FileLock:
        """Held by the process that starts the node, until it answers."""
        return FileLock(self.root / "start.lock")

    def make(self) -> None:
        """Makes the folders, which nobody else can read: memories are in them."""
        for part in self._parts():
            part.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o700)

    def is_made(self) -> bool:
        """Whether a node was started here once, or was to be."""
        return all(part.is_dir() for part in self._parts())

    def _parts(self) -> tuple[Path, ...]:
        return (self.configuration, self.data, self.logs, self.snapshots, self.temporary)

    def is_alive(self) -> bool:
        """Whether a node lives on the folder, answering or not."""
        try:
            descriptor = os.open(self.node_lock, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def hold_node_lock(self) -> int:
        """An open file that holds the node's lock; whichever process inherits it holds it until it ends."""
        descriptor = os.open(self.node_lock, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return descriptor

    def pid(self) -> int | None:
        """The process of the node that lives; None while it has not written it yet."""
        try:
            return int(self.pid_file.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None

    def started(self) -> Started | None:
        """How the node was started last; None where it never was, or where that cannot be read."""
        try:
            return Started(**json.loads(self.record_file.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def remember(self, started: Started) -> None:
        """Writes it down in one step."""
        unfinished = self.record_file.with_suffix(".new")
        unfinished.write_text(json.dumps(asdict(started)) + "\n", encoding="utf-8")
        unfinished.replace(self.record_file)
