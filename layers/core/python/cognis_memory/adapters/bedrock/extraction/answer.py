"""Reads what a model answered: facts that can be used as they are, or the faults that stand against it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from cognis_memory.adapters.bedrock.extraction.local_times import span_of
from cognis_memory.adapters.bedrock.extraction.pieces import Piece
from cognis_memory.adapters.bedrock.extraction.schema import Answer, AnsweredFact
from cognis_memory.domain.language import CJK, Language, detect_language
from cognis_memory.models.extraction import ExtractedFact
from cognis_memory.models.message import Message
from cognis_memory.models.values import Operation

MAX_FAULTS: Final = 10
"""Shown to the model; more do not help it."""

_FENCE: Final = re.compile(r"\A\s*```(?:json)?[ \t]*\n(?P<inside>.*?)\n?```\s*\Z", re.DOTALL | re.IGNORECASE)


class AnswerFault(Exception):
    """The answer cannot be used. `faults` name fields and numbers of the prompt, and quote no text."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(f"{len(faults)} faults, the first: {faults[0]}")
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Asked:
    """What an answer is held to: the messages, those pieces of them that were shown, and the labels."""

    messages: Sequence[Message]
    pieces: Sequence[Piece]
    labels: Collection[int]


def read_answer(text: str, asked: Asked, *, any_language: bool = False) -> list[ExtractedFact]:
    """The facts in the order of the answer.

    JSON in a Markdown fence is read as if it stood alone. Raises AnswerFault. A fact in another language
    than its message is a fault, too, unless `any_language`: it is awkward and not wrong.
    """
    fenced = _FENCE.match(text)
    try:
        answer = Answer.model_validate_json(fenced["inside"] if fenced else text)
    except ValidationError as error:
        raise AnswerFault([_described(fault["loc"], fault["msg"]) for fault in error.errors()]) from None
    facts: list[ExtractedFact] = []
    faults: list[str] = []
    for number, answered in enumerate(answer.facts):
        found = _faults(answered, asked, any_language=any_language)
        faults += [f"facts[{number}].{fault}" for fault in found]
        if not found:
            facts.append(_fact(answered, asked.messages[answered.message]))
    if faults:
        raise AnswerFault(faults)
    return facts


def _described(location: Sequence[int | str], message: str) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return f"{path.lstrip('.') or 'the answer'}: {message}"


def _faults(fact: AnsweredFact, asked: Asked, *, any_language: bool) -> list[str]:
    shown = {piece.index for piece in asked.pieces}
    if fact.message not in shown:
        return [f"message: {fact.message} is none of the messages {_listed(shown)}"]
    faults = [fault for fault in (_label_fault(fact, asked.labels),) if fault]
    try:
        span_of(fact.from_, fact.to, asked.messages[fact.message].timezone)
    except ValueError as error:
        faults.append(f"from, to: {error}")
    if not any_language and _is_foreign(fact, asked.messages[fact.message]):
        faults.append("content: is in another language than its message")
    return faults


def _label_fault(fact: AnsweredFact, labels: Collection[int]) -> str | None:
    """DELETE may go without a label: then what it retracts is not held."""
    if fact.operation is Operation.ADD:
        return None if fact.label is None else "label: ADD has none, use null or another operation"
    if fact.label is None:
        return None if fact.operation is Operation.DELETE else f"label: {fact.operation.value} needs one"
    return None if fact.label in labels else f"label: {fact.label} is none of {_listed(labels)}"


def _listed(numbers: Collection[int]) -> str:
    return ", ".join(map(str, sorted(numbers))) or "none, as no memory was given"


def _is_foreign(fact: AnsweredFact, message: Message) -> bool:
    """Whether a new content is in a language that its message is not in: told by script, so not French."""
    if fact.operation in (Operation.NONE, Operation.DELETE):
        return False
    said, written = detect_language(message.content), detect_language(fact.content)
    return (said in CJK) != (written in CJK)


def _fact(fact: AnsweredFact, message: Message) -> ExtractedFact:
    start, end = span_of(fact.from_, fact.to, message.timezone)
    return ExtractedFact(
        operation=fact.operation,
        content=fact.content,
        category=fact.category,
        message_index=fact.message,
        label=fact.label,
        subject=fact.subject,
        slot=fact.slot or None,
        speaker=message.speaker,
        language=detect_language(fact.content, _hint(message)),
        event_time=start,
        event_end=end,
        retracts=fact.retracts,
        lapses=fact.lapses and end is not None,
    )


def _hint(message: Message) -> Language:
    return detect_language(message.content, "ja" if message.language == "ja" else None)
