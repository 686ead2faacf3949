"""The project's own conversation format.

    {"id": "...", "timezone": "Asia/Tokyo",
     "sessions": [{"id": "s1", "started_at": "2026-07-08T11:00:00+09:00",
                   "turns": [{"speaker": "Ana", "text": "I moved to Osaka last week."}]}],
     "questions": [{"question": "Where does Ana live?", "answer": "Osaka", "evidence": ["s1:1"]}]}

A session's `id` defaults to `s` and its number, a turn's `id` to `<session>:<number>`, both from 1; a turn's
`timestamp` to one second after the turn before it. `answer` null says that there is none in the conversation.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from cognis_local.conversations.faults import validated
from cognis_local.conversations.model import TURN_STEP, Conversation, Question, Session, Turn
from cognis_memory.errors import InvalidInput
from cognis_memory.models.fields import Content, Identifier, RequestTime, TimeZone
from cognis_memory.models.values import Role


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Turn(_Entry):
    speaker: Identifier
    text: Content
    id: Identifier | None = None
    role: Role = Role.USER
    timestamp: RequestTime | None = None


class _Session(_Entry):
    started_at: RequestTime
    turns: Annotated[list[_Turn], Field(min_length=1)]
    id: Identifier | None = None


class _Question(_Entry):
    question: Content
    answer: str | None = None
    evidence: list[Identifier] = []
    kind: str | None = None
    as_of: RequestTime | None = None
    reference_time: RequestTime | None = None


class _Conversation(_Entry):
    sessions: Annotated[list[_Session], Field(min_length=1)]
    questions: list[_Question] = []
    id: Identifier | None = None
    timezone: TimeZone = "UTC"


def recognises(entry: dict[str, Any]) -> bool:
    return "sessions" in entry


def read(name: str, entry: dict[str, Any], default_id: str) -> Conversation:
    """The entry of file `name` as a conversation; raises InvalidInput with the paths of what is wrong."""
    parsed = validated(_Conversation, entry, name=name)
    sessions = [_session(number, session) for number, session in enumerate(parsed.sessions, start=1)]
    _refuse_repeated_ids(name, sessions)
    questions = tuple(_question(question) for question in parsed.questions)
    _refuse_unknown_evidence(name, sessions, questions)
    return Conversation(
        id=parsed.id or default_id,
        sessions=tuple(sorted(sessions, key=lambda session: session.started_at)),
        questions=questions,
        timezone=parsed.timezone,
    )


def _session(number: int, session: _Session) -> Session:
    context_id = session.id or f"s{number}"
    turns = list[Turn]()
    moment: datetime = session.started_at
    for position, turn in enumerate(session.turns, start=1):
        moment = turn.timestamp or moment
        turns.append(Turn(turn.id or f"{context_id}:{position}", turn.speaker, turn.text, moment, turn.role))
        moment += TURN_STEP
    return Session(context_id, session.started_at, tuple(turns))


def _question(question: _Question) -> Question:
    return Question(
        text=question.question,
        answer=question.answer,
        evidence=tuple(question.evidence),
        kind=question.kind,
        as_of=question.as_of,
        reference_time=question.reference_time,
    )


def _refuse_repeated_ids(name: str, sessions: list[Session]) -> None:
    seen = set[str]()
    identifiers = [session.context_id for session in sessions]
    identifiers += [turn.id for session in sessions for turn in session.turns]
    for identifier in identifiers:
        if identifier in seen:
            raise InvalidInput(f"{name}: the id {identifier!r} stands twice; give each its own.")
        seen.add(identifier)


def _refuse_unknown_evidence(name: str, sessions: list[Session], questions: tuple[Question, ...]) -> None:
    known = {turn.id for session in sessions for turn in session.turns}
    for number, question in enumerate(questions):
        for identifier in question.evidence:
            if identifier not in known:
                raise InvalidInput(f"{name}: questions[{number}].evidence: there is no turn {identifier!r}.")
