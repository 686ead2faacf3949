"""Answers in the forms of AWS: results, and errors as its JSON services name them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cognis_local.model_services.calls import Call

_JSON: Final = "application/json"

CHARACTERS_PER_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class Reply:
    """`delay_seconds` before anything is sent; after `sent` bytes of the body the connection is cut."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    sent: int | None = None


def json_reply(payload: object) -> Reply:
    return Reply(200, json.dumps(payload).encode(), {"Content-Type": _JSON})


def error_reply(status: int, code: str, message: str = "refused", **members: object) -> Reply:
    """An error of AWS' REST-JSON protocol: its name in a header, its members in the body."""
    body = json.dumps({"message": message, "Message": message, **members}).encode()
    return Reply(status, body, {"Content-Type": _JSON, "x-amzn-ErrorType": code})


def converse_reply(call: Call, text: str, *, stop_reason: str | None = None) -> Reply:
    """The model's answer as text, or as the input of the tool that the call asks for.

    Text that is no JSON object stays text. Tokens are counted by the character.
    """
    content: list[dict[str, Any]] = [{"text": text}] if text else []
    reason, tool = "end_turn", call.tool
    if tool is not None and (given := _object(text)) is not None:
        content = [{"toolUse": {"toolUseId": "tool-1", "name": tool, "input": given}}]
        reason = "tool_use"
    return converse_content(call, content, stop_reason=stop_reason or reason, characters=len(text))


def converse_content(
    call: Call, content: Sequence[dict[str, Any]], *, stop_reason: str, characters: int = 0
) -> Reply:
    """A ConverseResponse with these blocks."""
    tokens = {
        "inputTokens": len(call.body) // CHARACTERS_PER_TOKEN,
        "outputTokens": characters // CHARACTERS_PER_TOKEN,
    }
    return json_reply(
        {
            "output": {"message": {"role": "assistant", "content": list(content)}},
            "stopReason": stop_reason,
            "usage": tokens | {"totalTokens": sum(tokens.values())},
            "metrics": {"latencyMs": 1},
        }
    )


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
