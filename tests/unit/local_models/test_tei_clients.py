import json

import numpy as np
import pytest

from cognis_memory.adapters.model_server import Refused, Unavailable
from cognis_memory.adapters.tei import TeiEmbedder, TeiReranker
from cognis_memory.errors import EmbeddingFailed, EmbeddingUnavailable, RerankUnavailable


class FakeServer:
    """A transport to a model: a text's vector comes from its length, and its score is a tenth of that."""

    def __init__(self) -> None:
        self.requests: list[dict] = []
        self.failure: Exception | None = None
        self.answer: bytes | None = None

    def post(self, route: str, body: bytes) -> bytes:
        request = json.loads(body)
        self.requests.append(request)
        if self.failure is not None:
            raise self.failure
        if self.answer is not None:
            return self.answer
        if route == "/embed":
            return json.dumps([[float(len(text)), 1.0] for text in request["inputs"]]).encode()
        ranks = [{"index": i, "score": len(text) / 10} for i, text in enumerate(request["texts"])]
        return json.dumps(sorted(ranks, key=lambda rank: -rank["score"])).encode()


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def embedder(server: FakeServer) -> TeiEmbedder:
    return TeiEmbedder(server, model_id="fake", dimensions=2, batch_size=3, remembered_queries=2)


@pytest.fixture
def reranker(server: FakeServer) -> TeiReranker:
    return TeiReranker(server, model_id="fake", batch_size=3)


def test_embeds_in_batches_and_keeps_the_order(server: FakeServer, embedder: TeiEmbedder) -> None:
    texts = ["a" * n for n in range(1, 9)]
    vectors = embedder.embed(texts)
    assert [len(request["inputs"]) for request in server.requests] == [3, 3, 2]
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], range(1, 9), rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-6)


def test_nothing_to_embed_asks_nobody(server: FakeServer, embedder: TeiEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 2)
    assert server.requests == []


def test_remembers_queries_by_their_whole_text(server: FakeServer, embedder: TeiEmbedder) -> None:
    long, longer = "x" * 5_000, "x" * 5_000 + "y"
    assert not np.array_equal(embedder.embed([long]), embedder.embed([longer]))
    embedder.embed([long])
    assert len(server.requests) == 2
    embedder.embed(["another"])
    embedder.embed([longer])
    assert len(server.requests) == 4  # two are remembered: `longer` was unused for longest


def test_what_a_caller_does_to_a_vector_is_not_remembered(embedder: TeiEmbedder) -> None:
    first = embedder.embed(["query"])
    expected = first.copy()
    first[:] = 0
    np.testing.assert_array_equal(embedder.embed(["query"]), expected)


def test_failures_are_not_remembered(server: FakeServer, embedder: TeiEmbedder) -> None:
    server.failure = Unavailable("down")
    with pytest.raises(EmbeddingUnavailable):
        embedder.embed(["query"])
    server.failure = None
    assert embedder.embed(["query"]).shape == (1, 2)


@pytest.mark.parametrize(
    ("failure", "expected"), [(Unavailable("x"), EmbeddingUnavailable), (Refused("x"), EmbeddingFailed)]
)
def test_embedding_failures_are_transient_or_permanent(
    server: FakeServer, embedder: TeiEmbedder, failure: Exception, expected: type[Exception]
) -> None:
    server.failure = failure
    with pytest.raises(expected):
        embedder.embed(["a", "b"])


def test_an_unusable_embedding_is_permanent(server: FakeServer, embedder: TeiEmbedder) -> None:
    server.answer = b"[[1.0, 0.0]]"
    with pytest.raises(EmbeddingFailed):
        embedder.embed(["a", "b"])


@pytest.mark.parametrize("texts", [[""], ["a", ""]])
def test_empty_texts_are_refused_before_they_travel(
    server: FakeServer, embedder: TeiEmbedder, texts: list[str]
) -> None:
    with pytest.raises(EmbeddingFailed):
        embedder.embed(texts)
    assert server.requests == []


def test_reranks_in_batches_and_keeps_the_order(server: FakeServer, reranker: TeiReranker) -> None:
    texts = ["aaa", "a", "aaaaa", "aa"]
    assert reranker.rerank("q", texts) == [0.3, 0.1, 0.5, 0.2]
    assert [request["texts"] for request in server.requests] == [texts[:3], texts[3:]]
    assert reranker.rerank("q", []) == []


@pytest.mark.parametrize("failure", [Unavailable("x"), Refused("x"), None])
def test_whatever_hinders_reranking_is_transient(
    server: FakeServer, reranker: TeiReranker, failure: Exception | None
) -> None:
    server.failure, server.answer = failure, b"not json"
    with pytest.raises(RerankUnavailable):
        reranker.rerank("q", ["a"])


@pytest.mark.parametrize("text", ["a" * 400_000, "あ" * 150_000, '"\n' * 120_000])
def test_a_request_stays_within_the_bytes_that_a_server_takes(server: FakeServer, text: str) -> None:
    texts = [text] * 5
    assert len(TeiEmbedder(server, model_id="fake", dimensions=2).embed(texts)) == 5
    with pytest.raises(RerankUnavailable):  # the fake's scores of such lengths are none
        TeiReranker(server, model_id="fake").rerank("q", texts)

    for request in server.requests:
        assert len(json.dumps(request, ensure_ascii=False).encode()) < 2_000_000
        assert len(request.get("inputs") or request["texts"]) <= 2


def test_a_text_that_is_too_long_for_a_batch_goes_alone(server: FakeServer) -> None:
    embedder = TeiEmbedder(server, model_id="fake", dimensions=2, batch_size=32)

    embedder.embed(["short", "a" * 1_100_000, "b"])

    assert [len(request["inputs"]) for request in server.requests] == [1, 1, 1]
