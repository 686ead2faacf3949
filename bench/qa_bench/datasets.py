"""Reads LoCoMo's file or LongMemEval's, whichever it is."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from cognis_local.conversations import Conversation, load, locomo
from cognis_memory.errors import InvalidInput
from qa_bench import longmemeval
from qa_bench.cases import Case, Dataset, EvaluationError
from qa_bench.scores import ADVERSARIAL

LOCOMO = "LoCoMo"
LONGMEMEVAL = "LongMemEval"


def open_dataset(path: Path) -> Dataset:
    """Raises EvaluationError for a file that cannot be read or is neither, and says what is wrong with it."""
    content = _content(path)
    entries = _entries(path, content)
    digest = hashlib.sha256(content).hexdigest()
    try:
        if all(map(longmemeval.recognises, entries)):
            cases = longmemeval.read(path.name, entries)
            return Dataset(LONGMEMEVAL, digest, [case.conversation for case in cases], cases)
        if all(map(locomo.recognises, entries)):
            return _locomo(path, digest)
    except InvalidInput as error:
        raise EvaluationError(str(error)) from None
    raise EvaluationError(f"{path.name} is neither in LoCoMo's format nor in LongMemEval's.")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror}.") from None


def _entries(path: Path, content: bytes) -> list[dict[str, Any]]:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        raise EvaluationError(f"{path.name} is not valid JSON.") from None
    entries = data if isinstance(data, list) else [data]
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        raise EvaluationError(f"{path.name} is neither in LoCoMo's format nor in LongMemEval's.")
    return entries


def _locomo(path: Path, digest: str) -> Dataset:
    conversations = load(path)
    cases = [case for conversation in conversations for case in _cases(conversation)]
    if not cases:
        raise EvaluationError(f"{path.name} has no question with a category and an answer.")
    asked = sum(len(conversation.questions) for conversation in conversations)
    return Dataset(LOCOMO, digest, conversations, cases, left_out=asked - len(cases))


def _cases(conversation: Conversation) -> list[Case]:
    """Those that can be scored: with a category, and an answer where one is due."""
    unanswerable = locomo.CATEGORIES[locomo.UNANSWERABLE]
    return [
        Case(
            id=f"{conversation.id}/{number}",
            conversation=conversation,
            question=question.text,
            gold=question.answer or "",
            category=ADVERSARIAL if question.kind == unanswerable else question.kind,
            asked_at=conversation.ended_at,
            abstention=question.kind == unanswerable,
        )
        for number, question in enumerate(conversation.questions, start=1)
        if question.kind is not None and (question.kind == unanswerable or question.answer is not None)
    ]
