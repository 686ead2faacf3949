"""A recorded conversation: sessions of dated turns, and questions that it answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from cognis_memory.models.values import Role

TURN_STEP = timedelta(seconds=1)
"""Between turns whose own time is unknown: keeps their order and does not leave the session's day."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said at one time; `id` names it as evidence for a question.

    `caption` describes an image that was sent with the text.
    """

    id: str
    speaker: str
    text: str
    timestamp: datetime
    role: Role = Role.USER
    caption: str | None = None

    @property
    def content(self) -> str:
        """The text, and in brackets what the speaker showed, so that it can be found by what is on it."""
        if not self.caption:
            return self.text
        return f"{self.text} [shares {self.caption}]".lstrip()


@dataclass(frozen=True, slots=True)
class Session:
    """Turns of one sitting, in order; `context_id` is unique within the conversation."""

    context_id: str
    started_at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the conversation; `answer` is None where the conversation holds none.

    `evidence` names the turns that answer it, `kind` what it tests, in the file's own words. `as_of` asks
    for what was true then; `reference_time` is when the question is asked, None for after the last turn.
    """

    text: str
    answer: str | None = None
    evidence: tuple[str, ...] = ()
    kind: str | None = None
    as_of: datetime | None = None
    reference_time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Sessions in order of time and what can be asked about them; `timezone` is an IANA name."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...] = ()
    timezone: str = "UTC"

    @property
    def turn_count(self) -> int:
        return sum(len(session.turns) for session in self.sessions)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Everyone who speaks, in order of appearance."""
        return tuple(dict.fromkeys(turn.speaker for session in self.sessions for turn in session.turns))

    @property
    def ended_at(self) -> datetime:
        """The time of the last turn."""
        return max(turn.timestamp for session in self.sessions for turn in session.turns)
