"""Reranking by a SageMaker endpoint and by Bedrock."""

from __future__ import annotations

import json
from typing import Any

import pytest
from aws_clients import client
from model_cloud import ModelCloud
from model_operations import RERANK_MODEL

from cognis_local.model_services import Operation
from cognis_local.model_services.replies import json_reply
from cognis_memory.adapters.bedrock.reranker import MAX_SOURCES, BedrockReranker
from cognis_memory.adapters.sagemaker import SageMakerReranker, SageMakerTransport
from cognis_memory.errors import RerankUnavailable
from cognis_memory.ports import Reranker

TEXTS = ["Ken likes tea", "Ana lives in Osaka", "Osaka", "アナは大阪に住んでいます", ""]


@pytest.fixture(params=["sagemaker", "bedrock"])
def reranker(cloud: ModelCloud, request: pytest.FixtureRequest) -> Reranker:
    if request.param == "bedrock":
        return BedrockReranker(client("bedrock-agent-runtime", cloud.url), RERANK_MODEL, max_characters=100)
    transport = SageMakerTransport(client("sagemaker-runtime", cloud.url), "tei")
    return SageMakerReranker(transport, model_id="bge", batch_size=32, max_characters=100)


def test_scores_are_in_the_order_of_the_texts(reranker: Reranker) -> None:
    texts = TEXTS[:4]

    scores = reranker.rerank("Where does Ana live?", texts)

    assert len(scores) == 4
    assert all(0 <= score <= 1 for score in scores)
    assert max(zip(scores, texts, strict=True))[1] == "Ana lives in Osaka"


def test_texts_in_japanese_are_scored_alike(reranker: Reranker) -> None:
    tea, osaka = reranker.rerank("アナはどこに住んでいますか", ["お茶が好きです", "アナは大阪に住んでいます"])

    assert osaka > tea


def test_no_texts_ask_nobody(cloud: ModelCloud, reranker: Reranker) -> None:
    assert reranker.rerank("q", []) == []
    assert cloud.services.calls == []


def test_long_texts_are_cut(cloud: ModelCloud, reranker: Reranker) -> None:
    reranker.rerank("問" * 500, ["答" * 500, "a" * 500])

    (call,) = cloud.services.calls
    sent = json.dumps(call.json, ensure_ascii=False)
    assert [sent.count(character) for character in "問答"] == [100, 100]
    assert "a" * 101 not in sent


def test_bedrock_scores_a_text_without_a_character(cloud: ModelCloud) -> None:
    reranker = BedrockReranker(client("bedrock-agent-runtime", cloud.url), RERANK_MODEL)

    assert len(reranker.rerank("q", TEXTS)) == len(TEXTS)


def test_bedrock_is_asked_as_its_model_takes_it(cloud: ModelCloud) -> None:
    BedrockReranker(client("bedrock-agent-runtime", cloud.url), RERANK_MODEL).rerank("q", ["a", "b"])

    ranking = cloud.services.calls[0].json["rerankingConfiguration"]["bedrockRerankingConfiguration"]
    assert ranking == {"modelConfiguration": {"modelArn": RERANK_MODEL}, "numberOfResults": 2}


def test_bedrock_takes_so_many_texts_at_once(cloud: ModelCloud) -> None:
    texts = [f"text {n}" for n in range(MAX_SOURCES + 5)]

    scores = BedrockReranker(client("bedrock-agent-runtime", cloud.url), RERANK_MODEL).rerank("text 7", texts)

    assert [len(call.json["sources"]) for call in cloud.services.calls] == [MAX_SOURCES, 5]
    assert max(range(len(texts)), key=scores.__getitem__) == 7


def test_results_on_several_pages_are_all_read(cloud: ModelCloud) -> None:
    def page(results: list[dict[str, Any]], token: str | None) -> Any:
        more = {"nextToken": token} if token else {}
        return lambda call, responder: json_reply({"results": results, **more})

    cloud.services.plan(
        Operation.RERANK,
        page([{"index": 1, "relevanceScore": 0.9}], "more"),
        page([{"index": 0, "relevanceScore": 0.1}], None),
    )

    scores = BedrockReranker(client("bedrock-agent-runtime", cloud.url), RERANK_MODEL).rerank("q", ["a", "b"])

    assert scores == pytest.approx([0.1, 0.9])
    assert [call.json.get("nextToken") for call in cloud.services.calls] == [None, "more"]


@pytest.mark.parametrize(
    "results",
    [
        [],
        [{"index": 0, "relevanceScore": 0.5}],
        [{"index": 0, "relevanceScore": 0.5}, {"index": 0, "relevanceScore": 0.6}],
        [{"index": 0, "relevanceScore": 0.5}, {"index": 2, "relevanceScore": 0.6}],
        [{"index": 0, "relevanceScore": 0.5}, {"index": 1, "relevanceScore": 1.5}],
        [{"index": 0, "relevanceScore": 0.5}, {"index": 1}],
    ],
)
def test_what_is_not_a_score_for_each_text_is_refused(cloud: ModelCloud, results: list[Any]) -> None:
    cloud.services.plan(Operation.RERANK, lambda call, responder: json_reply({"results": results}))

    with pytest.raises(RerankUnavailable):
        BedrockReranker(client("bedrock-agent-runtime", cloud.url), RERANK_MODEL).rerank("q", ["a", "b"])


def test_more_texts_than_the_endpoint_takes_go_in_batches(cloud: ModelCloud) -> None:
    transport = SageMakerTransport(client("sagemaker-runtime", cloud.url), "tei")
    texts = [f"text {n}" for n in range(70)]

    scores = SageMakerReranker(transport, model_id="bge", batch_size=32).rerank("text 7", texts)

    assert [len(call.json["texts"]) for call in cloud.services.calls] == [32, 32, 6]
    assert max(range(70), key=scores.__getitem__) == 7
