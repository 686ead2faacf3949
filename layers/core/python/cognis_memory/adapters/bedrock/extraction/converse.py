"""Calls of Converse: how an answer of a fixed form is asked for, and how a call may end.

Shapes: ConverseRequest, ConverseResponse, OutputConfig, ToolConfiguration and StopReason in botocore's
`bedrock-runtime/2023-09-30/service-2.json`; API Reference, "Converse".
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_model_errors
from cognis_memory.errors import ContentBlocked, ExtractionFailed, ExtractionUnavailable
from cognis_memory.models.event import Usage

_NAME: Final = "extracted_facts"
_DESCRIPTION: Final = "Takes the facts that were extracted."
_OPERATION: Final = "Converse"

_CUT_OFF: Final = frozenset({"max_tokens", "model_context_window_exceeded"})
_BLOCKED: Final = {
    "guardrail_intervened": "a guardrail stopped the model",
    "content_filtered": "the model's content filter stopped it",
}
_TOO_LONG: Final = re.compile(
    r"too long|too many (?:input )?tokens|context (?:window|length)"
    r"|maximum .{0,40}tokens|exceed\w* .{0,40}token",
    re.IGNORECASE,
)
"""Models word the ValidationException of an input beyond their context each in their own way."""


class StructuredOutput(StrEnum):
    """How a model is held to a form, by what it supports (User Guide, "Get validated JSON results")."""

    TEXT_FORMAT = "text_format"
    """`outputConfig.textFormat` with a JSON schema: the answer is text."""
    STRICT_TOOL = "strict_tool"
    """A tool that must be called, `strict`: its input follows the schema."""
    TOOL = "tool"
    """A tool that must be called, of any model with tool use: its input may differ from the schema."""


@dataclass(frozen=True, slots=True)
class Guardrail:
    """A guardrail of Bedrock by id or ARN, and its version: a number, or DRAFT."""

    identifier: str
    version: str


class Truncated(Exception):
    """The call ran out of tokens, for its input or its answer: ask for less."""

    def __init__(self, usage: Usage) -> None:
        super().__init__("out of tokens")
        self.usage = usage


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said, as text, as the turn that a conversation goes on from, and what it consumed."""

    text: str
    content: list[dict[str, Any]]
    usage: Usage

    def turns_back(self, complaint: str) -> list[dict[str, Any]]:
        """The model's turn and the next of the user's, which complains of it; none for an empty answer.

        Every call of a tool gets its result, and blocks that Converse would not take back are left out.
        """
        content = [block for block in self.content if _can_be_sent(block)]
        if not content:
            return []
        said = {"text": complaint}
        calls = [block["toolUse"]["toolUseId"] for block in content if "toolUse" in block]
        results: list[dict[str, Any]] = [
            {"toolResult": {"toolUseId": call, "content": [said], "status": "error"}} for call in calls
        ]
        return [{"role": "assistant", "content": content}, {"role": "user", "content": results or [said]}]


class Converse:
    """One model with its settings. `client` is a `bedrock-runtime` client; it retries, nothing here does.

    Where the client is older than `outputConfig` (before botocore 1.42.42) the form is asked for by a tool.
    """

    def __init__(
        self,
        client: Any,
        model_id: str,
        *,
        system: str,
        schema: dict[str, Any],
        output: StructuredOutput,
        max_output_tokens: int,
        temperature: float | None,
        metadata: dict[str, str],
        guardrail: Guardrail | None = None,
    ) -> None:
        """`metadata` is what invocation logs of Bedrock can be filtered by."""
        self._client = client
        inference: dict[str, Any] = {"maxTokens": max_output_tokens}
        if temperature is not None:
            inference["temperature"] = temperature
        self._request: dict[str, Any] = {
            "modelId": model_id,
            "system": [{"text": system}],
            "inferenceConfig": inference,
            "requestMetadata": metadata,
            **_form(schema, output if _knows_forms(client) else StructuredOutput.TOOL),
        }
        if guardrail is not None:
            self._request["guardrailConfig"] = {
                "guardrailIdentifier": guardrail.identifier,
                "guardrailVersion": guardrail.version,
            }

    def ask(self, turns: Sequence[dict[str, Any]]) -> Reply:
        """The answer to a conversation. An answer of another kind than asked for is a Reply without text.

        Raises Truncated, ContentBlocked, ExtractionUnavailable, ExtractionFailed, or ConfigurationError where
        the model does not exist or the role may not call it.
        """
        with translated_model_errors(_OPERATION, ExtractionUnavailable, ExtractionFailed):
            try:
                response = self._client.converse(**self._request, messages=list(turns))
            except ClientError as error:
                if _is_too_long(error):
                    raise Truncated(Usage(llm_calls=1)) from None
                raise
        return _reply(response)


def _knows_forms(client: Any) -> bool:
    operation = client.meta.service_model.operation_model(_OPERATION)
    return "outputConfig" in operation.input_shape.members


def _form(schema: dict[str, Any], output: StructuredOutput) -> dict[str, Any]:
    if output is StructuredOutput.TEXT_FORMAT:
        json_schema = {"schema": json.dumps(schema), "name": _NAME}
        return {
            "outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": json_schema}}}
        }
    tool: dict[str, Any] = {"name": _NAME, "description": _DESCRIPTION, "inputSchema": {"json": schema}}
    if output is StructuredOutput.STRICT_TOOL:
        tool["strict"] = True
    return {"toolConfig": {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": _NAME}}}}


def _is_too_long(error: ClientError) -> bool:
    message = error.response.get("Error", {}).get("Message", "")
    return error_code(error) == "ValidationException" and _TOO_LONG.search(message) is not None


def _reply(response: dict[str, Any]) -> Reply:
    consumed = response.get("usage", {})
    usage = Usage(
        llm_calls=1,
        input_tokens=consumed.get("inputTokens", 0),
        output_tokens=consumed.get("outputTokens", 0),
    )
    reason = response.get("stopReason", "")
    if reason in _BLOCKED:
        blocked = ContentBlocked(f"{_OPERATION}: {_BLOCKED[reason]}")
        blocked.consumed = usage.calls
        raise blocked
    if reason in _CUT_OFF:
        raise Truncated(usage)
    content = response.get("output", {}).get("message", {}).get("content", [])
    return Reply(_text(content), content, usage)


def _text(content: Sequence[dict[str, Any]]) -> str:
    """The tool's input, as JSON, or all text; blocks of reasoning are neither.

    Inputs of several calls are a list, which is no answer: none of them is dropped.
    """
    inputs = [block["toolUse"].get("input") for block in content if "toolUse" in block]
    if inputs:
        return json.dumps(inputs[0] if len(inputs) == 1 else inputs)
    return "".join(block.get("text", "") for block in content)


def _can_be_sent(block: dict[str, Any]) -> bool:
    """Blank text is refused, and kinds of blocks that this client does not know cannot be written."""
    return bool(block.get("text", "").strip()) or "toolUse" in block or "reasoningContent" in block
