"""Vectors of queries that were asked before."""

from __future__ import annotations

import numpy as np
import pytest
from fakes import Failing, HashEmbedder

from cognis_memory.errors import EmbeddingUnavailable
from cognis_memory.services.retrieval.query_vectors import RememberedQueries


def counted(times: int = 0) -> Failing:
    return Failing(HashEmbedder(), EmbeddingUnavailable("down"), times=times)


def test_the_same_query_is_embedded_once() -> None:
    embedder = counted()
    remembered = RememberedQueries(embedder, 10)  # type: ignore[arg-type]
    first, again = remembered.embed(["home in Tokyo"]), remembered.embed(["home in Tokyo"])

    assert embedder.calls == 1
    np.testing.assert_array_equal(first, HashEmbedder().embed(["home in Tokyo"]))
    np.testing.assert_array_equal(again, first)
    assert remembered.model_id == "hash-768"


def test_the_longest_unused_is_forgotten() -> None:
    embedder = counted()
    remembered = RememberedQueries(embedder, 2)  # type: ignore[arg-type]
    for query in ("one", "two", "one", "three", "one", "two"):
        remembered.embed([query])

    assert embedder.calls == 4


def test_a_failure_is_not_remembered() -> None:
    remembered = RememberedQueries(counted(times=1), 10)  # type: ignore[arg-type]
    with pytest.raises(EmbeddingUnavailable):
        remembered.embed(["home"])
    assert remembered.embed(["home"]).shape == (1, 768)


def test_nobody_can_change_what_is_remembered() -> None:
    remembered = RememberedQueries(HashEmbedder(), 10)
    with pytest.raises(ValueError, match="read-only"):
        remembered.embed(["home"])[0][0] = 1.0


def test_several_texts_are_embedded_as_they_are() -> None:
    vectors = RememberedQueries(HashEmbedder(), 10).embed(["one", "two"])

    np.testing.assert_array_equal(vectors, HashEmbedder().embed(["one", "two"]))
