"""Times ways of searching against one another, and counts what they find."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from opensearch_bench.corpus import Question
from opensearch_bench.ways import FUSED, PLAIN, Way

_WARM_UP: Final = 20


@dataclass(frozen=True, slots=True)
class Measure:
    """One way for users of one size, None for all: milliseconds, `ratio` of the medians to the plain query's,
    `recall` of the ten nearest, None where that is not what is looked for."""

    size: int | None
    way: str
    searches: int
    p50: float
    p95: float
    p99: float
    ratio: float
    recall: float | None


def measure(questions: Mapping[int, Sequence[Question]], ways: Mapping[str, Way]) -> list[Measure]:
    """Each question is asked in every way before the next one, the sizes in turns, so that whatever else the
    machine does meets all of them alike."""
    by_size = [[(size, question) for question in asked] for size, asked in questions.items()]
    turns = [pair for together in zip(*by_size, strict=True) for pair in together]
    for _, question in turns[: _WARM_UP * len(by_size)]:
        for way in ways.values():
            way(question)
    names = list(ways)
    times: dict[tuple[int, str], list[float]] = defaultdict(list)
    recalls: dict[tuple[int, str], list[float]] = defaultdict(list)
    for turn, (size, question) in enumerate(turns):
        first = turn % len(names)
        for name in [*names[first:], *names[:first]]:
            started = time.perf_counter()
            found = ways[name](question)
            times[size, name].append((time.perf_counter() - started) * 1e3)
            recalls[size, name].append(_recall(found, question))
    return [_measure(name, size, times, recalls) for size in (*questions, None) for name in names]


def _measure(
    name: str,
    size: int | None,
    times: Mapping[tuple[int, str], Sequence[float]],
    recalls: Mapping[tuple[int, str], Sequence[float]],
) -> Measure:
    def of(name: str, values: Mapping[tuple[int, str], Sequence[float]]) -> np.ndarray:
        return np.concatenate([v for (s, n), v in values.items() if n == name and size in (None, s)])

    taken = of(name, times)
    p50, p95, p99 = (float(each) for each in np.quantile(taken, (0.5, 0.95, 0.99)))
    recall = None if name in (PLAIN, FUSED) else float(of(name, recalls).mean())
    return Measure(size, name, len(taken), p50, p95, p99, p50 / float(np.median(of(PLAIN, times))), recall)


def _recall(found: Sequence[str], question: Question) -> float:
    exact = question.exact
    return len(set(found[: len(exact)]) & set(exact)) / len(exact) if exact else 1.0
