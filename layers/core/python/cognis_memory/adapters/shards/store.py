"""Where shard files lie: read and replaced under conditions, as S3 does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

from cognis_memory.errors import Conflict


class StaleWrite(Conflict):
    """The file is another one than the writer read: read again and redo."""


class Freshness(Enum):
    """What a conditional read answers when there is nothing to read."""

    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One version of a file, whole and never changed at its path, which may vanish when a newer one comes."""

    path: Path
    etag: str


class ShardStore(Protocol):
    """Files by name, `<owner key>/<file>`. All calls may raise IndexUnavailable.

    Reads see the last write. Names consist of letters, digits, hyphens and one slash.
    """

    def fetch(self, name: str, known: str | None = None) -> StoredFile | Freshness | None:
        """The current version; UNCHANGED when its etag is `known`; None when there is none."""

    def write(self, name: str, data: bytes, *, replacing: str | None) -> str:
        """Puts the data in place of the version with that etag (None: of nothing) and returns the new etag.

        Raises StaleWrite when another version, or none, is there, or one where none should be.
        """

    def names(self, key: str) -> list[str]:
        """The names of all files of that owner key."""

    def keys(self) -> Iterator[str]:
        """The keys of all owners who have files, each once."""

    def delete(self, names: Iterable[str]) -> None:
        """Removes these files; those that are not there are no error."""


def head_name(key: str) -> str:
    """The one file of an owner that changes."""
    return f"{key}/head"


def base_name(key: str, generation: int, unique: str) -> str:
    """A file that is written once; generations go up with every base of an owner."""
    return f"{key}/base-{generation}-{unique}"


def generation_of(name: str) -> int:
    """The generation of a base by its name; 0 for another file."""
    file = name.partition("/")[2]
    return int(file.split("-")[1]) if file.startswith("base-") else 0
