"""The project's own conversation format."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cognis_local.conversations import load
from cognis_memory.errors import InvalidInput
from cognis_memory.models.values import Role

STARTED = datetime(2026, 7, 8, 2, 0, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


def conversation(**changes: Any) -> dict[str, Any]:
    turns = [
        {"speaker": "Ana", "text": "こんにちは"},
        {"speaker": "Bo", "text": "Hello", "role": "assistant"},
    ]
    sessions = [{"started_at": "2026-07-08T11:00:00+09:00", "turns": turns}]
    return {"id": "hello", "timezone": "Asia/Tokyo", "sessions": sessions, **changes}


def test_ids_and_times_have_sensible_defaults(write: Callable[..., Path]) -> None:
    (found,) = load(write(conversation()))
    (session,) = found.sessions
    assert (found.id, found.timezone, found.speakers) == ("hello", "Asia/Tokyo", ("Ana", "Bo"))
    assert (session.context_id, session.started_at) == ("s1", STARTED)
    assert [(turn.id, turn.timestamp, turn.role) for turn in session.turns] == [
        ("s1:1", STARTED, Role.USER),
        ("s1:2", STARTED + timedelta(seconds=1), Role.ASSISTANT),
    ]
    assert found.ended_at == STARTED + timedelta(seconds=1)


def test_what_the_file_gives_is_kept(write: Callable[..., Path]) -> None:
    late = {"speaker": "Ana", "text": "Bye", "id": "last", "timestamp": "2026-07-08T04:00:00Z"}
    after = {"speaker": "Bo", "text": "Bye!"}
    sessions = [{"id": "evening", "started_at": "2026-07-08T02:00:00Z", "turns": [late, after]}]
    asked = {"question": "Who?", "answer": "Ana", "evidence": ["last"], "as_of": "2026-07-08T03:00:00Z"}
    (found,) = load(write(conversation(sessions=sessions, questions=[asked])))
    first, second = found.sessions[0].turns
    assert (first.id, first.timestamp) == ("last", STARTED + timedelta(hours=2))
    assert second.timestamp == first.timestamp + timedelta(seconds=1)
    assert found.questions[0].evidence == ("last",)
    assert found.questions[0].as_of == STARTED + timedelta(hours=1)


def test_sessions_come_in_order_of_time(write: Callable[..., Path]) -> None:
    turns = [{"speaker": "Ana", "text": "Hi"}]
    days = ("2026-07-09", "2026-07-08")
    sessions = [{"started_at": f"{day}T00:00:00Z", "turns": turns} for day in days]
    (found,) = load(write(conversation(sessions=sessions)))
    assert [session.context_id for session in found.sessions] == ["s2", "s1"]


@pytest.mark.parametrize(
    ("sessions", "field"),
    [
        ([], "sessions"),
        ([{"turns": [{"speaker": "Ana", "text": "Hi"}]}], "sessions[0].started_at"),
        ([{"started_at": "2026-07-08T02:00:00Z", "turns": []}], "sessions[0].turns"),
        ([{"started_at": "2026-07-08T02:00:00Z", "turns": [{"text": "Hi"}]}], "sessions[0].turns[0].speaker"),
        ([{"started_at": "yesterday", "turns": [{"speaker": "A", "text": "Hi"}]}], "sessions[0].started_at"),
        ([{"started_at": "2026-07-08T02:00:00", "turns": [{"speaker": "A", "text": "Hi"}]}],
         "sessions[0].started_at"),
        ([{"started_at": "2026-07-08T02:00:00Z", "turns": [{"speaker": "A", "text": " "}]}],
         "sessions[0].turns[0].text"),
    ],
)  # fmt: skip
def test_what_is_missing_or_wrong_is_named_by_its_path(
    write: Callable[..., Path], sessions: Any, field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        load(write(conversation(sessions=sessions)))
    assert f"chat.json: {field}: " in str(refused.value)
    assert [fault.field for fault in refused.value.errors] == [field]


def test_a_mistyped_field_is_not_ignored(write: Callable[..., Path]) -> None:
    with pytest.raises(InvalidInput, match="timezon: is not part of the format"):
        load(write(conversation(timezon="Asia/Tokyo")))


def test_only_some_of_many_faults_are_written_out_and_all_are_listed(write: Callable[..., Path]) -> None:
    with pytest.raises(InvalidInput, match="and 2 more") as refused:
        load(write(conversation(sessions=[{}], timezone="Mars", questions=[{}, {"question": "?", "no": 1}])))
    assert len(refused.value.errors) == 5


def test_an_id_that_stands_twice_is_refused(write: Callable[..., Path]) -> None:
    turn = {"speaker": "Ana", "text": "Hi", "id": "t"}
    sessions = [{"started_at": "2026-07-08T02:00:00Z", "turns": [turn, turn]}]
    with pytest.raises(InvalidInput, match="the id 't' stands twice"):
        load(write(conversation(sessions=sessions)))


def test_evidence_must_be_a_turn(write: Callable[..., Path]) -> None:
    asked = {"question": "Who?", "evidence": ["s1:2", "s1:3"]}
    with pytest.raises(InvalidInput, match=r"questions\[0\]\.evidence: there is no turn 's1:3'"):
        load(write(conversation(questions=[asked])))


@settings(deadline=None)  # a loaded machine is no fault
@given(texts=st.lists(st.lists(TEXT, min_size=1, max_size=5), min_size=1))
def test_every_turn_arrives_in_order_with_an_id_and_a_time_of_its_own(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]]
) -> None:
    sessions = [
        {
            "started_at": (STARTED + timedelta(days=number)).isoformat(),
            "turns": [{"speaker": "Ana", "text": text} for text in said],
        }
        for number, said in enumerate(texts)
    ]
    path = tmp_path_factory.getbasetemp() / "drawn.json"
    path.write_text(json.dumps({"sessions": sessions}), encoding="utf-8")
    (found,) = load(path)
    turns = [turn for session in found.sessions for turn in session.turns]
    assert [turn.content for turn in turns] == [
        turn["text"] for session in sessions for turn in session["turns"]
    ]
    assert len({turn.id for turn in turns}) == len({turn.timestamp for turn in turns}) == len(turns)
