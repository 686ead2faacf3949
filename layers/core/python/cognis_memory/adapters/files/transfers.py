"""Exports and imports in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

from cognis_memory.adapters.files.payloads import FolderPayloadStore, translated_errors, write_file
from cognis_memory.errors import InvalidInput, NotFound, PayloadUnavailable
from cognis_memory.ports import StoredFile

CHUNK_BYTES: Final = 1_048_576


class FolderTransferFiles(FolderPayloadStore):
    """The `TransferFiles` port: one file a key. Its links are `file:` URLs, which work for this machine's
    user as long as the files are there."""

    def write(self, key: str, chunks: Iterable[bytes]) -> None:
        path = self._file(key)
        with translated_errors():
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                write_file(path, chunks)
            except FileNotFoundError as error:
                raise PayloadUnavailable("the file was deleted while it was being written") from error

    def find(self, key: str) -> StoredFile | None:
        with translated_errors():
            try:
                return _described(self._file(key).stat())
            except FileNotFoundError:
                return None

    def read(self, key: str, tag: str) -> Iterator[bytes]:
        """What was opened stays as it was, whoever replaces the file meanwhile."""
        with translated_errors():
            try:
                file = self._file(key).open("rb")
            except FileNotFoundError:
                raise NotFound(f"there is no file {key}") from None
            with file:
                if _described(os.fstat(file.fileno())).tag != tag:
                    raise InvalidInput("the file was replaced while it was being read")
                while chunk := file.read(CHUNK_BYTES):
                    yield chunk

    def download_url(self, key: str, lifetime: timedelta) -> str:
        return self._file(key).absolute().as_uri()

    def upload_url(self, key: str, lifetime: timedelta) -> str:
        return self._file(key).absolute().as_uri()


def _described(file: os.stat_result) -> StoredFile:
    return StoredFile(file.st_size, f"{file.st_ino}-{file.st_mtime_ns}-{file.st_size}")
