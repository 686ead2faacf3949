"""A request for extraction as a model reads it.

Every text of a user is a JSON string within a tag, its angle brackets and line ends escaped, so that no text
can close the tag around it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

from cognis_memory.adapters.bedrock.extraction.pieces import Piece
from cognis_memory.models.extraction import ExtractedFact, ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message

MAX_CONTEXT_CHARACTERS: Final = 1_000
"""Of a memory, a turn before or a fact noted: enough to know it by."""

MAX_INSTRUCTIONS_CHARACTERS: Final = 2_000
"""As many as a request may have."""

TURNS_BEFORE: Final = 4
"""The last of those that are shown: the request's own, and of a request in parts those of the part before."""

NOTED_FACTS: Final = 40
"""The last of those that earlier parts of a request gave."""

_ESCAPED: Final = {ord(character): f"\\u{ord(character):04x}" for character in "<>\x85\u2028\u2029"}
"""What would end a tag or a line, and JSON lets stand in a string as it is."""


def render(request: ExtractionRequest, pieces: Sequence[Piece], noted: Sequence[ExtractedFact]) -> str:
    """The user's turn of the prompt: memories, turns before, facts noted so far, messages, instructions."""
    before = [*request.turns_before, *request.messages[: pieces[0].index]][-TURNS_BEFORE:]
    wishes = [{"text": (request.instructions or "")[:MAX_INSTRUCTIONS_CHARACTERS]}]
    sections = {
        "memories": map(_memory, request.similar),
        "before": map(_turn, before),
        "noted": ({"content": _bounded(fact.content)} for fact in noted[-NOTED_FACTS:]),
        "messages": (_message(request.messages[piece.index], piece) for piece in pieces),
        "wishes": wishes if request.instructions else [],
    }
    return "\n".join(_section(tag, lines) for tag, lines in sections.items())


def _section(tag: str, lines: Iterable[dict[str, Any]]) -> str:
    return "\n".join((f"<{tag}>", *map(_line, lines), f"</{tag}>"))


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False).translate(_ESCAPED)


def _memory(memory: LabelledMemory) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "label": memory.label,
        "content": _bounded(memory.content),
        "category": memory.category.value,
        "subject": memory.subject,
        "slot": memory.slot,
    }
    if memory.timestamp is not None:
        shown["date"] = memory.timestamp.date().isoformat()
    marks = {"retracts": memory.retracts, "retracted": memory.retracted}
    return shown | {name: True for name, is_set in marks.items() if is_set}


def _turn(message: Message) -> dict[str, Any]:
    return {"speaker": message.speaker, "role": message.role.value, "text": _bounded(message.content)}


def _message(message: Message, piece: Piece) -> dict[str, Any]:
    local = message.timestamp.astimezone(ZoneInfo(message.timezone))
    shown: dict[str, Any] = {
        "message": piece.index,
        "time": local.replace(tzinfo=None).isoformat(timespec="minutes"),
        "weekday": f"{local:%A}",
        "speaker": message.speaker,
        "role": message.role.value,
        "text": piece.text,
    }
    if piece.text != message.content:
        shown["part"] = True
    return shown


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_CONTEXT_CHARACTERS else text[:MAX_CONTEXT_CHARACTERS] + "…"
