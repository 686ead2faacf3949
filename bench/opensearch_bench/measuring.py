"""Times ways of searching against one another, and counts what they find."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from opensearch_bench.corpus import Question
from opensearch_bench.ways import FUSED, PLAIN, Way

_WARM_UP: Final = 20


@dataclass(frozen=True, slots=True)
class Group:
    """Questions of users of one size in one index, with the ways to answer them; `times` in milliseconds and
    `recalls` come about by asking, for each way in the questions' order."""

    index: str
    size: int
    questions: Sequence[Question]
    ways: Mapping[str, Way]
    times: dict[str, list[float]] = field(default_factory=dict)
    recalls: dict[str, list[float]] = field(default_factory=dict)

    def ask(self, question: Question, *, first: int) -> None:
        """In every way, beginning with another one each time."""
        names = list(self.ways)
        first %= len(names)
        for name in [*names[first:], *names[:first]]:
            started = time.perf_counter()
            found = self.ways[name](question)
            self.times.setdefault(name, []).append((time.perf_counter() - started) * 1e3)
            self.recalls.setdefault(name, []).append(_recall(found, question))


@dataclass(frozen=True, slots=True)
class Measure:
    """One way in one index, for users of one size or, None, for all: milliseconds, `ratio` of the medians to
    the plain query's, `recall` of the ten nearest, None where these are not what is looked for."""

    index: str
    size: int | None
    way: str
    searches: int
    p50: float
    p95: float
    p99: float
    ratio: float
    recall: float | None


def ask_all(groups: Sequence[Group]) -> None:
    """The groups in turns, so that whatever else the machine does meets all of them alike."""
    for group in groups:
        for question in group.questions[:_WARM_UP]:
            for way in group.ways.values():
                way(question)
    for turn in range(max(len(group.questions) for group in groups)):
        for group in groups:
            if turn < len(group.questions):
                group.ask(group.questions[turn], first=turn)


def measures(groups: Sequence[Group]) -> Iterator[Measure]:
    """Of one index, once its groups were asked."""
    for size in (*(group.size for group in groups), None):
        chosen = [group for group in groups if size in (None, group.size)]
        plain = float(np.median(_pooled(group.times[PLAIN] for group in chosen)))
        for way in chosen[0].ways:
            times = _pooled(group.times[way] for group in chosen)
            p50, p95, p99 = (float(each) for each in np.quantile(times, (0.5, 0.95, 0.99)))
            recall = float(np.mean(_pooled(group.recalls[way] for group in chosen)))
            looked_for = None if way in (PLAIN, FUSED) else recall
            yield Measure(chosen[0].index, size, way, len(times), p50, p95, p99, p50 / plain, looked_for)


def _pooled(parts: Iterator[list[float]]) -> list[float]:
    return [value for part in parts for value in part]


def _recall(found: Sequence[str], question: Question) -> float:
    exact = question.exact
    return len(set(found[: len(exact)]) & set(exact)) / len(exact)
