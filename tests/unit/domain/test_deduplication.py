from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cognis_memory.domain.deduplication import deduplicate
from cognis_memory.domain.settings import PAPER

THRESHOLD = PAPER.duplicate_cosine


def at_angle(degrees: float, length: float = 1.0) -> NDArray[np.float32]:
    vector = np.zeros(768, np.float32)
    vector[:2] = length * np.cos(np.radians(degrees)), length * np.sin(np.radians(degrees))
    return vector


def cosine(left: NDArray[np.float32], right: NDArray[np.float32]) -> Any:
    return left @ right / (np.linalg.norm(left) * np.linalg.norm(right))


def test_the_better_ranked_duplicate_stays() -> None:
    vectors = {"a": at_angle(0), "b": at_angle(90), "c": at_angle(8), "d": at_angle(9)}

    assert deduplicate(["c", "b", "a"], vectors, threshold=THRESHOLD) == ["c", "b"]  # cos 8° = .9903
    assert deduplicate(["a", "b", "d"], vectors, threshold=THRESHOLD) == ["a", "b", "d"]  # cos 9° = .9877


def test_what_resembles_only_a_removed_one_stays() -> None:
    vectors = {"a": at_angle(0), "b": at_angle(7), "c": at_angle(14)}
    assert deduplicate(["a", "b", "c"], vectors, threshold=THRESHOLD) == ["a", "c"]


def test_length_does_not_matter() -> None:
    vectors = {"a": at_angle(0), "b": at_angle(1, length=0.01)}
    assert deduplicate(["a", "b"], vectors, threshold=THRESHOLD) == ["a"]


def test_what_has_no_direction_is_nobodys_duplicate() -> None:
    zero = np.zeros(768, np.float32)
    vectors = {"a": zero, "b": zero, "d": at_angle(0)}
    assert deduplicate(["a", "b", "c", "d"], vectors, threshold=THRESHOLD) == ["a", "b", "c", "d"]


def test_a_repeated_id_comes_out_once() -> None:
    assert deduplicate(["a", "b", "a"], {}, threshold=THRESHOLD) == ["a", "b"]
    assert deduplicate([], {}, threshold=THRESHOLD) == []


@given(st.lists(st.integers(0, 120), max_size=30), st.sets(st.integers(0, 29)))
def test_what_remains_is_apart_and_what_goes_has_a_better_twin(angles: list[int], bare: set[int]) -> None:
    ranked = [f"mem_{place}" for place in range(len(angles))]
    vectors = {
        document_id: at_angle(angle)
        for place, (document_id, angle) in enumerate(zip(ranked, angles, strict=True))
        if place not in bare
    }
    kept = deduplicate(ranked, vectors, threshold=THRESHOLD)

    assert kept == [document_id for document_id in ranked if document_id in kept]
    for document_id in ranked:
        better = kept[: kept.index(document_id)] if document_id in kept else kept
        twins = [
            other
            for other in better
            if ranked.index(other) < ranked.index(document_id)
            and {other, document_id} <= vectors.keys()
            and cosine(vectors[other], vectors[document_id]) >= THRESHOLD
        ]
        assert bool(twins) is (document_id not in kept)
    assert deduplicate(kept, vectors, threshold=THRESHOLD) == kept
