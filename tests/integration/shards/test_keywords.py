"""What is the shards' own in keyword search: the weight of the context, and what a large shard leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from .builders import OWNER, document, documents, matching, open_folder


@pytest.mark.parametrize(("weight", "numbers"), [(0, [1]), (0.3, [1, 2]), (5, [2, 1])])
def test_the_weight_of_the_context_is_chosen_when_opening(
    tmp_path: Path, weight: float, numbers: list[int]
) -> None:
    said = document(1, "We went to Hakone")
    after = document(2, "It was lovely", context="We went to Hakone")
    open_folder(tmp_path).apply(OWNER, [said, after, *documents(range(3, 9))], [])

    assert matching(open_folder(tmp_path, context_weight=weight), "Hakone") == [
        document(number).id for number in numbers
    ]


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_refused(tmp_path: Path, weight: float) -> None:
    with pytest.raises(ValueError, match="weight"):
        open_folder(tmp_path, context_weight=weight)


@pytest.mark.parametrize("split_at", [2_000, 10_000])
def test_a_large_shard_looks_for_the_rarest_words_first(tmp_path: Path, split_at: int) -> None:
    texts = {7: "common, seldom and again seldom", 8: "普通の珍しいもの", 2_500: "seldom common"}
    everything = (document(number, texts.get(number, "common usual 普通")) for number in range(4_000))
    shards = open_folder(tmp_path, split_at=split_at)
    shards.replace(OWNER, everything)

    for query, number in (("common usual seldom", 7), ("seldom common usual " * 20, 7), ("普通で珍しい", 8)):
        assert matching(shards, query)[0] == document(number).id
    for query in ("common", "普通", "common usual 普通"):
        assert len(matching(shards, query, limit=50)) == 50
    assert set(matching(shards, "seldom")) == {document(7).id, document(2_500).id}


def test_words_are_found_whatever_was_looked_for_before(tmp_path: Path) -> None:
    """What was read of words is kept, up to a limit that 30 queries of 40 words each go beyond."""
    texts = {number: " ".join(f"w{number}x{word}" for word in range(40)) for number in range(30)}
    shards = open_folder(tmp_path)
    shards.apply(OWNER, [document(number, f"{text} common") for number, text in texts.items()], [])

    for number, text in [*texts.items(), *texts.items()]:
        assert matching(shards, text) == [document(number).id]
        assert matching(shards, f"{text} common")[0] == document(number).id
        assert len(matching(shards, "common")) == len(texts)
