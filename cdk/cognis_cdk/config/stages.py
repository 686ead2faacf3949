"""The stages there are. A deployment of one's own is another entry here."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cognis_cdk.config.stage import (
    BedrockModels,
    InferenceProfile,
    LocalModels,
    RerankEndpoint,
    SearchDomain,
    SearchNode,
    StageConfig,
)
from cognis_cdk.project import MODELS_FOLDER

_BEDROCK: Final = BedrockModels(
    extraction=InferenceProfile(
        id="us.anthropic.claude-haiku-4-5-20251001-v1:0",
        model_id="anthropic.claude-haiku-4-5-20251001-v1:0",
        regions=("us-east-1", "us-east-2", "us-west-2"),
    ),
    embedding_model_id="amazon.titan-embed-text-v2:0",
)

PAYPERUSE: Final = StageConfig(name="payperuse", region="us-east-1", models=_BEDROCK)
"""Nothing that costs while nobody calls: user shards in S3, Bedrock by the token, no reranker."""

PROD: Final = replace(
    PAYPERUSE,
    name="prod",
    search=SearchDomain(
        version="2.19",
        data_node_type="r7g.large.search",
        data_nodes=2,
        availability_zones=2,
        volume_gib=100,
        master_node_type="m7g.large.search",
        master_nodes=3,
    ),
    reranker=RerankEndpoint(
        model_id="BAAI/bge-reranker-v2-m3",
        revision="953dc6f6f85a1b2dbfca4c34a2796e7dde08d41e",
        image="tei:2.0.1-tei1.8.2-gpu-py310-cu122-ubuntu22.04",
        instance_type="ml.g5.xlarge",
    ),
)
"""The reference: Amazon OpenSearch for vectors and BM25, a cross-encoder on SageMaker."""

LOCAL: Final = replace(
    PAYPERUSE,
    name="local",
    account="000000000000",
    models=LocalModels(provider="cognis_local.provider:local_models", folder=str(MODELS_FOLDER)),
    protect_data=False,
    tracing=False,
    sweep_minutes=1,
    query_embedding_ms=10_000,
    rerank_ms=10_000,
    host_runtime=True,
    omitted={
        "AWS::OpenSearchService::Domain": "the emulator's domains answer no request",
        "AWS::SageMaker::Endpoint": "the emulator does not know SageMaker",
        "AWS::SageMaker::EndpointConfig": "as the endpoint",
        "AWS::SageMaker::Model": "as the endpoint",
    },
)
"""`payperuse` on one machine, on an emulator of AWS and with models that run beside it."""

STAGES: Final = {stage.name: stage for stage in (PROD, PAYPERUSE, LOCAL)}

DEFAULT_STAGE: Final = PROD.name


def stage_config(name: str, search_node: str | None = None) -> StageConfig:
    """The stage of that name, which searches in the node of OpenSearch with that endpoint if there is one.

    Raises ValueError for an unknown stage, saying which there are, and for a node of one whose functions run
    elsewhere.
    """
    if name not in STAGES:
        raise ValueError(f"there is no stage {name!r}; there are {', '.join(STAGES)}")
    stage = STAGES[name]
    if search_node is None:
        return stage
    if not stage.host_runtime:
        raise ValueError(f"the functions of {name} do not run on this machine and reach no node of it")
    return replace(stage, search=SearchNode(search_node))
