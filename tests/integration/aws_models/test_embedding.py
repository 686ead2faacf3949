"""Embeddings of Titan and of a SageMaker endpoint."""

from __future__ import annotations

import json

import numpy as np
import pytest
from aws_clients import client
from fakes import HashEmbedder
from model_cloud import ModelCloud

from cognis_local.model_services import Operation
from cognis_local.model_services.faults import failing
from cognis_local.model_services.replies import json_reply
from cognis_memory.adapters.bedrock.embedder import MAX_CHARACTERS, MAX_TOKENS, TitanEmbedder
from cognis_memory.adapters.sagemaker import Prompts, SageMakerEmbedder, SageMakerTransport
from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.errors import EmbeddingFailed, EmbeddingUnavailable

TEXTS = ["Ana lives in Osaka", "アナは大阪に住んでいます", "Ken likes tea", "🍵"]


@pytest.fixture
def titan(cloud: ModelCloud) -> TitanEmbedder:
    return TitanEmbedder(client("bedrock-runtime", cloud.url), concurrency=4)


def endpoint(cloud: ModelCloud) -> SageMakerTransport:
    return SageMakerTransport(client("sagemaker-runtime", cloud.url), "tei")


def test_titan_gives_unit_vectors_in_the_order_of_the_texts(titan: TitanEmbedder) -> None:
    texts = TEXTS * 5

    vectors = titan.embed(texts)

    assert (vectors.shape, vectors.dtype) == ((20, 768), np.float32)
    np.testing.assert_allclose(vectors, HashEmbedder().embed(texts), atol=1e-6)


def test_titan_is_asked_for_1024_components_and_768_are_kept(cloud: ModelCloud, titan: TitanEmbedder) -> None:
    vector = np.arange(1, 1_025, dtype=np.float64)
    cloud.services.plan(
        Operation.INVOKE_MODEL, lambda call, responder: json_reply({"embedding": vector.tolist()})
    )

    embedded = titan.embed(["Osaka"])[0]

    (call,) = cloud.services.calls
    assert call.target == "amazon.titan-embed-text-v2:0"
    assert call.json == {"inputText": "Osaka", "dimensions": 1_024, "normalize": True}
    np.testing.assert_allclose(embedded, vector[:768] / np.linalg.norm(vector[:768]), rtol=1e-5)


@pytest.mark.parametrize("text", ["word " * 20_000, "大阪 " * 30_000, "a" * 60_000])
def test_of_a_text_too_long_for_titan_the_beginning_counts(
    cloud: ModelCloud, titan: TitanEmbedder, text: str
) -> None:
    vector = titan.embed([text])[0]

    sent = cloud.services.calls[-1].json["inputText"]
    assert text.startswith(sent)
    assert len(sent) <= MAX_CHARACTERS
    assert MAX_TOKENS * 0.9 < estimate_tokens(sent) <= MAX_TOKENS or len(sent) > 4 * MAX_TOKENS - 10
    np.testing.assert_allclose(vector, HashEmbedder().embed([sent])[0], atol=1e-6)


def test_a_text_of_more_tokens_than_estimated_is_halved(cloud: ModelCloud, titan: TitanEmbedder) -> None:
    text = "a b c d " * 4_000  # 16,000 words, which the estimate takes for 8,000 tokens

    titan.embed([text])

    lengths = [len(call.json["inputText"]) for call in cloud.services.calls]
    assert lengths == [32_000, 16_000]


def test_other_refusals_are_not_mistaken_for_length(cloud: ModelCloud, titan: TitanEmbedder) -> None:
    cloud.services.plan(
        Operation.INVOKE_MODEL, failing(400, "ValidationException", "Malformed input request")
    )

    with pytest.raises(EmbeddingFailed):
        titan.embed(["Osaka"])
    assert len(cloud.services.calls) == 1


@pytest.mark.parametrize(
    "embedding", [[], [1.0] * 768, [0.0] * 1_024, [float("nan")] * 1_024, ["a"] * 1_024, None]
)
def test_what_is_no_vector_is_refused(cloud: ModelCloud, titan: TitanEmbedder, embedding: object) -> None:
    answer = json.dumps({"embedding": embedding})
    cloud.services.plan(Operation.INVOKE_MODEL, lambda call, responder: json_reply(json.loads(answer)))

    with pytest.raises(EmbeddingFailed):
        titan.embed(["Osaka"])


def test_after_a_failure_the_rest_is_not_sent(cloud: ModelCloud, titan: TitanEmbedder) -> None:
    cloud.services.plan(Operation.INVOKE_MODEL, *[failing(503, "ServiceUnavailableException")] * 100)

    with pytest.raises(EmbeddingUnavailable):
        titan.embed(["Osaka"] * 100)
    assert len(cloud.services.calls) < 50


def test_nothing_and_an_empty_text_ask_nobody(cloud: ModelCloud, titan: TitanEmbedder) -> None:
    for embedder in (titan, SageMakerEmbedder(endpoint(cloud), "model")):
        assert embedder.embed([]).shape == (0, 768)
        with pytest.raises(EmbeddingFailed):
            embedder.embed(["Osaka", ""])
    assert cloud.services.calls == []


@pytest.mark.parametrize(
    ("model", "document", "query"),
    [
        ("nomic-ai/nomic-embed-text-v1.5", "search_document: ", "search_query: "),
        ("google/embeddinggemma-300m", "title: none | text: ", "task: search result | query: "),
        ("another", "", ""),
    ],
)
def test_a_model_reads_the_prompts_that_it_was_trained_with(
    cloud: ModelCloud, model: str, document: str, query: str
) -> None:
    SageMakerEmbedder(endpoint(cloud), model).embed(["Osaka", "大阪"])
    SageMakerEmbedder(endpoint(cloud), model, role="query").embed(["Osaka"])

    sent = [call.json["inputs"] for call in cloud.services.calls]
    assert sent == [[f"{document}Osaka", f"{document}大阪"], [f"{query}Osaka"]]
    assert {call.target for call in cloud.services.calls} == {"tei"}


def test_a_model_id_names_all_that_changes_vectors(cloud: ModelCloud) -> None:
    transport = endpoint(cloud)
    of_model = SageMakerEmbedder(transport, "a")
    ids = [
        of_model.model_id,
        SageMakerEmbedder(transport, "b").model_id,
        SageMakerEmbedder(transport, "a", prompts=Prompts("q: ", "d: ")).model_id,
        SageMakerEmbedder(transport, "a", prompts=Prompts("q: ", "")).model_id,
        SageMakerEmbedder(transport, "a", prompts=Prompts("", "q: ")).model_id,
        TitanEmbedder(client("bedrock-runtime", cloud.url)).model_id,
    ]

    assert len(set(ids)) == len(ids)
    assert SageMakerEmbedder(transport, "a", role="query").model_id == of_model.model_id
