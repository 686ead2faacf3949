from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.indexed_text import MAX_CONTEXT_CHARACTERS, shorten_context, spoken_text
from cognis_memory.models.message import Message
from cognis_memory.models.values import Role

NOW = datetime(2026, 7, 15, tzinfo=UTC)


def _message(speaker: str, content: str = "I moved to Osaka.", role: Role = Role.USER) -> Message:
    return Message(
        id="msg_1",
        tenant_id="acme",
        user_id="ana",
        event_id="evt_1",
        position=0,
        role=role,
        speaker=speaker,
        content=content,
        timestamp=NOW,
        created_at=NOW,
    )


@pytest.mark.parametrize(("speaker", "named"), [("Ana", "Ana: "), ("田中", "田中: "), ("user2", "user2: ")])
def test_a_named_speaker_stands_before_the_words(speaker: str, named: str) -> None:
    assert spoken_text(_message(speaker)) == f"{named}I moved to Osaka."


@pytest.mark.parametrize("role", list(Role))
def test_a_speaker_who_is_only_a_role_does_not(role: Role) -> None:
    assert spoken_text(_message(role.value, role=role)) == "I moved to Osaka."


@given(st.text(min_size=1), st.text())
def test_the_words_come_last_and_whole(speaker: str, content: str) -> None:
    assert spoken_text(_message(speaker, content)).endswith(content)


@given(st.text(max_size=3 * MAX_CONTEXT_CHARACTERS))
def test_of_a_long_context_the_end_is_kept(context: str) -> None:
    kept = shorten_context(context)

    assert context.endswith(kept)
    assert len(kept) == min(len(context), MAX_CONTEXT_CHARACTERS)
