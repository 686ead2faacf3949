"""What the indexes and aliases of a deployment are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from cognis_memory.errors import ConfigurationError

DEFAULT_INDEX: Final = "cognis-memories"

_BASE: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class IndexNames:
    """Aliases stand before versioned indexes, so that one takes another's place without a gap.

    Raises ConfigurationError for a base that OpenSearch does not take as a name.
    """

    base: str = DEFAULT_INDEX

    are_aliases: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not _BASE.fullmatch(self.base):
            raise ConfigurationError("an index name has lower-case letters, digits, hyphens and underscores")

    @property
    def read(self) -> str:
        return f"{self.base}-read"

    @property
    def write(self) -> str:
        return f"{self.base}-write"

    def version(self, number: int) -> str:
        """The physical index of that number, from 1."""
        return f"{self.base}-{number:06d}"

    def number_of(self, index: str) -> int | None:
        """The number of a physical index; None for any other name."""
        found = re.fullmatch(rf"{re.escape(self.base)}-(\d{{6}})", index)
        return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class SingleIndex:
    """One physical index under its own name, past the aliases: one that is being built or checked."""

    name: str

    are_aliases: ClassVar[bool] = False

    @property
    def read(self) -> str:
        return self.name

    @property
    def write(self) -> str:
        return self.name


Address = IndexNames | SingleIndex
"""Where an index's requests go; to aliases writes go on the condition that these are such."""
