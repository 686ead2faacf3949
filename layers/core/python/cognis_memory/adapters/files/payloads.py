"""A payload store in a folder."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from cognis_memory.errors import NotFound, PermanentError

_SUFFIX: Final = ".payload"
_MAX_NAME: Final = 200
_PUT_ATTEMPTS: Final = 20


class FolderPayloadStore:
    """The `PayloadStore` port: one file a key, one folder a level of it.

    Whatever a key says, its file lies under the root. Files appear whole or not at all, also after a crash,
    and only their owner may read them. Prefixes end at a slash: `a` covers `a` and `a/b`, not `ab`. Raises
    PermanentError for a folder that cannot be used.
    """

    def __init__(self, root: str | Path) -> None:
        self._root = Path(root)

    def put(self, key: str, data: bytes) -> None:
        path = self._file(key)
        with translated_errors():
            for attempt in range(1, _PUT_ATTEMPTS + 1):
                try:
                    self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
                    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    write_file(path, (data,))
                except (FileNotFoundError, FileExistsError):  # a delete took the folder away in between
                    if attempt == _PUT_ATTEMPTS:
                        raise
                else:
                    return

    def get(self, key: str) -> bytes:
        with translated_errors():
            try:
                return self._file(key).read_bytes()
            except FileNotFoundError:
                raise NotFound(f"there is no payload {key}") from None

    def count(self, prefix: str) -> int:
        with translated_errors():
            return sum(file.suffix == _SUFFIX for file in self._files(_key(prefix)))

    def delete(self, prefix: str, *, when: Callable[[], bool] | None = None) -> None:
        key = _key(prefix)
        with translated_errors():
            files = self._files(key)
            if when is not None and not when():
                return
            for file in files:
                file.unlink(missing_ok=True)
            emptied = self._folder(key)
            for folder, _, _ in os.walk(emptied, topdown=False):
                _remove_if_empty(Path(folder))
            for above in emptied.relative_to(self._root).parents[:-1]:
                _remove_if_empty(self._root / above)

    def expire(self, before: datetime) -> int:
        """Removes what was written before that time, as the lifecycle of a bucket does; how many files."""
        expired = 0
        with translated_errors():
            for folder, _, names in os.walk(self._root, topdown=False):
                for file in (Path(folder, name) for name in names):
                    with suppress(FileNotFoundError):  # it has just been removed
                        if file.stat().st_mtime < before.timestamp():
                            file.unlink()
                            expired += 1
                if Path(folder) != self._root:
                    _remove_if_empty(Path(folder))
        return expired

    def _files(self, key: str) -> list[Path]:
        """Those of the key itself and under it, unfinished ones included."""
        below = [Path(folder, name) for folder, _, names in os.walk(self._folder(key)) for name in names]
        own = self._file(key)
        return [own, *below] if own.exists() else below

    def _folder(self, key: str) -> Path:
        return self._root.joinpath(*(_name(part) for part in key.split("/")))

    def _file(self, key: str) -> Path:
        folder = self._folder(key)
        return folder.with_name(folder.name + _SUFFIX)


def _key(prefix: str) -> str:
    if not (key := prefix.rstrip("/")):
        raise ValueError("a prefix names whose payloads are meant")
    return key


def _name(part: str) -> str:
    """One part of a key as a file name: no dot and no slash of the key survives, and no name is too long."""
    name = quote(part, safe="").replace(".", "%2E") or "="
    if len(name) <= _MAX_NAME:
        return name
    return "=" + hashlib.sha256(name.encode()).hexdigest()


def write_file(path: Path, chunks: Iterable[bytes]) -> None:
    """The chunks as one file, whole or not at all."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)  # readable by its owner only
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        # Another put has just written into it, or another delete has just removed it: both are fine.
        return


@contextmanager
def translated_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PermanentError(f"the folder of payloads failed: {error.strerror}") from error
