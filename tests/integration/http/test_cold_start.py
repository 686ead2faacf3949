"""What a new process of a function loads before it answers."""

from __future__ import annotations

import json
import subprocess
import sys

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


def loaded(function: str, run: str = "answer = None") -> dict[str, object]:
    script = SCRIPT.replace("FUNCTION", function).replace("RUN", run)
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(sys.path)], capture_output=True, text=True, check=True
    )
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
