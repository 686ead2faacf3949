"""Who answers and who judges: a language model, or a script that needs none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Protocol

from qa_bench.benchmarks import Benchmark
from qa_bench.cases import Case
from qa_bench.models import ChatModel, Said
from qa_bench.scores import NO_INFORMATION, abstains, coverage
from qa_bench.verdicts import Verdict

_LINE_HEAD: Final = re.compile(r"^- \[[^\]]*\] ")


class Answerer(Protocol):
    """Safe to use from several threads, as `Judge` is. Both raise CognisError for a model that fails."""

    def answer(self, case: Case, context: str) -> Said:
        """An answer from the lines of `Memory.context`, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """`said` is the judge's own answer, None where a formula decided."""

    verdict: Verdict
    said: Said | None = None


class Judge(Protocol):
    def judge(self, case: Case, answer: str) -> Judgement: ...


class ModelAnswerer:
    def __init__(self, model: ChatModel, benchmark: Benchmark) -> None:
        self._model = model
        self._benchmark = benchmark

    def answer(self, case: Case, context: str) -> Said:
        return self._model.ask(self._benchmark.answer_prompt(case, context))


class ModelJudge:
    def __init__(self, model: ChatModel, benchmark: Benchmark) -> None:
        self._model = model
        self._benchmark = benchmark

    def judge(self, case: Case, answer: str) -> Judgement:
        said = self._model.ask(self._benchmark.judge_prompt(case, answer))
        return Judgement(self._benchmark.read_verdict(said.text), said)


class ScriptedAnswerer:
    """Answers with the words of the best result, and that there is no information where nothing was found."""

    def answer(self, case: Case, context: str) -> Said:
        best, _, _ = context.partition("\n")
        text = _LINE_HEAD.sub("", best) or NO_INFORMATION
        return Said(text, input_tokens=0, output_tokens=0, estimated=False, cut_off=False, seconds=0.0)


class ScriptedJudge:
    """CORRECT where every stem of the gold answer stands in the answer, or where it abstains as it should."""

    def judge(self, case: Case, answer: str) -> Judgement:
        right = abstains(answer) if case.abstention else coverage(answer, case.gold) == 1
        return Judgement(Verdict.CORRECT if right else Verdict.WRONG)
