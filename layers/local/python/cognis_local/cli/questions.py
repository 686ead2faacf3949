"""Asks a memory what its conversation's file asks, and finds where the evidence came."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from cognis_local.conversations import Conversation, Question
from cognis_memory.models.answers import SearchAnswer, SearchResult

TOP_K = 10


class SearchedMemory(Protocol):
    """What answers questions: a folder on this machine, or the HTTP API."""

    def search(self, user_id: str, query: str, **options: Any) -> SearchAnswer: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answer. `evidence_rank` is the place, from 1, of the first result that rests on a
    turn which the file names as evidence, in itself or in its history; None where none does."""

    question: Question
    answer: SearchAnswer
    evidence_rank: int | None

    @property
    def right(self) -> bool:
        """Evidence was found; or nothing was, where the conversation holds no answer."""
        if self.question.answer is None:
            return not self.answer.results
        return self.evidence_rank is not None

    def to_json(self) -> dict[str, Any]:
        return {
            "question": self.question.text,
            "expected": self.question.answer,
            "kind": self.question.kind,
            "evidence_rank": self.evidence_rank,
            "answer": self.answer.model_dump(mode="json"),
        }


def ask_all(
    memory: SearchedMemory,
    conversation: Conversation,
    user_id: str,
    message_ids: dict[str, str],
    limit: int | None,
) -> Iterator[Asked]:
    """Asks the first `limit` questions, each as of its own time or of the conversation's end.

    `message_ids` gives the message that each turn became.
    """
    for question in conversation.questions[:limit]:
        answer = memory.search(
            user_id,
            question.text,
            top_k=TOP_K,
            timezone=conversation.timezone,
            as_of=question.as_of,
            reference_time=question.reference_time or conversation.ended_at,
        )
        evidence = {message_ids[turn] for turn in question.evidence if turn in message_ids}
        yield Asked(question, answer, evidence_rank(answer.results, evidence))


def evidence_rank(results: Iterable[SearchResult], evidence: set[str]) -> int | None:
    for rank, result in enumerate(results, start=1):
        sources = set(result.source_messages)
        for entry in result.history or ():
            sources.update(entry.source_messages)
        if sources & evidence:
            return rank
    return None


@dataclass(frozen=True, slots=True)
class Score:
    """How many questions of one kind were asked, and for how many evidence came first or among TOP_K."""

    kind: str
    asked: int
    first: int
    found: int


def scores(asked: Iterable[Asked]) -> list[Score]:
    """Answerable questions of each kind that name evidence, in the order of the file."""
    by_kind = dict[str, list[Asked]]()
    for item in asked:
        if item.question.answer is not None and item.question.evidence:
            by_kind.setdefault(item.question.kind or "all", []).append(item)
    return [
        Score(
            kind,
            len(items),
            _count(items, lambda item: item.evidence_rank == 1),
            _count(items, lambda item: item.evidence_rank is not None),
        )
        for kind, items in by_kind.items()
    ]


def _count(items: Iterable[Asked], condition: Callable[[Asked], bool]) -> int:
    return sum(condition(item) for item in items)
