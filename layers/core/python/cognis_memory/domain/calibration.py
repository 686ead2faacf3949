"""What a score means: the probability that a result is relevant, whatever the models (at even odds)."""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Any, Final

from cognis_memory.domain.text import index_terms


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic regression over what retrieval knows of a pair of query and document.

    probability = 1 / (1 + exp(−(bias + cosine · c + lexical · l + rerank · r))); fitted for one pair of
    embedder and reranker by bench/calibration.py. `threshold` is the least probability of the best result
    below which nothing found is relevant.
    """

    bias: float
    cosine: float
    lexical: float
    rerank: float
    threshold: float

    def probability(self, cosine: float, lexical: float, rerank: float | None) -> float:
        logit = self.bias + self.cosine * cosine + self.lexical * lexical + self.rerank * (rerank or 0.0)
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, logit))))


@dataclass(frozen=True, slots=True)
class Calibrations:
    """For scripts with spaces and for Chinese, Japanese and Korean, each with and without a reranker."""

    spaced: Calibration
    cjk: Calibration
    spaced_unranked: Calibration
    cjk_unranked: Calibration

    def of(self, *, cjk: bool, reranked: bool) -> Calibration:
        if reranked:
            return self.cjk if cjk else self.spaced
        return self.cjk_unranked if cjk else self.spaced_unranked


_LARGE: Final = 1e6
"""Weights beyond it make every score 0 or 1."""


def read_calibrations(text: str) -> Calibrations:
    """From JSON: an object of four, each an object of the five numbers of a Calibration, by their names.

    Raises ValueError, which says what is missing or wrong.
    """
    given = json.loads(text)
    wanted = _names(Calibrations)
    if not isinstance(given, dict) or given.keys() != set(wanted):
        raise ValueError(f"this is no object with just {', '.join(wanted)}")
    return Calibrations(**{name: _read(name, given[name]) for name in wanted})


def _read(name: str, numbers: Any) -> Calibration:
    wanted = _names(Calibration)
    if not isinstance(numbers, dict) or numbers.keys() != set(wanted):
        raise ValueError(f"{name} is no object with just {', '.join(wanted)}")
    if not all(type(number) in (int, float) and abs(number) < _LARGE for number in numbers.values()):
        raise ValueError(f"{name} has something else than numbers of a sensible size")
    if not 0 <= numbers["threshold"] <= 1:
        raise ValueError(f"the threshold of {name} is no probability")
    return Calibration(**numbers)


def _names(kind: type[Calibration] | type[Calibrations]) -> list[str]:
    return [field.name for field in fields(kind)]


def lexical_share(terms: Collection[str], text: str) -> float:
    """The share, 0 to 1, of a query's distinct terms that stand in the text; 0 where it has none."""
    return len(set(terms) & set(index_terms(text))) / len(set(terms)) if terms else 0.0
