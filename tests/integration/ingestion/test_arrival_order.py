"""Messages that arrive late, as people write them: the outcome is that of the order of time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment, owner_of
from engines import describe, open_deployment

from cognis_local.extraction import RulesExtractor
from cognis_memory.models.values import Operation
from cognis_memory.services.verification import verify

Told = tuple[str, str]

JANUARY, MARCH, JUNE = "2026-01-10", "2026-03-10", "2026-06-10"

ENDED = [
    ("I work at Acme.", "I quit my job at Acme."),
    ("アクメで働いています。", "アクメを辞めました。"),
    ("I play tennis.", "I no longer play tennis."),
    ("テニスをしています。", "もうテニスはしていません。"),
    ("I live in Tokyo.", "I no longer live in Tokyo."),
    ("東京に住んでいます。", "もう東京には住んでいません。"),
    ("My phone number is 555-0147.", "Please forget my phone number."),
    ("電話番号は555-0147です。", "電話番号を忘れてください。"),
    ("I am assigned to Project Alpha.", "I left Project Alpha."),
    ("プロジェクトAを担当しています。", "プロジェクトAの担当を外れました。"),
]
"""Something that was so, and its end."""


def tell(deployment: Deployment, *told: Told) -> Deployment:
    """Each in a request of its own, in this order, to somebody who reads English and Japanese."""
    reading = deployment.with_(extractor=RulesExtractor())
    for day, content in told:
        reading.add("ana", said(day, content))
    return reading


def said(day: str, content: str) -> dict[str, Any]:
    return {"role": "user", "content": content, "timestamp": f"{day}T10:00:00Z"}


def true_on(deployment: Deployment, day: str, query: str) -> Sequence[str]:
    return deployment.found("ana", query, as_of=f"{day}T00:00:00Z", include_messages=False, min_relevance=0)


def chains(deployment: Deployment) -> list[list[tuple[str, Operation]]]:
    everything = deployment.list("ana", include_history=True, limit=100).memories
    histories = [deployment.history("ana", memory.id).history for memory in everything]
    unique = {history[0].id: history for history in histories}
    return [[(version.memory, version.operation) for version in history] for history in unique.values()]


@pytest.mark.parametrize(("stated", "ended"), ENDED)
def test_what_ended_before_it_was_told_is_history(deployment: Deployment, stated: str, ended: str) -> None:
    reading = tell(deployment, (MARCH, ended), (JANUARY, stated))

    assert reading.texts("ana") == []
    assert reading.found("ana", stated, include_messages=False, min_relevance=0) == []
    assert stated not in reading.found("ana", stated, min_relevance=0)
    assert stated not in reading.context("ana", stated).text
    (was,) = true_on(reading, "2026-02-01", stated)
    assert true_on(reading, "2026-04-01", stated) == []
    (chain,) = chains(reading)
    assert [operation for _, operation in chain] == [Operation.ADD, Operation.DELETE]
    assert chain[0][0] == was


@pytest.mark.parametrize(("stated", "ended"), ENDED)
def test_what_is_told_after_its_end_is_current(deployment: Deployment, stated: str, ended: str) -> None:
    reading = tell(deployment, (MARCH, ended), (JUNE, stated))

    (current,) = reading.texts("ana")
    assert true_on(reading, "2026-07-01", stated) == [current]


@pytest.mark.parametrize(("stated", "ended"), ENDED)
def test_what_ended_does_not_come_back_when_it_is_told_again_late(
    deployment: Deployment, stated: str, ended: str
) -> None:
    reading = tell(deployment, (JANUARY, stated), (MARCH, ended), ("2026-02-10", stated))

    assert reading.texts("ana") == []
    assert true_on(reading, "2026-04-01", stated) == []
    (chain,) = chains(reading)
    assert len(chain) == 2


@pytest.mark.parametrize(("stated", "ended"), ENDED)
def test_what_is_so_again_has_two_intervals(deployment: Deployment, stated: str, ended: str) -> None:
    reading = tell(deployment, (JANUARY, stated), (MARCH, ended), (JUNE, stated))

    (chain,) = chains(reading)
    assert [operation for _, operation in chain] == [Operation.ADD, Operation.DELETE, Operation.ADD]
    (current,) = reading.texts("ana")
    assert true_on(reading, "2026-02-01", stated) == [current]
    assert true_on(reading, "2026-04-01", stated) == []
    assert true_on(reading, "2026-07-01", stated) == [current]


@pytest.mark.parametrize("messages", [(0, 1), (1, 0)])
@pytest.mark.parametrize(("stated", "ended"), ENDED)
def test_the_messages_of_one_request_in_any_order(
    deployment: Deployment, stated: str, ended: str, messages: tuple[int, int]
) -> None:
    both = [said(JANUARY, stated), said(MARCH, ended)]
    reading = deployment.with_(extractor=RulesExtractor())
    reading.add("ana", [both[number] for number in messages])

    assert reading.texts("ana") == []
    assert len(true_on(reading, "2026-02-01", stated)) == 1


def test_an_end_is_remembered_while_nothing_is_known_of_what_ended(deployment: Deployment) -> None:
    reading = tell(deployment, (MARCH, "I quit smoking."), ("2026-04-10", "もう肉は食べていません。"))

    assert reading.texts("ana") == ["ユーザーはもう肉は食べていません", "User quit smoking"]
    assert tell(reading, (JUNE, "I quit smoking.")).texts("ana") == reading.texts("ana")


STORIES: list[list[Told]] = [
    [(JANUARY, "I work at Acme."), (MARCH, "I quit my job at Acme."), (JUNE, "I work at Globex.")],
    [
        (JANUARY, "アクメで働いています。"),
        (MARCH, "アクメを辞めました。"),
        (JUNE, "グロベックスで働いています。"),
    ],
    [(JANUARY, "I play tennis."), (MARCH, "I no longer play tennis."), (JUNE, "I play tennis.")],
    [(JANUARY, "テニスをしています。"), (MARCH, "テニスをやめました。"), (JUNE, "テニスをしています。")],
    [(JANUARY, "I live in Osaka."), (MARCH, "I live in Kyoto."), (JUNE, "I live in Osaka.")],
    [(JANUARY, "大阪に住んでいます。"), (MARCH, "京都に引っ越しました。"), (JUNE, "大阪に住んでいます。")],
    [(JANUARY, "I live in Tokyo."), (MARCH, "I no longer live in Tokyo."), (JUNE, "I live in Osaka.")],
    [
        (JANUARY, "ラーメンが好きです。"),
        (MARCH, "ラーメンは嫌いになりました。"),
        (JUNE, "ラーメンが好きです。"),
    ],
    [(JANUARY, "My number is 555-0147."), (MARCH, "Forget my number."), (JUNE, "My number is 555-0199.")],
]


@pytest.mark.parametrize("story", STORIES, ids=[story[1][1] for story in STORIES])
def test_every_order_of_arrival_is_true_at_the_same_times(tmp_path: Path, story: list[Told]) -> None:
    outcomes = []
    for number, order in enumerate(permutations(story)):
        opened = open_deployment(describe(tmp_path / str(number)))
        reading = tell(opened, *order)
        memories = list(reading.ledger.iterate_memories(owner_of("ana")))
        lasting = [
            m for m in memories if m.operation is not Operation.DELETE and m.valid_until != m.valid_from
        ]
        outcomes.append(
            (sorted(reading.texts("ana")), sorted((m.valid_from, m.content, m.valid_until) for m in lasting))
        )
        opened.close()

    assert outcomes == [outcomes[0]] * 6


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("I worked at Acme from 2023 to 2025.", "work at Acme"),
        ("2023年から2025年までアクメで働いていました。", "アクメで働く"),
    ],
)
def test_what_lapsed_keeps_both_its_ends(deployment: Deployment, content: str, query: str) -> None:
    reading = tell(deployment, (MARCH, content))
    (result,) = reading.search("ana", query, include_messages=False).results

    assert result.event_time is not None
    assert result.event_end is not None
    assert (result.event_time.isoformat(), result.event_end.isoformat()) == (
        "2023-01-01T00:00:00+00:00",
        "2026-01-01T00:00:00+00:00",
    )
    assert true_on(reading, "2022-06-01", query) == []
    assert true_on(reading, "2024-06-01", query) == [result.memory]
    assert true_on(reading, "2026-06-01", query) == []
    assert content in reading.found("ana", query, min_relevance=0)


@pytest.mark.parametrize(
    ("lapsed", "now"),
    [
        ("I lived in Seville from 2010 to 2015.", "I live in Porto."),
        ("2010年から2015年まで広島に住んでいました。", "神戸に住んでいます。"),
    ],
)
def test_what_lapsed_replaces_nothing(deployment: Deployment, lapsed: str, now: str) -> None:
    reading = tell(deployment, (JANUARY, now), (MARCH, lapsed))

    assert len(reading.texts("ana")) == 2
    assert len(true_on(reading, "2026-06-01", now)) == 1
    assert len(true_on(reading, "2012-06-01", lapsed)) == 1


@pytest.mark.parametrize(("stated", "ended"), ENDED[:2])
def test_on_every_engine(any_deployment: Deployment, stated: str, ended: str) -> None:
    reading = tell(any_deployment, (MARCH, ended), (JANUARY, stated), ("2026-02-10", stated))

    assert reading.texts("ana") == []
    assert len(true_on(reading, "2026-02-20", stated)) == 1
    assert true_on(reading, "2026-04-01", stated) == []
    assert verify(reading.ledger, reading.index).clean


def test_a_tombstone_outlives_its_index(deployment: Deployment) -> None:
    reading = tell(deployment, (MARCH, "Please forget my phone number."))
    reading.index.drop(owner_of("ana"))

    assert tell(reading, (JANUARY, "My phone number is 555-0147.")).texts("ana") == []


def test_a_tombstone_is_erased_with_its_words(deployment: Deployment) -> None:
    reading = deployment.with_(extractor=RulesExtractor())
    event = reading.add("ana", said(MARCH, "Forget that I collect stamps."))
    (tombstone,) = event.operations
    assert tombstone.operation is Operation.DELETE
    reading.delete("ana", tombstone.memory_id)

    assert list(reading.ledger.iterate_memories(owner_of("ana"))) == []
    assert reading.index.count(owner_of("ana")) == 0
    assert tell(reading, (JANUARY, "I collect stamps.")).texts("ana") == ["User collects stamps"]
