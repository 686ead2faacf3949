"""Asks the questions: search, answer, judge, one line for each in the journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Final

from pydantic import BaseModel, ConfigDict

from cognis_local import Memory
from cognis_memory.errors import CognisError, ConfigurationError
from qa_bench.answering import Answerer, Judge
from qa_bench.benchmarks import Benchmark
from qa_bench.cases import Case, EvaluationError
from qa_bench.folder import Journal
from qa_bench.models import Said
from qa_bench.parallel import side_by_side
from qa_bench.verdicts import Verdict

FAILURES_IN_A_ROW: Final = 10
"""After so many the server is down, or refuses everything: the rest is left to a later run."""

_TOLD_EVERY: Final = 25


class Call(BaseModel):
    """What a call of a model took. Tokens are `estimated` where the server did not count them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input_tokens: int
    output_tokens: int
    estimated: bool
    cut_off: bool
    milliseconds: float

    @classmethod
    def of(cls, said: Said) -> Call:
        return cls(
            input_tokens=said.input_tokens,
            output_tokens=said.output_tokens,
            estimated=said.estimated,
            cut_off=said.cut_off,
            milliseconds=said.seconds * 1_000,
        )


class Outcome(BaseModel):
    """What became of one question. `error` names what failed, and is None once all is done.

    `answer` is None where answering failed; with an answer and an error, judging did.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    category: str
    question: str
    gold: str
    abstention: bool
    memories: int
    search_ms: float
    answer: str | None = None
    answer_call: Call | None = None
    f1: float | None = None
    verdict: Verdict | None = None
    judge_call: Call | None = None
    error: str | None = None


@dataclass(frozen=True)
class Examination:
    """Where to search, who answers and who judges."""

    memory: Memory
    benchmark: Benchmark
    answerer: Answerer
    judge: Judge
    top_k: int
    context_tokens: int

    def outcome(self, earlier: Mapping[str, Outcome], case: Case) -> Outcome:
        """Of a case that was answered earlier only what is missing.

        Raises ConfigurationError for a model that is not there or may not be called.
        """
        outcome = earlier.get(case.id)
        if outcome is None or outcome.answer is None:
            outcome = self._answered(case)
        return outcome if outcome.answer is None else self._judged(case, outcome, outcome.answer)

    def _answered(self, case: Case) -> Outcome:
        started = perf_counter()
        try:
            found = self.memory.context(
                case.conversation.id,
                case.question,
                top_k=self.top_k,
                max_tokens=self.context_tokens,
                reference_time=case.asked_at,
                timezone=case.conversation.timezone,
            )
        except CognisError as error:
            return _outcome(case, 0, perf_counter() - started).model_copy(update=_fault("search", error))
        outcome = _outcome(case, len(found.memory_ids), perf_counter() - started)
        try:
            said = self.answerer.answer(case, found.text)
        except ConfigurationError:
            raise
        except CognisError as error:
            return outcome.model_copy(update=_fault("answer", error))
        answered = {"answer": said.text, "answer_call": Call.of(said)}
        return outcome.model_copy(update=answered | {"f1": self.benchmark.score(case, said.text)})

    def _judged(self, case: Case, outcome: Outcome, answer: str) -> Outcome:
        if not self.benchmark.judged(case):
            return outcome
        try:
            judgement = self.judge.judge(case, answer)
        except ConfigurationError:
            raise
        except CognisError as error:
            return outcome.model_copy(update=_fault("judge", error))
        call = None if judgement.said is None else Call.of(judgement.said)
        return outcome.model_copy(update={"verdict": judgement.verdict, "judge_call": call, "error": None})


def latest(journal: Journal[Outcome]) -> dict[str, Outcome]:
    """The last outcome of each question by its id."""
    return {outcome.id: outcome for outcome in journal.read()}


def ask_all(
    examination: Examination,
    cases: Sequence[Case],
    journal: Journal[Outcome],
    *,
    parallel: int,
    tell: Callable[[str], None],
) -> None:
    """Asks what the journal has no finished outcome of, `parallel` questions at a time.

    Raises EvaluationError when one question after the other fails.
    """
    earlier = latest(journal)
    waiting = [case for case in cases if not is_done(earlier.get(case.id))]
    failures = 0
    with closing(side_by_side(partial(examination.outcome, earlier), waiting, parallel)) as futures:
        for number, future in enumerate(futures, start=1):
            outcome = future.result()
            journal.append(outcome)
            failures = failures + 1 if outcome.error else 0
            if failures == FAILURES_IN_A_ROW:
                message = f"{failures} questions failed in a row, the last with {outcome.error}."
                raise EvaluationError(f"{message} Once that is mended, the same command goes on.")
            if number % _TOLD_EVERY == 0 or number == len(waiting):
                tell(f"answered {number} of {len(waiting)} questions")


def is_done(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.error is None


def _outcome(case: Case, memories: int, seconds: float) -> Outcome:
    return Outcome(
        id=case.id,
        category=case.category,
        question=case.question,
        gold=case.gold,
        abstention=case.abstention,
        memories=memories,
        search_ms=seconds * 1_000,
    )


def _fault(step: str, error: CognisError) -> dict[str, str]:
    return {"error": f"{step}: {error.code}: {error}"}
