"""The models of AWS that the settings name: each is imported and made when it is first asked for."""

# ruff: noqa: PLC0415 - each property imports what it opens

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

import boto3
from botocore.config import Config

from cognis_memory.domain.calibration import Calibration, Calibrations
from cognis_memory.runtime.settings import Settings

if TYPE_CHECKING:
    from cognis_memory.adapters.sagemaker import SageMakerEmbedder
    from cognis_memory.ports import Embedder, Extractor, Reranker

_Service = Literal["bedrock-runtime", "bedrock-agent-runtime", "sagemaker-runtime"]

EXTRACTION_READ_SECONDS: Final = 50
EXTRACTION_ATTEMPTS: Final = 2
"""A call and its repetition stay within the lease of two minutes; the state machine repeats the rest."""

EMBEDDING_READ_SECONDS: Final = 5
EMBEDDING_ATTEMPTS: Final = 3

RERANK_READ_SECONDS: Final = 1
RERANK_ATTEMPTS: Final = 1
"""A search waits for less, and goes on without."""

_RANKED: Final = Calibration(bias=-2.5, cosine=1.0, lexical=0.5, rerank=5.0, threshold=0.12)
_UNRANKED: Final = Calibration(bias=-3.0, cosine=6.0, lexical=2.5, rerank=0.0, threshold=0.14)

AWS_CALIBRATIONS: Final = Calibrations(
    spaced=_RANKED, cjk=_RANKED, spaced_unranked=_UNRANKED, cjk_unranked=_UNRANKED
)
"""A first guess, not a measurement: a fit by `bench/calibration.py` takes the models. Thresholds are low, so
that a wrong guess shows too much rather than too little; see `docs/models.md`."""


class AwsModels:
    """A `ModelSet`. Raises ConfigurationError, which names the variable, where a model is not set.

    Extraction is Bedrock's. Embeddings are those of a SageMaker endpoint where one is set, or else of Titan
    on Bedrock. The reranker is a SageMaker endpoint, or else a model of Bedrock's Rerank, or there is none.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def extractor(self) -> Extractor:
        from cognis_memory.adapters.bedrock.extraction import BedrockExtractor, StructuredOutput

        client = _client("bedrock-runtime", EXTRACTION_READ_SECONDS, EXTRACTION_ATTEMPTS)
        output = StructuredOutput(self._settings.extraction_output or StructuredOutput.TEXT_FORMAT)
        return BedrockExtractor(client, self._settings.required("extraction_model_id"), output=output)

    @cached_property
    def embedder(self) -> Embedder:
        if self._settings.embedding_endpoint is not None:
            return self._of_endpoint("document")
        from cognis_memory.adapters.bedrock.embedder import TitanEmbedder

        client = _client("bedrock-runtime", EMBEDDING_READ_SECONDS, EMBEDDING_ATTEMPTS)
        return TitanEmbedder(client, self._settings.required("embedding_model_id"))

    @cached_property
    def query_embedder(self) -> Embedder:
        return self.embedder if self._settings.embedding_endpoint is None else self._of_endpoint("query")

    @cached_property
    def reranker(self) -> Reranker | None:
        endpoint, model_arn = self._settings.rerank_endpoint, self._settings.rerank_model_arn
        if endpoint is not None:
            from cognis_memory.adapters.sagemaker import SageMakerReranker, SageMakerTransport

            client = _client("sagemaker-runtime", RERANK_READ_SECONDS, RERANK_ATTEMPTS)
            return SageMakerReranker(SageMakerTransport(client, endpoint), model_id=f"sagemaker/{endpoint}")
        if model_arn is not None:
            from cognis_memory.adapters.bedrock.reranker import BedrockReranker

            client = _client("bedrock-agent-runtime", RERANK_READ_SECONDS, RERANK_ATTEMPTS)
            return BedrockReranker(client, model_arn)
        return None

    @property
    def calibrations(self) -> Calibrations:
        return AWS_CALIBRATIONS

    def _of_endpoint(self, role: Literal["document", "query"]) -> SageMakerEmbedder:
        from cognis_memory.adapters.sagemaker import SageMakerEmbedder, SageMakerTransport

        client = _client("sagemaker-runtime", EMBEDDING_READ_SECONDS, EMBEDDING_ATTEMPTS)
        transport = SageMakerTransport(client, self._settings.required("embedding_endpoint"))
        return SageMakerEmbedder(transport, self._settings.required("embedding_model_id"), role=role)


def _client(service: _Service, read_seconds: float, attempts: int) -> Any:
    """A client with retries of botocore's `standard` mode, which `docs/models.md` tells error by error."""
    retries: Any = {"mode": "standard", "total_max_attempts": attempts}
    return boto3.client(service, config=Config(connect_timeout=1, read_timeout=read_seconds, retries=retries))
