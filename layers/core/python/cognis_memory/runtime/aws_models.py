"""The models of AWS that the settings name: each is imported and made when it is first asked for."""

# ruff: noqa: PLC0415 - each property imports what it opens

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from cognis_memory.adapters.aws.clients import Service, aws_client
from cognis_memory.domain.calibration import Calibration, Calibrations, read_calibrations
from cognis_memory.errors import ConfigurationError
from cognis_memory.runtime.settings import Settings, variable

if TYPE_CHECKING:
    from cognis_memory.ports import Embedder, Extractor, Reranker

CONNECT_SECONDS: Final = 1.0

EXTRACTION_READ_SECONDS: Final = 50.0
EXTRACTION_ATTEMPTS: Final = 2
"""What still fails then is repeated by the state machine."""

EMBEDDING_READ_SECONDS: Final = 5.0
EMBEDDING_ATTEMPTS: Final = 3

QUERY_EMBEDDING_SECONDS: Final = 1.0
QUERY_EMBEDDING_ATTEMPTS: Final = 2
RERANK_SECONDS: Final = 1.0
RERANK_ATTEMPTS: Final = 1
"""Where the settings name no budget. A search whose budget is spent goes on without: no attempt is longer."""

_RANKED: Final = Calibration(bias=-2.5, cosine=1.0, lexical=0.5, rerank=5.0, threshold=0.12)
_UNRANKED: Final = Calibration(bias=-3.0, cosine=6.0, lexical=2.5, rerank=0.0, threshold=0.14)

AWS_CALIBRATIONS: Final = Calibrations(
    spaced=_RANKED, cjk=_RANKED, spaced_unranked=_UNRANKED, cjk_unranked=_UNRANKED
)
"""A first guess, not a measurement: `bench/calibration.py --aws` fits those of a deployment's models.
Thresholds are low, so that a wrong guess shows too much rather than too little; see `docs/models.md`."""


class AwsModels:
    """A `ModelSet`. Raises ConfigurationError, which names the variable, where a model is not set.

    Extraction is Bedrock's. Embeddings are those of a SageMaker endpoint where one is set, or else of Titan
    on Bedrock. The reranker is a SageMaker endpoint, or else a model of Bedrock's Rerank, or there is none.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def extractor(self) -> Extractor:
        from cognis_memory.adapters.bedrock.extraction import BedrockExtractor, Guardrail, StructuredOutput

        client = aws_client(
            "bedrock-runtime",
            connect_seconds=CONNECT_SECONDS,
            read_seconds=EXTRACTION_READ_SECONDS,
            attempts=EXTRACTION_ATTEMPTS,
        )
        identifier, _, version = (self._settings.extraction_guardrail or "").rpartition(":")
        return BedrockExtractor(
            client,
            self._settings.required("extraction_model_id"),
            output=StructuredOutput(self._settings.extraction_output or StructuredOutput.TEXT_FORMAT),
            guardrail=Guardrail(identifier, version) if identifier else None,
        )

    @cached_property
    def embedder(self) -> Embedder:
        return self._embedder("document")

    @cached_property
    def query_embedder(self) -> Embedder:
        return self._embedder("query")

    @cached_property
    def reranker(self) -> Reranker | None:
        endpoint, model_arn = self._settings.rerank_endpoint, self._settings.rerank_model_arn
        if endpoint is not None:
            from cognis_memory.adapters.sagemaker import SageMakerReranker, SageMakerTransport

            client = self._reranking_client("sagemaker-runtime")
            return SageMakerReranker(SageMakerTransport(client, endpoint), model_id=f"sagemaker/{endpoint}")
        if model_arn is not None:
            from cognis_memory.adapters.bedrock.reranker import BedrockReranker

            return BedrockReranker(self._reranking_client("bedrock-agent-runtime"), model_arn)
        return None

    @cached_property
    def calibrations(self) -> Calibrations:
        """Those that the settings give, or else AWS_CALIBRATIONS."""
        given = self._settings.calibrations
        if given is None:
            return AWS_CALIBRATIONS
        try:
            return read_calibrations(given)
        except ValueError as error:
            raise ConfigurationError(f"{variable('calibrations')}: {error}") from None

    def _embedder(self, role: Literal["document", "query"]) -> Embedder:
        model = self._settings.required("embedding_model_id")
        endpoint = self._settings.embedding_endpoint
        if endpoint is None:
            from cognis_memory.adapters.bedrock.embedder import TitanEmbedder

            return TitanEmbedder(self._embedding_client("bedrock-runtime", role), model)
        from cognis_memory.adapters.sagemaker import SageMakerEmbedder, SageMakerTransport

        client = self._embedding_client("sagemaker-runtime", role)
        return SageMakerEmbedder(SageMakerTransport(client, endpoint), model, role=role)

    def _embedding_client(self, service: Service, role: Literal["document", "query"]) -> Any:
        if role == "document":
            return aws_client(
                service,
                connect_seconds=CONNECT_SECONDS,
                read_seconds=EMBEDDING_READ_SECONDS,
                attempts=EMBEDDING_ATTEMPTS,
            )
        seconds = self._settings.query_embedding_seconds or QUERY_EMBEDDING_SECONDS
        return _abandoned_client(service, seconds, QUERY_EMBEDDING_ATTEMPTS)

    def _reranking_client(self, service: Service) -> Any:
        seconds = self._settings.rerank_seconds or RERANK_SECONDS
        return _abandoned_client(service, seconds, RERANK_ATTEMPTS)


def _abandoned_client(service: Service, seconds: float, attempts: int) -> Any:
    """Of a model that a search waits for no longer than this: nor does a thread that is left behind."""
    connect = min(CONNECT_SECONDS, seconds)
    return aws_client(
        service, connect_seconds=connect, read_seconds=seconds, attempts=attempts, abandoned=True
    )
