"""The format of LongMemEval (Wu et al., 2024, arXiv 2410.10813), as its `longmemeval_s.json` has it.

    [{"question_id": "...", "question_type": "multi-session", "question": "...", "answer": "...",
      "question_date": "2023/05/30 (Tue) 23:40", "haystack_session_ids": ["..."],
      "haystack_dates": ["2023/05/20 (Sat) 02:21"],
      "haystack_sessions": [[{"role": "user", "content": "...", "has_answer": true}]]}]

Each question has a history of its own, which becomes a conversation by that question's id. Sessions go by
their dates, which the oracle's file does not; their ids are not kept, for they tell which hold the answer, as
`has_answer` does. Times have no zone and are read as UTC. Turns and sessions without words are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from cognis_local.conversations import Conversation, Session, Turn
from cognis_local.conversations.faults import validated
from cognis_local.conversations.model import TURN_STEP
from cognis_memory.errors import InvalidInput
from cognis_memory.models.fields import Content, Identifier
from cognis_memory.models.values import Role
from qa_bench.cases import Case

TIME_FORMAT: Final = "%Y/%m/%d %H:%M"
"""Without the weekday, whose name would be read by the machine's locale."""

_WEEKDAY: Final = re.compile(r"\s*\([^)]*\)")

QuestionType = Literal[
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "multi-session",
    "temporal-reasoning",
    "knowledge-update",
]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Turn(_Entry):
    role: Role
    content: str


class _Instance(_Entry):
    question_id: Identifier
    question_type: QuestionType
    question: Content
    answer: str | int | float
    question_date: str
    haystack_dates: list[str]
    haystack_sessions: list[list[_Turn]] = Field(min_length=1)


def recognises(entry: dict[str, Any]) -> bool:
    return "haystack_sessions" in entry


def read(name: str, entries: Sequence[dict[str, Any]]) -> list[Case]:
    """The questions of file `name`, in its order; raises InvalidInput with the paths of what is wrong."""
    cases = [_case(name, number, entry) for number, entry in enumerate(entries)]
    if twins := [id_ for id_, count in Counter(case.id for case in cases).items() if count > 1]:
        raise InvalidInput(f"{name} has several questions with the id {twins[0]!r}; rename them.")
    return cases


def _case(name: str, number: int, entry: dict[str, Any]) -> Case:
    at = f"[{number}]"
    instance = validated(_Instance, entry, name=name, at=at)
    sessions = _sessions(name, at, instance)
    return Case(
        id=instance.question_id,
        conversation=Conversation(id=instance.question_id, sessions=sessions),
        question=instance.question,
        gold=str(instance.answer),
        category=instance.question_type,
        asked_at=_time(f"{name}: {at}.question_date", instance.question_date),
        abstention="_abs" in instance.question_id,
    )


def _sessions(name: str, at: str, instance: _Instance) -> tuple[Session, ...]:
    if len(instance.haystack_dates) != len(instance.haystack_sessions):
        raise InvalidInput(f"{name}: {at}.haystack_dates must be as many as haystack_sessions.")
    times = [_time(f"{name}: {at}.haystack_dates", value) for value in instance.haystack_dates]
    dated = zip(times, instance.haystack_sessions, strict=True)
    sessions = [
        _session(f"session_{number}", started_at, turns)
        for number, (started_at, turns) in enumerate(dated, start=1)
    ]
    told = sorted((session for session in sessions if session.turns), key=lambda session: session.started_at)
    if not told:
        raise InvalidInput(f"{name}: {at}.haystack_sessions holds no words.")
    return tuple(told)


def _session(context_id: str, started_at: datetime, turns: Sequence[_Turn]) -> Session:
    said = (turn for turn in turns if turn.content.strip())
    return Session(
        context_id,
        started_at,
        tuple(
            Turn(
                id=f"{context_id}:{position + 1}",
                speaker=turn.role.value,
                text=turn.content,
                timestamp=started_at + position * TURN_STEP,
                role=turn.role,
            )
            for position, turn in enumerate(said)
        ),
    )


def _time(place: str, value: str) -> datetime:
    try:
        return datetime.strptime(_WEEKDAY.sub("", value).strip(), TIME_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        raise InvalidInput(f'{place}: {value!r} is no time; write it as "2023/05/20 (Sat) 02:21".') from None
