"""The format of LoCoMo (Maharana et al., 2024, arXiv 2402.17753), as its `locomo10.json` has it.

    {"sample_id": "conv-1", "qa": [{"question": "...", "answer": "...", "evidence": ["D1:3"], "category": 4}],
     "conversation": {"speaker_a": "...", "speaker_b": "...", "session_1_date_time": "1:56 pm on 8 May, 2023",
      "session_1": [{"speaker": "...", "dia_id": "D1:3", "text": "...", "blip_caption": "..."}]}}

Both speakers are people, so all turns have the role `user`. Times have no zone and are read as UTC. A session
without turns and a turn with neither text nor image are left out. What else the file holds is not read.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, RootModel

from cognis_local.conversations.faults import validated
from cognis_local.conversations.model import TURN_STEP, Conversation, Question, Session, Turn
from cognis_memory.errors import InvalidInput
from cognis_memory.models.fields import Content, Identifier

TIME_FORMAT = "%I:%M %p on %d %B, %Y"
TIME_EXAMPLE = "1:56 pm on 8 May, 2023"
UNANSWERABLE = 5
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", UNANSWERABLE: "unanswerable"}

_SESSION_KEY = re.compile(r"session_(\d+)")
_TURN_ID = re.compile(r"D:?(\d+):(\d+)")


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Turn(_Entry):
    speaker: Identifier
    dia_id: Identifier
    text: str
    blip_caption: str | None = None


class _Turns(RootModel[list[_Turn]]):
    """The value of a `session_<n>` key."""


class _Question(_Entry):
    question: Content
    answer: str | int | float | None = None
    evidence: list[str] = []
    category: int | None = None


class _Sample(_Entry):
    sample_id: Identifier | None = None
    qa: list[_Question] = []


def recognises(entry: dict[str, Any]) -> bool:
    """Whether the entry is a sample of the data set, or its conversation alone."""
    return isinstance(entry.get("conversation"), dict) or "session_1" in entry


def read(name: str, entry: dict[str, Any], default_id: str) -> Conversation:
    """The entry of file `name` as a conversation; raises InvalidInput with the paths of what is wrong."""
    sample = validated(_Sample, entry, name=name)
    source = _conversation_of(entry)
    numbers = sorted(int(found[1]) for key in source if (found := _SESSION_KEY.fullmatch(key)))
    sessions = [session for number in numbers if (session := _session(name, source, number)).turns]
    if not sessions:
        raise InvalidInput(f"{name}: the conversation has no session_1 with turns; add at least one.")
    return Conversation(
        id=sample.sample_id or default_id,
        sessions=tuple(sorted(sessions, key=lambda session: session.started_at)),
        questions=tuple(_question(question) for question in sample.qa),
    )


def _conversation_of(entry: dict[str, Any]) -> dict[str, Any]:
    inner = entry.get("conversation")
    return inner if isinstance(inner, dict) else entry


def _session(name: str, source: dict[str, Any], number: int) -> Session:
    key = f"session_{number}"
    listed = validated(_Turns, source[key], name=name, at=key)
    said = [turn for turn in listed.root if turn.text.strip() or turn.blip_caption]
    started_at = _time(name, source, f"{key}_date_time")
    turns = (
        Turn(
            id=turn.dia_id,
            speaker=turn.speaker,
            text=turn.text,
            timestamp=started_at + position * TURN_STEP,
            caption=turn.blip_caption,
        )
        for position, turn in enumerate(said)
    )
    return Session(key, started_at, tuple(turns))


def _time(name: str, source: dict[str, Any], key: str) -> datetime:
    value = source.get(key)
    if value is None:
        raise InvalidInput(f'{name}: {key} is missing; add when the session began, as "{TIME_EXAMPLE}".')
    try:
        return datetime.strptime(str(value).strip(), TIME_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        raise InvalidInput(f'{name}: {key} is {value!r}; write it as "{TIME_EXAMPLE}".') from None


def _question(question: _Question) -> Question:
    """Some evidence names several turns in one text or has a stray colon, hence the pattern."""
    turns = (f"D{session}:{turn}" for text in question.evidence for session, turn in _TURN_ID.findall(text))
    answered = question.answer is not None and question.category != UNANSWERABLE
    return Question(
        text=question.question,
        answer=str(question.answer) if answered else None,
        evidence=tuple(dict.fromkeys(turns)),
        kind=CATEGORIES.get(question.category) if question.category is not None else None,
    )
