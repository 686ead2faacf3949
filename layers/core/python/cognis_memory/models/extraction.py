"""What goes to an extractor and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pydantic import ConfigDict, with_config

from cognis_memory.models.event import Notice, Usage
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Operation


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class LabelledMemory:
    """A similar current memory under a short number; extractors never see real ids."""

    label: int
    content: str
    category: Category
    subject: str = ""
    slot: str | None = None
    timestamp: datetime | None = None


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """New `messages` in order, the turns before them, and at most ten similar memories."""

    messages: tuple[Message, ...]
    turns_before: tuple[Message, ...] = ()
    similar: tuple[LabelledMemory, ...] = ()
    instructions: str | None = None


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """One fact with the operation it asks for.

    `message_index` points into the request's messages; `label` names the similar memory that an UPDATE
    replaces, a DELETE retracts or a NONE repeats. `event_end` is exclusive, None for an instant.
    """

    operation: Operation
    content: str
    category: Category
    message_index: int
    label: int | None = None
    subject: str = ""
    slot: str | None = None
    speaker: str | None = None
    language: str = "en"
    event_time: datetime | None = None
    event_end: datetime | None = None


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Extraction:
    """The facts of one call, in the order of the messages, and what it consumed."""

    facts: tuple[ExtractedFact, ...]
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Notice, ...] = ()
