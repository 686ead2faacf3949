"""What differs between deployments, as typed and frozen values."""

from cognis_cdk.config.stage import (
    ApiLimits,
    BedrockModels,
    Guardrail,
    InferenceProfile,
    LocalModels,
    RerankEndpoint,
    Search,
    SearchDomain,
    SearchNode,
    StageConfig,
    UserShards,
)
from cognis_cdk.config.stages import STAGES, stage_config

__all__ = [
    "STAGES",
    "ApiLimits",
    "BedrockModels",
    "Guardrail",
    "InferenceProfile",
    "LocalModels",
    "RerankEndpoint",
    "Search",
    "SearchDomain",
    "SearchNode",
    "StageConfig",
    "UserShards",
    "stage_config",
]
