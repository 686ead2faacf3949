"""Shard files in a plain folder, for the processes of one machine."""

from __future__ import annotations

import fcntl
import os
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cognis_memory.adapters.shards.store import Freshness, StaleWrite, StoredFile
from cognis_memory.errors import IndexUnavailable

_LOCKS: Final = ".locks"
_UNFINISHED: Final = ".unfinished"


class FolderShardStore:
    """Every version of a file lies under a name of its own, `<file>.<number>.<unique>`, and never changes.

    The highest number is current. A writer takes the owner's lock, compares, moves a finished file into place
    and unlinks the older one, which stays with the readers that have it open. What a crash leaves in between
    is removed by the owner's next write. A write is on the disk when it returns. Only the process's own user
    may read the files: they hold people's words.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fetch(self, name: str, known: str | None = None) -> StoredFile | Freshness | None:
        place, file = self._place(name)
        with self._os_errors():
            etag = max(_versions(place, file), default=None)
        if etag is None:
            return None
        return Freshness.UNCHANGED if etag == known else StoredFile(place / etag, etag)

    def write(self, name: str, data: bytes, *, replacing: str | None) -> str:
        place, file = self._place(name)
        with self._os_errors(), self._locked(place):
            versions = _versions(place, file)
            if replacing != max(versions, default=None):
                raise StaleWrite("another writer was first")
            number = int(replacing.split(".")[1]) + 1 if replacing else 1
            etag = f"{file}.{number:012}.{uuid.uuid4().hex}"
            self._make(place)
            _write_durably(place / etag, data)
            _unlink(place, [*versions, *_versions(place, _UNFINISHED)])
        return etag

    def names(self, key: str) -> list[str]:
        place, _ = self._place(f"{key}/")
        with self._os_errors():
            files = {entry.split(".")[0] for entry in _entries(place)} - {""}
        return [f"{key}/{file}" for file in sorted(files)]

    def keys(self) -> Iterator[str]:
        with self._os_errors():
            shared = [self._folder / entry for entry in _entries(self._folder) if entry != _LOCKS]
            yield from (key for place in sorted(shared) for key in sorted(_entries(place)))

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            place, file = self._place(name)
            with self._os_errors(), self._locked(place):
                _unlink(place, [*_versions(place, file), *_versions(place, _UNFINISHED)])
                with suppress(OSError):  # other files are in it, or it is not there
                    place.rmdir()

    def _place(self, name: str) -> tuple[Path, str]:
        """The owner's folder, two levels down so that none grows large, and the file's name in it."""
        key, _, file = name.partition("/")
        return self._folder / key[:2] / key, file

    def _make(self, folder: Path) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @contextmanager
    def _os_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise IndexUnavailable(
                f"the folder of the shards {self._folder} cannot be used: {error.strerror}"
            ) from error

    @contextmanager
    def _locked(self, place: Path) -> Iterator[None]:
        """Among threads and processes; the lock files stay, as one that is removed could be locked twice."""
        lock = self._folder / _LOCKS / place.parent.name
        self._make(lock.parent)
        with lock.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _entries(place: Path) -> list[str]:
    try:
        return os.listdir(place)
    except FileNotFoundError:
        return []


def _versions(place: Path, file: str) -> list[str]:
    return [entry for entry in _entries(place) if entry.startswith(f"{file}.")]


def _write_durably(path: Path, data: bytes) -> None:
    unfinished = path.with_name(f"{_UNFINISHED}.{path.name}")
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _unlink(place: Path, entries: Iterable[str]) -> None:
    for entry in entries:
        (place / entry).unlink(missing_ok=True)
