"""Copies of remote files on the local disk, bounded in size."""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

_SHARE: Final = 8
_MOVES: Final = 3


class FileCache:
    """Keeps the newest version of each file, as `<folder>/<key>/<file>/<etag>`, those used last longest.

    Processes may share the folder: files appear whole, and one that is removed stays with those that have it
    open. A process looks at the whole folder whenever it has added an eighth of the limit, and then removes
    what exceeds seven eighths of it, so that one process alone stays within the limit. The file just added
    stays, whatever its size. Only the process's own user may read the folder.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._added_bytes = max_bytes  # what was there before counts as added
        self._lock = threading.Lock()

    def newest(self, name: str) -> str | None:
        """The etag of the copy that is there, if any."""
        copies = _by_use(self._folder / name)
        return unquote(copies[-1].path.name) if copies else None

    def find(self, name: str, etag: str) -> Path | None:
        """The copy of that version, which counts as used now."""
        path = self._path(name, etag)
        try:
            os.utime(path)
        except FileNotFoundError:
            return None
        return path

    def add(self, name: str, etag: str, parts: Iterable[bytes]) -> Path:
        """Keeps the parts as one file in place of the older versions."""
        path = self._path(name, etag)
        older = [copy for copy in _by_use(path.parent) if copy.path != path]
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = self._folder / f".{uuid.uuid4().hex}"
        try:
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.writelines(parts)
                size = file.tell()
            _move(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
        self._remove(older)
        self._keep_within_limit(path, size)
        return path

    def discard(self, name: str) -> None:
        """Forgets every version of the file."""
        self._remove(_by_use(self._folder / name))

    def _path(self, name: str, etag: str) -> Path:
        return self._folder / name / quote(etag, safe="")

    def _keep_within_limit(self, added: Path, size: int) -> None:
        with self._lock:
            self._added_bytes += size
            if self._added_bytes <= self._max_bytes // _SHARE:
                return
            self._added_bytes = 0
            copies = _by_use(self._folder)
            excess = sum(copy.size for copy in copies) - self._max_bytes * (_SHARE - 1) // _SHARE
            for copy in copies:
                if excess > 0 and copy.path != added:
                    self._remove([copy])
                    excess -= copy.size

    def _remove(self, copies: Iterable[_Copy]) -> None:
        for copy in copies:
            copy.path.unlink(missing_ok=True)
            for folder in (copy.path.parent, copy.path.parent.parent):
                if self._folder in folder.parents:
                    with suppress(OSError):  # others are in it, or another process was first
                        folder.rmdir()


@dataclass(frozen=True, slots=True, order=True)
class _Copy:
    used: int
    path: Path
    size: int


def _by_use(folder: Path) -> list[_Copy]:
    """All files below the folder, the least recently used first."""
    copies = []
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            with suppress(FileNotFoundError):
                status = path.stat()
                copies.append(_Copy(status.st_mtime_ns, path, status.st_size))
    return sorted(copies)


def _move(source: Path, target: Path) -> None:
    for remaining in reversed(range(_MOVES)):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            source.rename(target)
            return
        except FileNotFoundError:  # another process removed the folder while it was empty
            if not remaining:
                raise
