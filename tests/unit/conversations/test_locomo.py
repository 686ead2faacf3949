"""LoCoMo's format, with the irregularities that its files have."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cognis_local.conversations import load
from cognis_memory.errors import InvalidInput

STARTED = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def turn(number: int, text: str = "Hi", **more: Any) -> dict[str, Any]:
    return {"speaker": "Ana", "dia_id": f"D1:{number}", "text": text, **more}


def conversation(turns: list[Any], **changes: Any) -> dict[str, Any]:
    dated = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    return {"speaker_a": "Ana", "speaker_b": "Bo", **dated, **changes}


def sample(*questions: Any, **changes: Any) -> dict[str, Any]:
    entry = {"sample_id": "conv-1", "conversation": conversation([turn(1), turn(2)]), "qa": list(questions)}
    return {**entry, **changes}


def test_a_list_of_samples_one_sample_and_a_bare_conversation_are_read(write: Callable[..., Path]) -> None:
    assert [found.id for found in load(write([sample(), sample(sample_id="conv-2")]))] == ["conv-1", "conv-2"]
    assert [found.id for found in load(write(sample()))] == ["conv-1"]
    assert [found.id for found in load(write(conversation([turn(1)]), "talk.json"))] == ["talk"]


def test_turns_are_dated_from_their_session(write: Callable[..., Path]) -> None:
    (found,) = load(write(sample()))
    (session,) = found.sessions
    assert (session.context_id, session.started_at) == ("session_1", STARTED)
    assert [turn.timestamp for turn in session.turns] == [STARTED, STARTED + timedelta(seconds=1)]


@pytest.mark.parametrize(
    ("time", "hour"), [("12:09 am on 13 September, 2023", 0), ("12:30 PM on 1 June, 2023", 12)]
)
def test_noon_and_midnight_are_told_apart(write: Callable[..., Path], time: str, hour: int) -> None:
    (found,) = load(write(conversation([turn(1)], session_1_date_time=time)))
    assert found.sessions[0].started_at.hour == hour


def test_sessions_without_turns_are_left_out_and_ten_comes_after_two(write: Callable[..., Path]) -> None:
    later = {
        "session_10": [turn(1)], "session_10_date_time": "1:00 pm on 3 June, 2023",
        "session_2": [turn(2)], "session_2_date_time": "1:00 pm on 2 June, 2023",
        "session_3": [], "session_3_date_time": "1:00 pm on 4 June, 2023",
        "session_4_date_time": "1:00 pm on 5 June, 2023",
    }  # fmt: skip
    (found,) = load(write(conversation([turn(3)], **later)))
    assert [session.context_id for session in found.sessions] == ["session_1", "session_2", "session_10"]


def test_an_image_is_told_by_its_caption(write: Callable[..., Path]) -> None:
    turns = [
        turn(1, "Look!", blip_caption="a photo of a dog"),
        turn(2, "", blip_caption="a cup"),
        turn(3, " "),
    ]
    (found,) = load(write(conversation(turns)))
    contents = [turn.content for turn in found.sessions[0].turns]
    assert contents == ["Look! [shares a photo of a dog]", "[shares a cup]"]


@pytest.mark.parametrize(
    ("evidence", "turns"),
    [
        (["D1:3"], ("D1:3",)),
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D9:1 D4:4 D4:6"], ("D9:1", "D4:4", "D4:6")),
        (["D:11:26", "D"], ("D11:26",)),
        (["D1:1", "D1:1"], ("D1:1",)),
        ([], ()),
    ],
)
def test_evidence_is_read_however_it_is_written(
    write: Callable[..., Path], evidence: list[str], turns: tuple[str, ...]
) -> None:
    (found,) = load(write(sample({"question": "Who?", "answer": "Ana", "evidence": evidence})))
    assert found.questions[0].evidence == turns


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ({"answer": 2022, "category": 2}, "2022", "temporal"),
        ({"answer": "Ana", "category": 4}, "Ana", "single-hop"),
        ({"adversarial_answer": "Ana", "category": 5}, None, "unanswerable"),
        ({"answer": "Ana", "category": 5}, None, "unanswerable"),
        ({"answer": "Ana"}, "Ana", None),
    ],
)
def test_an_adversarial_question_has_no_answer(
    write: Callable[..., Path], question: dict[str, Any], answer: str | None, kind: str | None
) -> None:
    (found,) = load(write(sample({"question": "Who?", **question})))
    assert (found.questions[0].answer, found.questions[0].kind) == (answer, kind)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (sample(conversation=conversation([], session_2=[turn(1)])), "session_2_date_time is missing"),
        (conversation([turn(1)], session_1_date_time="8 May 2023"), "session_1_date_time is '8 May 2023'"),
        (conversation([{"speaker": "Ana", "text": "Hi"}]), "session_1[0].dia_id: is missing"),
        (conversation([turn(1), 5]), "session_1[1]: "),
        (sample(conversation={}), "has no session_1 with turns"),
        (sample({"answer": "Ana"}), "qa[0].question: is missing"),
    ],
)
def test_what_is_wrong_is_named(write: Callable[..., Path], entry: Any, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        load(write(entry))
    assert "chat.json: " in str(refused.value)
    assert words in str(refused.value)
