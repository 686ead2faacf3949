"""The values that the stages of the rules extractor hand to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

USER = "User"
"""How memories name the user whose messages carry no name."""

ASSISTANT = "Assistant"
"""How memories name the assistant."""


class Change(Enum):
    """What a statement does to what was known, as its own words tell."""

    STATES = auto()
    RETRACTS = auto()  # "I no longer ...", 「もう〜ていません」
    FORGETS = auto()  # "forget that ...": nothing to remember when nothing is held


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who speaks, and who is spoken to, under the names that memories use."""

    name: str
    is_assistant: bool
    addressee: str
    people: frozenset[str] = frozenset()
    """Names of people known from the conversation and from the similar memories."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a speaker states, in the third person, before dates, category and operation.

    `subject` is who it is about ("User", "Ken", "User's mother"). `additive` is set where the words say that
    it comes on top of what was known ("also", 「〜も」); the date of `date_context` counts here too.
    """

    content: str
    subject: str
    change: Change = Change.STATES
    additive: bool = False
    corrects: bool = False
    date_context: str = ""


@dataclass(frozen=True, slots=True)
class Description:
    """What a content says, comparable between a new statement and a memory.

    `slot` names the attribute ("home", "likes:ramen") and `value` fills it, both normalised; without a slot
    only `terms` count: the words and numbers that tell this fact from others.
    `replaces` is False where the wording fills the slot without taking the place of what was there.
    """

    subject: str
    terms: frozenset[str]
    negated: bool
    slot: str | None = None
    value: frozenset[str] = field(default_factory=frozenset)
    replaces: bool = True
    past: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """An attribute and what fills it; `replaces` where the wording takes the place of an earlier value."""

    name: str
    value: str
    replaces: bool = True
