"""What is asked: the questions of a data set, each with the conversation that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cognis_local.conversations import Conversation


class EvaluationError(Exception):
    """The evaluation cannot go on; the message is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question. `gold` is "" where the right answer is that there is none (`abstention`).

    LongMemEval's abstention questions have an explanation as their gold answer.
    """

    id: str
    conversation: Conversation
    question: str
    gold: str
    category: str
    asked_at: datetime
    abstention: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """A file's conversations and questions; `left_out` counts questions that cannot be scored.

    `digest` is the SHA-256 of the file.
    """

    benchmark: str
    digest: str
    conversations: Sequence[Conversation]
    cases: Sequence[Case]
    left_out: int = 0
