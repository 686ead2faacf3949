"""A result as Markdown, with what its figures are worth."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from qa_bench.benchmarks import OVERALL
from qa_bench.results import Result, Row, Spent

SCRIPTED: Final = "scripted"
"""In `Result.made_by`, in place of a model."""

_PARAMETERS: Final = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)([mb])(?![a-z0-9])", re.IGNORECASE)
_SMALL_BILLIONS: Final = 3.0

_SCRIPT_NOTE: Final = (
    "Answers are the words of the best result and a formula judges them: these figures say that every "
    "question went through ingestion, search and scoring, and nothing of how well a model would answer."
)
_SMALL_NOTE: Final = (
    "a model of so few parameters ({size}, by its name): these figures say that the chain works, not how "
    "good the memory is."
)
_ONE_VERDICT_NOTE: Final = (
    "The judge gave all of these answers the same verdict: look at some of them before believing it."
)
_FEW_VERDICTS: Final = 10
_PUBLISHED_NOTE: Final = (
    "The published figures are those of their paper, made with its models, prompts and judge."
)
_INCOMPLETE_NOTE: Final = (
    "Incomplete: questions that failed or were not asked are in no score. The same command tries them again."
)


def markdown(result: Result) -> str:
    made_by = ", ".join(f"{part} by {name}" for part, name in result.made_by.items())
    head = (
        f"**{result.benchmark}**, {result.date}: {made_by}; {result.top_k} results, "
        f"at most {result.context_tokens:,} tokens of them"
    )
    parts = [head, _scores(result), "\n".join(f"- {note}" for note in notes(result)), _facts(result)]
    return "\n\n".join(parts) + "\n"


def notes(result: Result) -> list[str]:
    """What a reader must know before reading a figure."""
    found = []
    if result.made_by["answers"] == SCRIPTED:
        found.append(_SCRIPT_NOTE)
    sizes = {name: size for name in result.made_by.values() if (size := small_size(name))}
    found += [f"`{name}` is {_SMALL_NOTE.format(size=size)}" for name, size in sizes.items()]
    if any(row.failed or row.missing for row in result.rows):
        found.append(_INCOMPLETE_NOTE)
    overall = next(row for row in result.rows if row.category == OVERALL)
    if overall.judge in (0.0, 100.0) and overall.questions >= _FEW_VERDICTS:
        found.append(_ONE_VERDICT_NOTE)
    return [*found, _PUBLISHED_NOTE]


def small_size(model: str) -> str | None:
    """The number of parameters in a model's name where that is less than three billion, such as "270m"."""
    sizes = {
        float(number) / (1_000 if unit.lower() == "m" else 1): f"{number}{unit}"
        for number, unit in _PARAMETERS.findall(re.sub(r"[-_/:]", " ", model))
    }
    billions = max(sizes, default=_SMALL_BILLIONS)
    return sizes[billions] if billions < _SMALL_BILLIONS else None


def _scores(result: Result) -> str:
    headings = ("category", "questions", "F1", "judge", "unparsable", "failed", "not asked")
    head = (*headings, f"published {result.published_score}")
    return _table([head, *map(_line, result.rows)])


def _line(row: Row) -> tuple[str, ...]:
    counts = (row.unparsable, row.failed, row.missing)
    return (
        row.category,
        f"{row.questions:,}",
        _figure(row.f1),
        _figure(row.judge),
        *map(str, counts),
        _figure(row.published),
    )


def _facts(result: Result) -> str:
    made = result.ingestion
    lines = [
        f"Conversations ingested: {made.conversations}, with {made.messages:,} messages and {made.facts:,} "
        f"facts, in {made.seconds:,.0f} s of work{_counts('requests without facts', made.failed_requests)}"
        f"{_counts('unfinished conversations', made.unfinished_conversations)}.",
        *(
            f"{step.capitalize()}: p50 {each.p50:,.0f} ms, p95 {each.p95:,.0f} ms."
            for step, each in result.latency.items()
        ),
        *map(_spent, result.spent),
    ]
    if result.cut_off:
        lines.append(f"Answers that ran out of tokens: {result.cut_off}.")
    lines += [f"Failed: {count} × {error}" for error, count in result.errors.items()]
    return "\n".join(f"- {line}" for line in lines)


def _spent(spent: Spent) -> str:
    cost = "at an unknown price" if spent.usd is None else f"${spent.usd:,.4f}"
    estimated = f", {spent.estimated_calls} of them estimated" if spent.estimated_calls else ""
    return (
        f"{spent.purpose.capitalize()} by `{spent.model}`: {spent.calls:,} calls{estimated}, "
        f"{spent.input_tokens:,} tokens in and {spent.output_tokens:,} out, {cost}."
    )


def _counts(title: str, counts: Mapping[str, int]) -> str:
    named = ", ".join(f"{count} × {name}" for name, count in counts.items())
    return f"; {title}: {named}" if named else ""


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _table(lines: Sequence[Sequence[str]]) -> str:
    head, *rest = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join((head, "|---" * len(lines[0]) + "|", *rest))
