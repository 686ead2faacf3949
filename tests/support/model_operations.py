"""How each operation of AWS' models is called in the product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from aws_clients import Service
from chats import asking

from cognis_local.model_services import Operation
from cognis_memory.adapters.bedrock.embedder import TitanEmbedder
from cognis_memory.adapters.bedrock.extraction import BedrockExtractor
from cognis_memory.adapters.bedrock.reranker import BedrockReranker
from cognis_memory.adapters.sagemaker import SageMakerEmbedder, SageMakerTransport

SECRET = "swordfish"
"""A user's text."""

RERANK_MODEL = "arn:aws:bedrock:eu-central-1::foundation-model/amazon.rerank-v1:0"


class Way(NamedTuple):
    """A service, and a call of it by its client."""

    service: Service
    call: Callable[[Any], object]


WAYS = {
    Operation.CONVERSE: Way(
        "bedrock-runtime", lambda made: BedrockExtractor(made, "model").extract(asking(SECRET))
    ),
    Operation.INVOKE_MODEL: Way("bedrock-runtime", lambda made: TitanEmbedder(made).embed([SECRET])),
    Operation.RERANK: Way(
        "bedrock-agent-runtime", lambda made: BedrockReranker(made, RERANK_MODEL).rerank("q", [SECRET])
    ),
    Operation.INVOKE_ENDPOINT: Way(
        "sagemaker-runtime",
        lambda made: SageMakerEmbedder(SageMakerTransport(made, "tei"), "model").embed([SECRET]),
    ),
}
