"""Small values that every other model is made of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, AwareDatetime, FiniteFloat, PlainSerializer

from cognis_memory.models.times import whole_milliseconds

FloatVector = NDArray[np.float32]
"""One embedding, shape (768,) unless said otherwise, of unit length."""

FloatMatrix = NDArray[np.float32]
"""Embeddings as rows, shape (n, 768) unless said otherwise, each of unit length."""


class Category(StrEnum):
    """The 15 categories of memories (Cognis, arXiv 2604.19771)."""

    PERSONAL_DETAILS = "personal_details"
    PROFESSIONAL = "professional"
    HEALTH = "health"
    RELATIONSHIPS = "relationships"
    PREFERENCES = "preferences"
    HOBBIES = "hobbies"
    GOALS = "goals"
    FINANCIAL = "financial"
    EDUCATIONAL = "educational"
    TRAVEL = "travel"
    EMOTIONAL = "emotional"
    TECHNICAL_SKILLS = "technical_skills"
    DIETARY = "dietary"
    BEHAVIORAL_PATTERNS = "behavioral_patterns"
    COMMUNICATION_STYLE = "communication_style"


class Scope(StrEnum):
    """USER lives across contexts; CONTEXT is seen only with the same `context_id`."""

    USER = "USER"
    CONTEXT = "CONTEXT"


class Role(StrEnum):
    """Who wrote a message; system and tool messages are context for extraction, never results."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Kind(StrEnum):
    """What a search result is: an extracted memory, or a raw message as evidence."""

    MEMORY = "memory"
    MESSAGE = "message"


class Operation(StrEnum):
    """What a fact does to the store. DELETE is a retraction: the history stays."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    NONE = "NONE"


@dataclass(frozen=True, slots=True, order=True)
class Owner:
    """The tenant and user whom every key and every query carries (invariant 9)."""

    tenant_id: str
    user_id: str

    def __post_init__(self) -> None:
        if not self.tenant_id or not self.user_id:
            raise ValueError("an owner needs a tenant and a user")


RFC3339: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})",
    re.ASCII,
)
"""The form of a date-time; whether there is such a day or hour it does not tell."""


def _to_utc(moment: datetime) -> datetime:
    """In UTC and whole milliseconds, as it is written: what is stored reads back the same."""
    try:
        return whole_milliseconds(moment.astimezone(UTC))
    except OverflowError:
        raise ValueError("is outside the years 1 to 9999 in UTC") from None


def format_time(moment: datetime) -> str:
    """RFC 3339 in UTC with `Z`: milliseconds only where there are any."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds" if moment.microsecond else "seconds")
    return text.replace("+00:00", "Z")


UtcTime = Annotated[
    AwareDatetime,
    AfterValidator(_to_utc),
    PlainSerializer(format_time, return_type=str, when_used="json"),
]
"""An aware time, kept in UTC and milliseconds, written as RFC 3339 with `Z`."""

MetadataScalar = str | int | FiniteFloat | bool
MetadataValue = MetadataScalar | list[MetadataScalar]
Metadata = dict[str, MetadataValue]
