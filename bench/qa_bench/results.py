"""What came out: scores by category, tokens, times and faults."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from pydantic import BaseModel, ConfigDict

from qa_bench.asking import Call, Outcome
from qa_bench.benchmarks import OVERALL, Benchmark
from qa_bench.cases import Case
from qa_bench.costs import Consumption
from qa_bench.ingestion import Ingested
from qa_bench.verdicts import Verdict


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Row(_Part):
    """Scores of one category in percent, over the questions that are done; None where none has such a score.

    Of `questions`, `failed` have no answer or no judgement for a fault, and `missing` were not asked.
    `unparsable` verdicts count as wrong.
    """

    category: str
    questions: int
    failed: int
    missing: int
    f1: float | None
    judge: float | None
    unparsable: int
    published: float | None = None


class Latency(_Part):
    """In milliseconds, by nearest rank."""

    p50: float
    p95: float


class Spent(_Part):
    """What one purpose took: "extraction", "answers" or "judge"; `usd` is None where the price is unknown."""

    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    estimated_calls: int
    usd: float | None


class Ingestion(_Part):
    conversations: int
    messages: int
    facts: int
    seconds: float
    failed_requests: dict[str, int]
    unfinished_conversations: dict[str, int]


class Result(_Part):
    """A whole evaluation; `rows` end with the mean over all questions that the benchmark counts.

    `date` is the day of the report. `errors` counts the faults of failed questions, `cut_off` the answers
    that ran out of tokens.
    """

    benchmark: str
    date: str
    made_by: dict[str, str]
    top_k: int
    context_tokens: int
    rows: list[Row]
    published_score: str
    errors: dict[str, int]
    cut_off: int
    ingestion: Ingestion
    latency: dict[str, Latency]
    spent: list[Spent]


def rows(benchmark: Benchmark, cases: Sequence[Case], outcomes: Mapping[str, Outcome]) -> list[Row]:
    """A row for each category that has a question, one for all that count, and one for abstentions that lie
    within the categories."""
    named = [
        (name, [case for case in cases if case.category == name])
        for name in benchmark.categories
        if any(case.category == name for case in cases)
    ]
    counted = [case for case in cases if case.category in benchmark.overall]
    named.append((OVERALL, counted))
    if abstentions := [case for case in counted if case.abstention]:
        named.append(("of these, abstention", abstentions))
    return [_row(name, benchmark, members, outcomes) for name, members in named]


def _row(name: str, benchmark: Benchmark, cases: Sequence[Case], outcomes: Mapping[str, Outcome]) -> Row:
    found = [outcomes[case.id] for case in cases if case.id in outcomes]
    done = [outcome for outcome in found if outcome.error is None]
    verdicts = [outcome.verdict for outcome in done if outcome.verdict is not None]
    return Row(
        category=name,
        questions=len(cases),
        failed=len(found) - len(done),
        missing=len(cases) - len(found),
        f1=_percent([outcome.f1 for outcome in done if outcome.f1 is not None]),
        judge=_percent([float(verdict is Verdict.CORRECT) for verdict in verdicts]),
        unparsable=verdicts.count(Verdict.UNPARSABLE),
        published=benchmark.published.get(name),
    )


def _percent(shares: Sequence[float]) -> float | None:
    return round(100 * fmean(shares), 2) if shares else None


def latencies(outcomes: Iterable[Outcome]) -> dict[str, Latency]:
    """Of what took place: searches, answers and judgements."""
    times: dict[str, list[float]] = {"search": [], "answer": [], "judge": []}
    for outcome in outcomes:
        times["search"].append(outcome.search_ms)
        for step, call in (("answer", outcome.answer_call), ("judge", outcome.judge_call)):
            if call is not None and call.milliseconds:
                times[step].append(call.milliseconds)
    return {
        step: Latency(p50=_rank(each, 0.5), p95=_rank(each, 0.95)) for step, each in times.items() if each
    }


def _rank(values: Sequence[float], share: float) -> float:
    return round(sorted(values)[math.ceil(share * len(values)) - 1], 1)


def consumed(calls: Iterable[Call | None], model_id: str) -> Consumption:
    made = [call for call in calls if call is not None]
    return Consumption(
        model_id,
        calls=len(made),
        input_tokens=sum(call.input_tokens for call in made),
        output_tokens=sum(call.output_tokens for call in made),
        estimated=sum(call.estimated for call in made),
    )


def extraction_consumed(ingested: Iterable[Ingested], model_id: str) -> Consumption:
    usages = [line.usage for line in ingested]
    return Consumption(
        model_id,
        calls=sum(usage.llm_calls for usage in usages),
        input_tokens=sum(usage.input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
    )


def ingestion(ingested: Sequence[Ingested], unfinished: Mapping[str, int]) -> Ingestion:
    failed: Counter[str] = Counter()
    for line in ingested:
        failed.update(line.failed)
    return Ingestion(
        conversations=len(ingested),
        messages=sum(line.messages for line in ingested),
        facts=sum(line.facts for line in ingested),
        seconds=round(sum(line.seconds for line in ingested), 1),
        failed_requests=dict(failed),
        unfinished_conversations=dict(unfinished),
    )


def errors(outcomes: Iterable[Outcome]) -> dict[str, int]:
    return dict(Counter(outcome.error for outcome in outcomes if outcome.error is not None))


def cut_off(outcomes: Iterable[Outcome]) -> int:
    return sum(outcome.answer_call is not None and outcome.answer_call.cut_off for outcome in outcomes)
