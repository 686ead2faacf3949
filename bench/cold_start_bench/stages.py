"""The retrieve function of the deployed stages, laid out on this machine as Lambda has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import boto3

from cognis_cdk.functions import LIBRARY_VARIABLES
from cognis_cdk.packaging import build_dependencies, host
from cognis_cdk.project import BUILD_FOLDER, CORE_LAYER, FUNCTIONS, OPENSEARCH_LOCK, SHARDS_LOCK

RUNTIME_PACKAGES = ("boto3", "botocore", "s3transfer", "jmespath", "dateutil", "six.py", "urllib3")
"""What the Lambda runtime brings."""

_VARIABLES = {
    **LIBRARY_VARIABLES,
    "AWS_ACCESS_KEY_ID": "bench",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_LAMBDA_FUNCTION_NAME": "retrieve",
    "AWS_SECRET_ACCESS_KEY": "bench",
    "AWS_XRAY_DAEMON_ADDRESS": "127.0.0.1:2000",
    "COGNIS_EMBEDDING_MODEL_ID": "amazon.titan-embed-text-v2:0",
    "COGNIS_LEDGER_TABLE": "ledger",
    "COGNIS_LOG_KEY_SECRET_ARN": "arn:aws:secretsmanager:us-east-1:000000000000:secret:log-key",
    "COGNIS_PAYLOAD_BUCKET": "payloads",
    "COGNIS_QUERY_EMBEDDING_MS": "400",
    "COGNIS_RERANK_MS": "400",
    "COGNIS_TRANSFER_BUCKET": "transfers",
    "LAMBDA_TASK_ROOT": "/var/task",
    "POWERTOOLS_METRICS_NAMESPACE": "Cognis/Memory",
    "POWERTOOLS_SERVICE_NAME": "retrieve",
    "_X_AMZN_TRACE_ID": "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage by its index: `lock` names the packages of its layer, `also` the clients beside boto3's."""

    name: str
    lock: Path
    variables: Mapping[str, str]
    also: tuple[str, ...] = ()


PROD = Stage(
    "prod",
    OPENSEARCH_LOCK,
    _VARIABLES
    | {
        "COGNIS_STAGE": "prod",
        "COGNIS_SEARCH": "opensearch",
        "COGNIS_OPENSEARCH_ENDPOINT": "https://search.example.com",
        "COGNIS_RERANK_ENDPOINT": "reranker",
    },
    also=("opensearch",),
)
PAYPERUSE = Stage(
    "payperuse",
    SHARDS_LOCK,
    _VARIABLES | {"COGNIS_STAGE": "payperuse", "COGNIS_SEARCH": "shards", "COGNIS_SHARD_BUCKET": "shards"},
)
RETRIEVING = (PROD, PAYPERUSE)


def link_runtime(folder: Path) -> None:
    """Puts the packages of the Lambda runtime into a folder, and none beside them."""
    folder.mkdir()
    installed = Path(boto3.__file__).parents[1]
    for name in RUNTIME_PACKAGES:
        (folder / name).symlink_to(installed / name)


def search_path(stage: Stage, runtime: Path) -> Sequence[Path]:
    """In Lambda's order: the function, its layers, the runtime."""
    packages = build_dependencies([stage.lock], host(), BUILD_FOLDER)
    return [FUNCTIONS / "retrieve", CORE_LAYER / "python", packages / "python", runtime]
