"""Requests as they come from clients of AWS: told apart by their paths."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final
from urllib.parse import unquote


class Operation(StrEnum):
    """Of `bedrock-runtime`, `bedrock-agent-runtime` and `sagemaker-runtime`."""

    CONVERSE = "Converse"
    INVOKE_MODEL = "InvokeModel"
    RERANK = "Rerank"
    INVOKE_ENDPOINT = "InvokeEndpoint"


_PATHS: Final = {
    Operation.CONVERSE: re.compile(r"/model/(?P<target>[^/]+)/converse"),
    Operation.INVOKE_MODEL: re.compile(r"/model/(?P<target>[^/]+)/invoke"),
    Operation.RERANK: re.compile(r"/(?P<target>rerank)"),
    Operation.INVOKE_ENDPOINT: re.compile(r"/endpoints/(?P<target>[^/]+)/invocations"),
}
"""`requestUri` of each in botocore's service models."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request; `target` is the model's id or the endpoint's name."""

    operation: Operation
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """Raises ValueError for a body that is no JSON object."""
        value = json.loads(self.body)
        if not isinstance(value, dict):
            raise ValueError("the body is not a JSON object")
        return value

    @property
    def tool(self) -> str | None:
        """The tool that a Converse must answer by; None where it asks for text."""
        tools = self.json.get("toolConfig", {}).get("tools", [])
        name: str | None = tools[0]["toolSpec"]["name"] if tools else None
        return name


def parse_call(path: str, headers: Mapping[str, str], body: bytes) -> Call | None:
    """None for a path of none of the operations."""
    for operation, pattern in _PATHS.items():
        if found := pattern.fullmatch(path):
            return Call(operation, unquote(found["target"]), headers, body)
    return None
