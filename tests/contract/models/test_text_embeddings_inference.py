"""The JSON of Text Embeddings Inference, whatever carries it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from fakes import HashEmbedder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cognis_memory.adapters.model_server import Refused, Transport
from cognis_memory.adapters.tei import TeiEmbedder, TeiReranker
from cognis_memory.errors import EmbeddingFailed, RerankUnavailable

TEXTS = ["Ana lives in Osaka", "アナは大阪に住んでいます", "🍵 and <b>bold</b>", 'say "hi"\n\tthere']

one_transport = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
"""Requests leave nothing behind, so that all examples may share a server."""


def test_vectors_are_those_of_the_texts_in_their_order(transport: Transport) -> None:
    texts = [f"{text} {n}" for n in range(10) for text in TEXTS]

    vectors = TeiEmbedder(transport, model_id="hash").embed(texts)

    assert (vectors.shape, vectors.dtype) == ((40, 768), np.float32)
    np.testing.assert_allclose(vectors, HashEmbedder().embed(texts), atol=1e-6)


def test_scores_are_those_of_the_texts_in_their_order(transport: Transport) -> None:
    reranker = TeiReranker(transport, model_id="hash")
    texts = [f"number {n}" for n in range(40)]

    scores = reranker.rerank("number 33", texts)

    assert (len(scores), max(range(40), key=scores.__getitem__)) == (40, 33)
    assert all(0 <= score <= 1 for score in scores)


@one_transport
@given(texts=st.lists(st.text(min_size=1, max_size=50), min_size=1, max_size=5))
def test_any_text_has_a_vector_and_a_score(transport: Transport, texts: list[str]) -> None:
    vectors = TeiEmbedder(transport, model_id="hash").embed(texts)

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert len(TeiReranker(transport, model_id="hash").rerank(texts[0], texts)) == len(texts)


def test_too_many_texts_at_once_are_refused(transport: Transport) -> None:
    texts = ["Osaka"] * 33

    with pytest.raises(EmbeddingFailed):
        TeiEmbedder(transport, model_id="hash", batch_size=40).embed(texts)
    with pytest.raises(RerankUnavailable):
        TeiReranker(transport, model_id="hash", batch_size=40).rerank("q", texts)


@pytest.mark.parametrize("body", [b"{}", b'{"inputs": 7}', b'{"inputs": ["a"], "prompt_name": "query"}'])
def test_what_is_no_request_is_refused(transport: Transport, body: bytes) -> None:
    with pytest.raises(Refused, match="422"):
        transport.post("/embed", body)


def test_an_empty_text_is_refused(transport: Transport) -> None:
    with pytest.raises(EmbeddingFailed):
        TeiEmbedder(transport, model_id="hash").embed(["Osaka", ""])


def test_a_vector_that_was_asked_for_shorter_has_unit_length(transport: Transport) -> None:
    body = json.dumps({"inputs": TEXTS, "dimensions": 256}).encode()

    vectors = np.asarray(json.loads(transport.post("/embed", body)))

    assert vectors.shape == (len(TEXTS), 256)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
