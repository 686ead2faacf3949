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
    """A similar memory under a short number; extractors never see real ids.

    It is current, or was true at the time of the messages. Where `retracted` is set, it is the words that
    ended something: "User no longer plays tennis". Whoever states that thing again names this label in an
    UPDATE, whether it was so before or is so again. `retracts` is set on every memory that tells of an end,
    and on current ones means that nothing is known of what ended. `timestamp` may lie after the messages,
    when these come late.
    """

    label: int
    content: str
    category: Category
    subject: str = ""
    slot: str | None = None
    timestamp: datetime | None = None
    retracts: bool = False
    retracted: bool = False


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """New `messages` in order, the turns before them, and similar memories: at most ten, then at most three
    retractions."""

    messages: tuple[Message, ...]
    turns_before: tuple[Message, ...] = ()
    similar: tuple[LabelledMemory, ...] = ()
    instructions: str | None = None


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """One fact with the operation it asks for.

    `message_index` points into the request's messages; `label` names the similar memory that an UPDATE
    replaces, a DELETE retracts or a NONE repeats. A DELETE without a label retracts what is not known, or not
    yet: the content, never shown, says what. `retracts` is set where the content tells that something is no
    longer so, on DELETEs and on ADDs: "User quit smoking" is worth knowing where nothing is known of what it
    ends. `event_end` is exclusive, None for an instant. `lapses` is set where something was so from
    `event_time` to `event_end` and no longer ("from 2023 to 2025"), unlike what happened then.
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
    retracts: bool = False
    lapses: bool = False


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Extraction:
    """The facts of one call, in the order of the messages, and what it consumed."""

    facts: tuple[ExtractedFact, ...]
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Notice, ...] = ()
