"""How each data set is answered, scored and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, get_args

from qa_bench import prompts
from qa_bench.cases import Case
from qa_bench.datasets import LOCOMO, LONGMEMEVAL
from qa_bench.longmemeval import QuestionType
from qa_bench.prompts import Prompt
from qa_bench.scores import (
    ADVERSARIAL,
    MULTI_HOP,
    OPEN_DOMAIN,
    SINGLE_HOP,
    TEMPORAL,
    answer_score,
)
from qa_bench.verdicts import Verdict, read_label, read_yes_no

OVERALL: Final = "overall"


@dataclass(frozen=True)
class Benchmark:
    """`categories` in the order of the table, `overall` those that its last line is the mean of.

    `published` are the figures of the paper in percent, by category: of `published_score`, "F1" or "judge".
    `score` is F1, None where the data set has none; `judged` says which cases a judge can decide.
    """

    categories: tuple[str, ...]
    overall: tuple[str, ...]
    published: Mapping[str, float]
    published_score: str
    score: Callable[[Case, str], float | None]
    judged: Callable[[Case], bool]
    answer_prompt: Callable[[Case, str], Prompt]
    judge_prompt: Callable[[Case, str], Prompt]
    read_verdict: Callable[[str], Verdict]


def _f1(case: Case, answer: str) -> float | None:
    return answer_score(case.category, answer, case.gold)


def _no_f1(case: Case, answer: str) -> float | None:
    return None


_ANSWERABLE: Final = (SINGLE_HOP, MULTI_HOP, OPEN_DOMAIN, TEMPORAL)
_TYPES: Final = get_args(QuestionType)

BENCHMARKS: Final[Mapping[str, Benchmark]] = MappingProxyType(
    {
        LOCOMO: Benchmark(
            categories=(*_ANSWERABLE, ADVERSARIAL),
            overall=_ANSWERABLE,
            published={SINGLE_HOP: 48.66, MULTI_HOP: 31.51, OPEN_DOMAIN: 54.77, TEMPORAL: 62.68},
            published_score="F1",
            score=_f1,
            judged=lambda case: not case.abstention,
            answer_prompt=prompts.short_answer_prompt,
            judge_prompt=prompts.label_judge_prompt,
            read_verdict=read_label,
        ),
        LONGMEMEVAL: Benchmark(
            categories=_TYPES,
            overall=_TYPES,
            published={OVERALL: 89.2},
            published_score="judge",
            score=_no_f1,
            judged=lambda case: True,
            answer_prompt=prompts.assistant_answer_prompt,
            judge_prompt=prompts.yes_no_judge_prompt,
            read_verdict=read_yes_no,
        ),
    }
)
