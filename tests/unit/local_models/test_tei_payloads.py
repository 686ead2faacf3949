import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.adapters.model_server import UnusableAnswer
from cognis_memory.adapters.tei.payloads import embed_body, parse_embeddings, parse_scores, rerank_body


@given(st.lists(st.text(alphabet=st.characters(), max_size=20), min_size=1, max_size=4))
def test_any_text_becomes_valid_json(texts: list[str]) -> None:
    sent = json.loads(embed_body(texts).decode("utf-8"))
    assert len(sent["inputs"]) == len(texts)
    for before, after in zip(texts, sent["inputs"], strict=True):
        assert after == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in before)
    assert json.loads(rerank_body(texts[0], texts))["query"] == sent["inputs"][0]


def test_longer_vectors_are_cut_and_normalised_again() -> None:
    vectors = parse_embeddings(b"[[3.0, 4.0, 12.0], [0.0, 2.0, 1.0]]", count=2, dimensions=2)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, [[0.6, 0.8], [0.0, 1.0]], rtol=1e-6)


@pytest.mark.parametrize(
    "answer",
    [b"", b"{}", b'{"error": "x"}', b"[[1.0]]", b"[[1.0], [1.0, 2.0]]", b'[["a", "b"], ["c", "d"]]',
     b"[[1.0, 0.0]]", b"[[NaN, 1.0], [1.0, 1.0]]", b"[[0.0, 0.0], [1.0, 1.0]]", b"[[1e999, 1], [1.0, 1.0]]"],
)  # fmt: skip
def test_refuses_what_is_not_the_vectors_asked_for(answer: bytes) -> None:
    with pytest.raises(UnusableAnswer):
        parse_embeddings(answer, count=2, dimensions=2)


@given(st.permutations(range(5)), st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_scores_come_in_the_order_of_the_texts(order: list[int], scores: list[float]) -> None:
    answer = json.dumps([{"index": index, "score": scores[index]} for index in order]).encode()
    assert parse_scores(answer, count=5) == scores


@pytest.mark.parametrize(
    "answer",
    [b"null", b"[1, 2]", b'[{"index": 0}]', b'[{"index": 0, "score": 0.5}]', b'[{"index": 0, "score": "x"}]',
     b'[{"index": 0, "score": 0.5}, {"index": 0, "score": 0.6}]',
     b'[{"index": 0, "score": 0.5}, {"index": 2, "score": 0.6}]',
     b'[{"index": 0, "score": NaN}, {"index": 1, "score": 0.6}]',
     b'[{"index": 0, "score": 3.1}, {"index": 1, "score": 0.6}]'],
)  # fmt: skip
def test_refuses_what_is_not_the_scores_asked_for(answer: bytes) -> None:
    with pytest.raises(UnusableAnswer):
        parse_scores(answer, count=2)
