"""The values that the stages of the rules extractor hand to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Literal

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
    earlier: str = ""
    """What the speaker said in the turn before."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a speaker states, in the third person, before dates, category and operation.

    `subject` is who it is about ("User", "Ken", "User's mother"). `additive` is set where the words say that
    it comes on top of what was known ("also", 「〜も」), `goes_on` where a retraction also tells what comes
    instead ("quit their job to open a café", 「テニスはやめて、走っている」); the date of `date_context`
    counts here too.
    """

    content: str
    subject: str
    change: Change = Change.STATES
    additive: bool = False
    goes_on: bool = False
    corrects: bool = False
    date_context: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """An attribute and what fills it; `replaces` where the wording takes the place of an earlier value."""

    name: str
    value: str
    replaces: bool = True


@dataclass(frozen=True, slots=True)
class Stance:
    """How somebody takes to a thing: likes it or not ("liking"), can have it or not ("bearing": an allergy).

    `thing` holds its terms, without those that any thing has ("food"); `head` is the noun that the others
    narrow ("curry" of "spicy curry"), empty for any thing ("spicy food"), None for several things. `turned`
    is set where the wording shows a change ("any more"); `name` is the thing as written.
    """

    kind: Literal["liking", "bearing"]
    thing: frozenset[str]
    head: str | None
    favourable: bool
    turned: bool
    name: str

    @property
    def slot(self) -> Slot | None:
        """The slot of a liking: one for each thing, filled with which of the two it is."""
        if self.kind != "liking":
            return None
        return Slot(
            f"likes:{' '.join(sorted(self.thing)) or self.name}", "like" if self.favourable else "dislike"
        )

    def covers(self, other: Stance) -> bool:
        """Whether it is about the same thing or a more general one: "curry" covers "spicy curry"."""
        if self.thing == other.thing:
            return bool(self.thing)
        general = self.head == "" or (self.head == other.head and self.head is not None)
        return bool(self.thing) and other.head is not None and self.thing < other.thing and general


@dataclass(frozen=True, slots=True)
class Description:
    """What a content says, comparable between a new statement and a memory.

    `slot` names the attribute ("home", "likes:ramen") and `value` fills it, both normalised; without a slot
    only `terms` count: the words and numbers that tell this fact from others; `core` are those but for dates.
    `replaces` is False where the wording fills the slot without taking the place of what was there.
    `parted_with` holds the terms of what the subject no longer has ("sold their bike"); `possession` is set
    where a content tells that the subject has or got something. `bond` is set where it tells that there is a
    partner or who that is, `ends_bond` where the subject has parted from one; `death_of` holds the terms of
    the animal or the named one who died, `animals` those of the animals that the content tells of having,
    their names included. `written` is the value of the slot, or without one the content, as written.
    `cancels` is set where something is called off that was to take place; `moved` holds the terms of an
    appointment that gets another time,
    `dated` is set where a content tells when something takes place, `routine` holds what is done then,
    `planned` is set where it is to come, `at_present` where its words tell that it is so by now, and
    `leaves_work` where somebody leaves their work for another.
    """

    subject: str
    terms: frozenset[str]
    core: frozenset[str]
    negated: bool
    slot: str | None = None
    value: frozenset[str] = field(default_factory=frozenset)
    replaces: bool = True
    past: bool = False
    stance: Stance | None = None
    parted_with: frozenset[str] = field(default_factory=frozenset)
    possession: bool = False
    bond: bool = False
    ends_bond: bool = False
    death_of: frozenset[str] = field(default_factory=frozenset)
    animals: frozenset[str] = field(default_factory=frozenset)
    written: str = ""
    cancels: bool = False
    moved: frozenset[str] = field(default_factory=frozenset)
    dated: bool = False
    routine: frozenset[str] = field(default_factory=frozenset)
    planned: bool = False
    at_present: bool = False
    leaves_work: bool = False
