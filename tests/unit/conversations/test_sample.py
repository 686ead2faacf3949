"""The conversation that comes with the package is what the README says it is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cognis_local.conversations import Conversation, load_sample


@pytest.fixture(scope="module")
def sample() -> Conversation:
    return load_sample()


def is_japanese(text: str) -> bool:
    return any("\u3040" <= character <= "\u30ff" for character in text)


def test_it_has_many_sessions_over_about_a_year_in_two_languages(sample: Conversation) -> None:
    japanese = [is_japanese("".join(turn.text for turn in session.turns)) for session in sample.sessions]
    assert sample.speakers == ("Lina", "Takumi")
    assert 120 <= sample.turn_count <= 170
    assert japanese.count(True) == japanese.count(False) == 5
    assert timedelta(days=330) < sample.ended_at - sample.sessions[0].started_at < timedelta(days=370)


def test_its_questions_ask_about_everything_that_memory_is_for(sample: Conversation) -> None:
    kinds = {question.kind for question in sample.questions}
    assert kinds == {"current", "history", "as of", "single fact", "temporal", "retraction", "no answer"}
    for asked_in_japanese in (True, False):
        asked = [item for item in sample.questions if is_japanese(item.text) is asked_in_japanese]
        assert len(asked) >= 10
        assert {item.kind for item in asked} == kinds


def test_every_answerable_question_names_its_evidence(sample: Conversation) -> None:
    for question in sample.questions:
        assert bool(question.evidence) is (question.answer is not None), question.text
