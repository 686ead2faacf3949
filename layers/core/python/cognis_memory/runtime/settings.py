"""What a deployment tells its processes: the variables `COGNIS_…` of their environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Final, Literal, cast

from cognis_memory.errors import ConfigurationError

_PREFIX: Final = "COGNIS_"
_PROVIDER: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")

Search = Literal["shards", "opensearch"]
_SEARCH: Final = ("shards", "opensearch")
_ENGINES: Final = ("search", "also_index")
_BUDGETS: Final = ("query_embedding_ms", "rerank_ms")
_SWITCH: Final = ("true", "false")
_GUARDRAIL: Final = re.compile(r"[^\s]+:(DRAFT|[1-9]\d{0,7})")
_OUTPUTS: Final = ("text_format", "strict_tool", "tool")

Setting = Literal[
    "ledger_table",
    "credential_table",
    "payload_bucket",
    "transfer_bucket",
    "shard_bucket",
    "search",
    "also_index",
    "opensearch_endpoint",
    "opensearch_index",
    "model_provider",
    "extraction_model_id",
    "extraction_output",
    "extraction_guardrail",
    "embedding_model_id",
    "embedding_endpoint",
    "rerank_endpoint",
    "rerank_model_arn",
    "ingestion_machine_arn",
    "erasure_machine_arn",
    "export_machine_arn",
    "import_machine_arn",
    "log_key_secret_arn",
    "models_folder",
    "snapshot_bucket",
    "snapshot_role_arn",
    "snapshots_kept",
]
"""The settings that a function has only when it needs them."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Each field is read from the variable `COGNIS_` and its name in capitals; None: not set.

    `search`: shards | opensearch. `also_index`: the other one, which is then written to as well, as while a
    deployment moves between them. `model_provider`: `module:function`, a function that makes the models
    from the environment; without one the models are those of AWS, see `runtime.aws_models`.
    `extraction_output`: text_format (also where it is not set) | strict_tool | tool. `extraction_guardrail`:
    id or ARN of a guardrail of Bedrock, a colon, and its version. `calibrations`: see
    `domain.calibration.read_calibrations`. `mask_secrets`:
    true (also where it is not set) | false. `query_embedding_ms`, `rerank_ms`: how long a search waits for
    its models; as long as their clients do where it is not set. `prices`: see
    `domain.pricing.price_list`.
    """

    stage: str
    ledger_table: str | None = None
    credential_table: str | None = None
    payload_bucket: str | None = None
    transfer_bucket: str | None = None
    shard_bucket: str | None = None
    search: Search | None = None
    also_index: Search | None = None
    opensearch_endpoint: str | None = None
    opensearch_index: str | None = None
    model_provider: str | None = None
    extraction_model_id: str | None = None
    extraction_output: str | None = None
    extraction_guardrail: str | None = None
    embedding_model_id: str | None = None
    embedding_endpoint: str | None = None
    rerank_endpoint: str | None = None
    rerank_model_arn: str | None = None
    ingestion_machine_arn: str | None = None
    erasure_machine_arn: str | None = None
    export_machine_arn: str | None = None
    import_machine_arn: str | None = None
    log_key_secret_arn: str | None = None
    models_folder: str | None = None
    snapshot_bucket: str | None = None
    snapshot_role_arn: str | None = None
    snapshots_kept: str | None = None
    mask_secrets: str | None = None
    query_embedding_ms: str | None = None
    rerank_ms: str | None = None
    prices: str | None = None
    calibrations: str | None = None
    environ: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """All of the environment, for the model provider."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Settings:
        """Raises ConfigurationError, which names the variable, for what is wrong; an empty one is not set."""
        given = {name: environ[variable(name)] for name in _NAMES if environ.get(variable(name))}
        if "stage" not in given:
            raise ConfigurationError(f"{variable('stage')} is not set")
        for name in _ENGINES:
            if given.get(name, "shards") not in _SEARCH:
                raise ConfigurationError(f"{variable(name)} is neither of {', '.join(_SEARCH)}")
        if given.get("extraction_output", "tool") not in _OUTPUTS:
            raise ConfigurationError(f"{variable('extraction_output')} is neither of {', '.join(_OUTPUTS)}")
        if "extraction_guardrail" in given and not _GUARDRAIL.fullmatch(given["extraction_guardrail"]):
            raise ConfigurationError(f"{variable('extraction_guardrail')} is not of the form id:version")
        if given.get("mask_secrets", "true") not in _SWITCH:
            raise ConfigurationError(f"{variable('mask_secrets')} is neither of {', '.join(_SWITCH)}")
        for name in _BUDGETS:
            if not given.get(name, "1").isdecimal() or given.get(name) == "0":
                raise ConfigurationError(f"{variable(name)} is no number of milliseconds")
        if "model_provider" in given and not _PROVIDER.fullmatch(given["model_provider"]):
            raise ConfigurationError(f"{variable('model_provider')} is not of the form module:function")
        engines = {name: cast("Search | None", given.pop(name, None)) for name in _ENGINES}
        return cls(**given, search=engines["search"], also_index=engines["also_index"], environ=environ)

    @property
    def masks_secrets(self) -> bool:
        return self.mask_secrets != "false"

    @property
    def paid_models(self) -> list[str]:
        """The ids of the models that are paid by the token: none of a provider, and none of an endpoint."""
        if self.model_provider is not None:
            return []
        embedding = self.embedding_model_id if self.embedding_endpoint is None else None
        return [name for name in (self.extraction_model_id, embedding) if name is not None]

    @property
    def query_embedding_seconds(self) -> float | None:
        return _seconds(self.query_embedding_ms)

    @property
    def rerank_seconds(self) -> float | None:
        return _seconds(self.rerank_ms)

    @property
    def search_engine(self) -> Search:
        """Raises ConfigurationError when it is not set."""
        if self.search is None:
            raise ConfigurationError(f"{variable('search')} is not set")
        return self.search

    def required(self, name: Setting) -> str:
        """The setting of that name. Raises ConfigurationError when this process has not got it."""
        value: str | None = getattr(self, name)
        if value is None:
            raise ConfigurationError(f"{variable(name)} is not set")
        return value


def _seconds(milliseconds: str | None) -> float | None:
    return None if milliseconds is None else int(milliseconds) / 1_000


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return _PREFIX + name.upper()


_NAMES: Final = tuple(field.name for field in fields(Settings) if field.name != "environ")

VARIABLES: Final = tuple(variable(name) for name in _NAMES)
"""Every variable that a deployment may set."""
