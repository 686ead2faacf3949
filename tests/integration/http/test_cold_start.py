"""What a new process of a function loads before it answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

SCRIPT = """
import json, os, sys
sys.path[:0] = json.loads(sys.argv[1])
os.environ |= {"POWERTOOLS_TRACE_DISABLED": "true"}
import boto3
made = []
boto3.client = lambda *arguments, **options: made.append(arguments)
from functions.FUNCTION.handler import handle
RUN
print(json.dumps({"modules": sorted(sys.modules), "clients": made, "answer": answer}))
"""


WIRED = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from functions.retrieve.handler import handle
from cognis_memory.runtime.wiring import deployment
assert deployment().retrieval and deployment().user_hash
print(json.dumps({"modules": sorted(sys.modules)}))
"""

DEPLOYED = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "COGNIS_EMBEDDING_MODEL_ID": "amazon.titan-embed-text-v2:0",
    "COGNIS_LEDGER_TABLE": "ledger",
    "COGNIS_LOG_KEY_SECRET_ARN": "arn:aws:secretsmanager:us-east-1:000000000000:secret:log-key",
    "COGNIS_OPENSEARCH_ENDPOINT": "https://search.example.com",
    "COGNIS_RERANK_ENDPOINT": "reranker",
    "COGNIS_SHARD_BUCKET": "shards",
    "COGNIS_STAGE": "test",
    "POWERTOOLS_TRACE_DISABLED": "true",
}

NOT_FOR_SEARCHES = (
    "cognis_local",
    "cognis_memory.adapters.bedrock.extraction",
    "cognis_memory.domain.categories",
    "cognis_memory.domain.operations",
    "cognis_memory.domain.secrets",
    "cognis_memory.domain.versions",
    "cognis_memory.models.extraction",
    "cognis_memory.models.transfer",
    "cognis_memory.runtime.http.ingest",
    "cognis_memory.runtime.http.openapi",
    "cognis_memory.services.ingestion",
)
"""What writing needs, and reading the OpenAPI document."""

OTHER_INDEX = {
    "opensearch": ("apsw", "cognis_memory.adapters.shards"),
    "shards": ("cognis_memory.adapters.opensearch", "opensearchpy", "requests"),
}
"""By the index that is searched in."""


def loaded(function: str, run: str = "answer = None") -> dict[str, object]:
    return told(SCRIPT.replace("FUNCTION", function).replace("RUN", run), os.environ)


def told(script: str, environment: Mapping[str, str]) -> dict[str, object]:
    """What a new process with that environment says."""
    command = [sys.executable, "-c", script, json.dumps(sys.path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_authorizer_loads_nothing_heavy() -> None:
    modules = loaded("authorizer")["modules"]
    assert isinstance(modules, list)

    assert not {"numpy", "pydantic", "apsw", "aws_lambda_powertools"} & set(modules)


@pytest.mark.parametrize("function", ["ingest", "retrieve"])
def test_importing_a_function_opens_nothing(function: str) -> None:
    found = loaded(function)
    modules = found["modules"]
    assert isinstance(modules, list)

    assert found["clients"] == []
    assert "apsw" not in modules


@pytest.mark.parametrize("search", OTHER_INDEX)
def test_a_function_ready_to_search_has_loaded_nothing_that_only_others_need(search: str) -> None:
    modules = told(WIRED, DEPLOYED | {"COGNIS_SEARCH": search})["modules"]
    assert isinstance(modules, list)

    idle = (*NOT_FOR_SEARCHES, *OTHER_INDEX[search])
    assert [name for name in modules if f"{name}.".startswith(tuple(f"{part}." for part in idle))] == []


def test_health_wakes_no_dependency() -> None:
    """Without a single setting: whatever would be opened could not be."""
    event = {
        "resource": "/v1/health",
        "path": "/v1/health",
        "httpMethod": "GET",
        "headers": {},
        "multiValueHeaders": {},
        "requestContext": {"requestId": "r1", "stage": "test", "path": "/test/v1/health"},
        "isBase64Encoded": False,
    }
    found = loaded("retrieve", f"answer = handle({event!r}, None)")
    answer = found["answer"]
    assert isinstance(answer, dict)

    assert (answer["statusCode"], found["clients"]) == (200, [])
