from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.speakers import asks_of_self, named_speaker, resolve_speaker
from cognis_memory.models.message import Message
from cognis_memory.models.values import Role

NOW = datetime(2026, 7, 15, tzinfo=UTC)


def _turn(speaker: str, role: Role = Role.USER) -> Message:
    return Message(
        id="msg_1",
        tenant_id="acme",
        user_id="ana",
        event_id="evt_1",
        position=0,
        role=role,
        speaker=speaker,
        content="Hello.",
        timestamp=NOW,
        created_at=NOW,
    )


def test_a_named_speaker_stays() -> None:
    assert resolve_speaker(_turn("Ana"), [_turn("Bob"), _turn("user")]) == "Ana"


def test_a_turn_without_a_name_is_of_the_only_one_named_in_its_role() -> None:
    others = [_turn("Ana"), _turn("Ana"), _turn("Support", Role.ASSISTANT), _turn("user")]

    assert resolve_speaker(_turn("user"), others) == "Ana"
    assert resolve_speaker(_turn("assistant", Role.ASSISTANT), others) == "Support"


@pytest.mark.parametrize("others", [[], [_turn("user")], [_turn("Ana"), _turn("Bob")]])
def test_else_it_keeps_its_role(others: list[Message]) -> None:
    assert resolve_speaker(_turn("user"), others) == "user"


def test_names_of_other_roles_do_not_count() -> None:
    assert resolve_speaker(_turn("user"), [_turn("Support", Role.ASSISTANT)]) == "user"


@given(st.lists(st.sampled_from(["Ana", "Bob", "user"])))
def test_the_order_of_the_others_does_not_count(speakers: list[str]) -> None:
    turns = [_turn(speaker) for speaker in speakers]
    assert resolve_speaker(_turn("user"), turns) == resolve_speaker(_turn("user"), turns[::-1])


SPEAKERS = ["Ana", "Bob", "Ana Maria", "田中", "user", "assistant", "C++"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("What did Bob say?", "Bob"),
        ("what did BOB say", "Bob"),
        ("Bob's dog?", "Bob"),
        ("What did Bobby say?", None),
        ("Bananas for breakfast?", None),
        ("What did Bob tell 田中?", None),
        ("田中さんは何と言いましたか？", "田中"),
        ("What does the user want of the assistant?", None),
        ("Does C++ answer?", "C++"),
        ("Who is it?", None),
        ("", None),
    ],
)
def test_the_one_person_named(query: str, named: str | None) -> None:
    assert named_speaker(query, SPEAKERS) == named


@given(st.text(), st.lists(st.text(min_size=1, max_size=5)))
def test_whoever_is_named_is_one_of_them_and_stands_there(query: str, speakers: list[str]) -> None:
    named = named_speaker(query, speakers)
    assert named is None or (named in speakers and named.casefold() in query.casefold())


@pytest.mark.parametrize(
    "query",
    [
        "Where do I live?",
        "what's my job",
        "Tell me about me",
        "どこに住んでいますか",
        "私の仕事は？",
        "たくさん食べた料理は何ですか",
    ],
)
def test_a_question_in_the_first_person_asks_of_the_asker(query: str) -> None:
    assert asks_of_self(query)


@pytest.mark.parametrize(
    "query",
    [
        "Where does Ana live?",
        "Who lives near me?",
        "The island of Timor",
        "田中さんはどこに住んでいますか",
        "誰が京都に住んでいますか",
        "Yukiの仕事は？",
    ],
)
def test_a_question_of_somebody_else_does_not(query: str) -> None:
    assert not asks_of_self(query)
