"""The configuration of one stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from cognis_memory.adapters.opensearch.names import DEFAULT_INDEX
from cognis_memory.domain.calibration import Calibrations

LogDays = Literal[7, 14, 30, 90, 365]


@dataclass(frozen=True, slots=True)
class UserShards:
    """A small index for each user, in the stage's own bucket."""


@dataclass(frozen=True, slots=True)
class SearchDomain:
    """An Amazon OpenSearch domain. `volume_gib` is each data node's; zones are 2 or 3.

    A snapshot of the index is taken every `snapshot_hours`, and the last `snapshots_kept` stay.
    """

    version: str
    data_node_type: str
    data_nodes: int
    availability_zones: int
    volume_gib: int
    master_node_type: str | None = None
    master_nodes: int = 0
    snapshot_hours: int = 24
    snapshots_kept: int = 14


@dataclass(frozen=True, slots=True)
class SearchNode:
    """A node of OpenSearch that already runs, on the machine that the functions run on.

    `endpoint` is a URL such as http://127.0.0.1:9200; requests to it are not signed.
    """

    endpoint: str


Search = UserShards | SearchDomain | SearchNode


@dataclass(frozen=True, slots=True)
class InferenceProfile:
    """A Bedrock model called through a cross-region profile; `regions` are those it may be answered from.

    structured_output: what holds the model to a form, see `adapters.bedrock.extraction.StructuredOutput`.
    """

    id: str
    model_id: str
    regions: tuple[str, ...]
    structured_output: Literal["text_format", "strict_tool", "tool"] = "text_format"


@dataclass(frozen=True, slots=True)
class Guardrail:
    """A guardrail of Bedrock in the stage's account and region; `version` is a number, or DRAFT."""

    id: str
    version: str


@dataclass(frozen=True, slots=True)
class BedrockModels:
    """Extraction through a profile, embeddings by a model of the stage's own region.

    embedding_endpoint: the name of a SageMaker endpoint with Text Embeddings Inference that serves the
    embedding model in place of Bedrock. rerank_model_id: a model of Bedrock's Rerank, for a stage without a
    reranker of its own. guardrail: looks at what extraction asks and answers.
    """

    extraction: InferenceProfile
    embedding_model_id: str
    embedding_endpoint: str | None = None
    rerank_model_id: str | None = None
    guardrail: Guardrail | None = None


@dataclass(frozen=True, slots=True)
class LocalModels:
    """`provider` is `module:function` and makes the models; `folder` holds their process's state."""

    provider: str
    folder: str


@dataclass(frozen=True, slots=True)
class RerankEndpoint:
    """A SageMaker endpoint of Text Embeddings Inference; the model is pinned to a commit of its hub.

    `image` is repository and tag in the registry of the stage's region.
    """

    model_id: str
    revision: str
    image: str
    instance_type: str
    instances: int = 1


@dataclass(frozen=True, slots=True)
class ApiLimits:
    """Requests per second, and how many may come at once beyond that, of the whole stage."""

    rate: int = 100
    burst: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class StageConfig:
    """Everything that a stack has to know about the stage it is part of.

    account: None for whichever deploys. also_index: what is written to beside `search`, while the stage moves
    from one to the other. search_index: what names of indexes in OpenSearch begin with. reranker: None for
    none, or one of the models' own. protect_data: tables and buckets outlive their stack, tables are backed
    up and refuse deletion. mask_secrets: before anything is stored. query_embedding_ms, rerank_ms: how long a
    search waits for its models before it goes on without them. prices: of models by their ids, US dollars for
    a million tokens in and out, beside those that Cognis knows. calibrations: what scores mean with the
    stage's models, as `bench/calibration.py --aws` fits them; None for a guess. alarm_latency_ms: of the
    99th percentile. alarm_emails: who is told. host_runtime: functions run by the interpreter of this
    machine. omitted: the resource types of `prod` that are left out, and why. Raises ValueError for two
    indexes of a kind.
    """

    name: str
    region: str
    account: str | None = None
    models: BedrockModels | LocalModels
    search: Search = UserShards()
    also_index: Search | None = None
    search_index: str = DEFAULT_INDEX
    reranker: RerankEndpoint | None = None
    api_limits: ApiLimits = ApiLimits()
    protect_data: bool = True
    tracing: bool = True
    log_level: str = "INFO"
    log_days: LogDays = 30
    sweep_minutes: int = 5
    query_embedding_ms: int = 1_000
    rerank_ms: int = 400
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    calibrations: Calibrations | None = None
    alarm_latency_ms: int = 770
    alarm_emails: tuple[str, ...] = ()
    mask_secrets: bool = True
    host_runtime: bool = False
    omitted: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len({isinstance(index, UserShards) for index in self.indexes}) < len(self.indexes):
            raise ValueError("a stage moves between user shards and OpenSearch, not within either")

    @property
    def indexes(self) -> tuple[Search, ...]:
        """All that is written to; the first is searched in."""
        return (self.search,) if self.also_index is None else (self.search, self.also_index)

    @property
    def prefix(self) -> str:
        """What the names of stacks and state machines begin with."""
        return f"cognis-{self.name}"
