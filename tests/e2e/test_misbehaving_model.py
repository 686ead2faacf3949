"""The whole application with a model that misbehaves: nothing is lost, doubled or mixed up by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import urllib3
from local_stack import StackProcess, stack_process

from cognis_local.stack.language_model import FAULTS, MISBEHAVING
from cognis_memory.models.event import EventStatus

pytestmark = [pytest.mark.long, pytest.mark.timeout(1_800)]

ENGLISH = (
    *(f"I live in {city}." for city in ("Osaka", "Porto", "Lima", "Oslo", "Cairo")),
    *(f"I work at {company}." for company in ("Acme", "Globex", "Initech", "Umbrella", "Hooli")),
    *(f"I like {food}." for food in ("olives", "ramen", "figs", "curry", "sushi")),
    *(f"I no longer like {food}." for food in ("olives", "ramen", "figs", "curry", "sushi")),
)
JAPANESE = (
    *(f"{food}が好きです。" for food in ("納豆", "寿司", "梅干し", "うどん", "抹茶")),
    *(f"{city}に住んでいます。" for city in ("大阪", "京都", "札幌", "福岡", "仙台")),
)
AGAIN = (*(f"By the way, {text}" for text in ENGLISH), *(f"ちなみに、{text}" for text in JAPANESE))
TURNS = (*ENGLISH, *JAPANESE, *AGAIN)


def told(stack: StackProcess) -> list[tuple[str, list[str]]]:
    """Every chain that is held in the end: its current version and all versions, oldest first."""
    memory, run = stack.memory(), stack.ready()
    for number, text in enumerate(TURNS):
        message = {"role": "user", "content": text, "timestamp": f"2026-06-05T10:{number:02}:00Z"}
        assert memory.add("ana", [message], idempotency_key=str(number)).status is EventStatus.SUCCEEDED
    with urllib3.PoolManager() as pool:
        headers = {"X-Api-Key": run.api_key}

        def get(path: str) -> Any:
            answer = pool.request("GET", f"{run.url}{path}", headers=headers)
            assert answer.status == 200
            return answer.json()

        held = get("/v1/memories?user_id=ana&limit=100")["memories"]
        histories = (get(f"/v1/memories/{memory['id']}/history?user_id=ana")["history"] for memory in held)
        versions = [[version["memory"] for version in history] for history in histories]
    return sorted(zip((memory["memory"] for memory in held), versions, strict=True))


def test_sixty_turns_end_as_without_a_fault(tmp_path: Path) -> None:
    with stack_process(tmp_path / "sound", "--idle") as stack:
        expected = told(stack)
    with stack_process(tmp_path / "misbehaving", "--idle", "--llm", MISBEHAVING) as stack:
        found = told(stack)

    assert len(TURNS) == 60
    assert len(TURNS) // 2 >= len(FAULTS)  # each of them was met
    assert len(expected) > 5
    assert found == expected
