"""Reads the prompt of `adapters.bedrock.extraction` back into a request, for what is no language model."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any, Final

from cognis_local.model_services.calls import Call
from cognis_memory.models.extraction import ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Role

_SECTION: Final = re.compile(r"^<(?P<tag>\w+)>\n(?P<lines>(?:\{.*\}\n)*)</(?P=tag)>$", re.MULTILINE)
_SOME_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)


def read_prompt(call: Call) -> tuple[ExtractionRequest, list[int]]:
    """The request in the first turn of a Converse call, and each message's number in the prompt.

    Local times of the prompt stand for UTC, so that what is answered in UTC is local again.
    """
    text = call.json["messages"][0]["content"][0]["text"]
    sections = {
        found["tag"]: list(map(json.loads, found["lines"].split("\n")[:-1]))
        for found in _SECTION.finditer(text)
    }
    messages = sections["messages"]
    wishes = sections.get("wishes", [])
    request = ExtractionRequest(
        messages=tuple(_message(line, number) for number, line in enumerate(messages)),
        turns_before=tuple(_message(line, number) for number, line in enumerate(sections.get("before", []))),
        similar=tuple(map(_memory, sections.get("memories", []))),
        instructions=wishes[0]["text"] if wishes else None,
    )
    return request, [line["message"] for line in messages]


def _message(line: dict[str, Any], position: int) -> Message:
    moment = datetime.fromisoformat(line["time"]).replace(tzinfo=UTC) if "time" in line else _SOME_TIME
    return Message(
        id=f"msg_{position}",
        tenant_id="prompt",
        user_id="prompt",
        event_id="prompt",
        position=position,
        role=Role(line["role"]),
        speaker=line["speaker"],
        content=line["text"],
        timestamp=moment,
        created_at=moment,
    )


def _memory(line: dict[str, Any]) -> LabelledMemory:
    return LabelledMemory(
        label=line["label"],
        content=line["content"],
        category=Category(line["category"]),
        subject=line["subject"],
        slot=line["slot"],
        timestamp=datetime.fromisoformat(line["date"]).replace(tzinfo=UTC) if "date" in line else None,
        retracts=line.get("retracts", False),
        retracted=line.get("retracted", False),
    )
