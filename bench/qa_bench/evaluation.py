"""A whole evaluation: what is chosen, what it will cost, and the way from a file to a result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from cognis_local import Memory
from cognis_local.conversations import Conversation
from cognis_local.extraction import RulesExtractor
from cognis_memory.adapters.bedrock.extraction import BedrockExtractor, StructuredOutput
from cognis_memory.adapters.bedrock.extraction.extractor import CHUNK_MESSAGES
from cognis_memory.adapters.bedrock.extraction.prompt import PROMPT_VERSION
from cognis_memory.ports import Extractor
from cognis_memory.version import VERSION
from qa_bench import results
from qa_bench.agreement import agree
from qa_bench.answering import ModelAnswerer, ModelJudge, ScriptedAnswerer, ScriptedJudge
from qa_bench.asking import Examination, Outcome, ask_all, is_done, latest
from qa_bench.benchmarks import BENCHMARKS, Benchmark
from qa_bench.cases import Case, Dataset, EvaluationError
from qa_bench.connecting import Models, connected
from qa_bench.costs import (
    Consumption,
    PriceList,
    expected_answers,
    expected_extraction,
    expected_judgements,
)
from qa_bench.datasets import open_dataset
from qa_bench.folder import RESULT_JSON, RESULT_MARKDOWN, Journal, Settings, begin, held, replace_file
from qa_bench.ingestion import Ingested, check_kept, ingest_all
from qa_bench.models import ChatModel
from qa_bench.options import Options
from qa_bench.prompts import ANSWER_PROMPT_VERSION, JUDGE_PROMPT_VERSION
from qa_bench.results import Result, Spent
from qa_bench.sampling import stratified_sample
from qa_bench.tables import SCRIPTED, markdown

SERVED_MESSAGES: Final = 5
"""Of one extraction by a server of OpenAI's API, as in `make run LLM=…`: its models tend to be small."""


@dataclass(frozen=True)
class Evaluation:
    """What is to be asked of which conversations, by what, and how far it has come."""

    options: Options
    benchmark: Benchmark
    conversations: Sequence[Conversation]
    cases: Sequence[Case]
    models: Models
    prices: PriceList
    ingested: Journal[Ingested]
    outcomes: Journal[Outcome]

    def expected(self) -> list[tuple[str, Consumption]]:
        """What models are going to take for what is not done yet, by purpose."""
        done, earlier = {line.conversation for line in self.ingested.read()}, latest(self.outcomes)
        waiting = [case for case in self.cases if not is_done(earlier.get(case.id))]
        unanswered = [case for case in waiting if case.id not in earlier or earlier[case.id].answer is None]
        models, found = self.models, []
        if models.extraction:
            untold = [conversation for conversation in self.conversations if conversation.id not in done]
            chunk = CHUNK_MESSAGES if self.options.bedrock else SERVED_MESSAGES
            found.append(("extraction", expected_extraction(untold, models.extraction, chunk)))
        if models.answers and models.judge:
            tokens = self.options.context_tokens
            found.append(("answers", expected_answers(unanswered, self.benchmark, models.answers, tokens)))
            found.append(("judge", expected_judgements(waiting, self.benchmark, models.judge)))
        return [(purpose, consumption) for purpose, consumption in found if consumption.calls]

    def run(self, tell: Callable[[str], None]) -> dict[str, int]:
        """Ingests and asks. Returns what kept conversations from being ingested, by error.

        Raises EvaluationError where the memory has lost what was ingested.
        """
        extracted_by_model = self.models.extraction is not None
        parallel = self.options.concurrency
        with Memory(self.options.folder / "memory", extractor=self._extractor()) as memory:
            check_kept(memory, self.ingested)
            side_by_side = parallel if extracted_by_model else 1  # the rules keep a core busy by themselves
            obstacles = ingest_all(
                memory, self.conversations, self.ingested, parallel=side_by_side, tell=tell
            )
            whole = {line.conversation for line in self.ingested.read()}
            askable = [case for case in self.cases if case.conversation.id in whole]
            ask_all(self._examination(memory), askable, self.outcomes, parallel=parallel, tell=tell)
        return dict(obstacles)

    def result(self, name: str, obstacles: dict[str, int]) -> Result:
        """Of the chosen questions, whatever else the folder holds."""
        found = latest(self.outcomes)
        chosen = {case.id: found[case.id] for case in self.cases if case.id in found}
        told = {conversation.id for conversation in self.conversations}
        ingested = [line for line in self.ingested.read() if line.conversation in told]
        return Result(
            benchmark=name,
            date=f"{datetime.now(UTC):%Y-%m-%d}",
            made_by={
                "answers": self.models.answers or SCRIPTED,
                "judge": self.models.judge or SCRIPTED,
                "facts": self.models.extraction or "rules",
            },
            top_k=self.options.top_k,
            context_tokens=self.options.context_tokens,
            rows=results.rows(self.benchmark, self.cases, chosen),
            published_score=self.benchmark.published_score,
            errors=results.errors(chosen.values()),
            cut_off=results.cut_off(chosen.values()),
            ingestion=results.ingestion(ingested, obstacles),
            latency=results.latencies(chosen.values()),
            spent=self._spent(list(chosen.values()), ingested),
        )

    def _spent(self, outcomes: Sequence[Outcome], ingested: Sequence[Ingested]) -> list[Spent]:
        models, found = self.models, []
        if models.extraction:
            found.append(("extraction", results.extraction_consumed(ingested, models.extraction)))
        if models.answers:
            calls = (outcome.answer_call for outcome in outcomes)
            found.append(("answers", results.consumed(calls, models.answers)))
        if models.judge:
            calls = (outcome.judge_call for outcome in outcomes)
            found.append(("judge", results.consumed(calls, models.judge)))
        return [
            Spent(
                purpose=purpose,
                model=consumption.model_id,
                calls=consumption.calls,
                input_tokens=consumption.input_tokens,
                output_tokens=consumption.output_tokens,
                estimated_calls=consumption.estimated,
                usd=self.prices.usd(consumption),
            )
            for purpose, consumption in found
        ]

    def _extractor(self) -> Extractor:
        if self.models.extraction is None:
            return RulesExtractor()
        return BedrockExtractor(
            self.models.client,
            self.models.extraction,
            output=self.options.structured_output,
            max_output_tokens=self.options.extraction_tokens,
            chunk_messages=CHUNK_MESSAGES if self.options.bedrock else SERVED_MESSAGES,
        )

    def _examination(self, memory: Memory) -> Examination:
        options, benchmark = self.options, self.benchmark
        answers, judge = self._chat(self.models.answers), self._chat(self.models.judge)
        return Examination(
            memory,
            benchmark,
            answerer=ModelAnswerer(answers, benchmark) if answers else ScriptedAnswerer(),
            judge=ModelJudge(judge, benchmark) if judge else ScriptedJudge(),
            top_k=options.top_k,
            context_tokens=options.context_tokens,
        )

    def _chat(self, model_id: str | None) -> ChatModel | None:
        by_schema = self.options.structured_output is StructuredOutput.TEXT_FORMAT
        return ChatModel(self.models.client, model_id, by_schema=by_schema) if model_id else None


def evaluate(options: Options) -> Result:
    """Runs, or goes on with, what the options say, prints the table and writes it into the folder.

    Raises EvaluationError or CognisError for what ends the run; the same options go on with it.
    """
    dataset = open_dataset(options.path)
    cases = selected(dataset, options)
    with connected(options) as models:
        settings = _settings(options, dataset, models)
        with held(options.folder, settings):
            evaluation = _evaluation(options, dataset, cases, models)
            agree(evaluation.expected(), evaluation.prices, yes=options.yes, tell=_tell)
            begin(options.folder, settings)
            obstacles = evaluation.run(_tell)
            result = evaluation.result(dataset.benchmark, obstacles)
            replace_file(options.folder / RESULT_JSON, result.model_dump_json(indent=2))
            replace_file(options.folder / RESULT_MARKDOWN, markdown(result))
    return result


def _evaluation(options: Options, dataset: Dataset, cases: Sequence[Case], models: Models) -> Evaluation:
    chosen = {case.conversation.id for case in cases}
    return Evaluation(
        options,
        BENCHMARKS[dataset.benchmark],
        [conversation for conversation in dataset.conversations if conversation.id in chosen],
        cases,
        models,
        _prices(options, models),
        Journal(options.folder / "ingested.jsonl", Ingested),
        Journal(options.folder / "answers.jsonl", Outcome),
    )


def selected(dataset: Dataset, options: Options) -> list[Case]:
    """Those of the first `limit` conversations and of `categories`, of these a sample of `questions`."""
    known = BENCHMARKS[dataset.benchmark].categories
    if unknown := [name for name in options.categories if name not in known]:
        message = f"{dataset.benchmark} has no category {unknown[0]!r}; it has: {', '.join(known)}."
        raise EvaluationError(message)
    first = {conversation.id for conversation in dataset.conversations[: options.limit]}
    wanted = options.categories or known
    cases = [case for case in dataset.cases if case.conversation.id in first and case.category in wanted]
    if not cases:
        raise EvaluationError("None of the file's questions is chosen by these options.")
    return stratified_sample(cases, options.questions) if options.questions else cases


def _prices(options: Options, models: Models) -> PriceList:
    priced = models.answers or models.extraction
    return PriceList({priced: options.price} if priced and options.price else {})


def _settings(options: Options, dataset: Dataset, models: Models) -> Settings:
    return Settings(
        benchmark=dataset.benchmark,
        data=dataset.digest,
        version=VERSION,
        extractor=options.extractor,
        extraction_model=models.extraction,
        extraction_prompt=PROMPT_VERSION if models.extraction else None,
        answer_model=models.answers,
        answer_prompt=ANSWER_PROMPT_VERSION if models.answers else None,
        judge_model=models.judge,
        judge_prompt=JUDGE_PROMPT_VERSION if models.judge else None,
        extraction_tokens=options.extraction_tokens if models.extraction else None,
        structured_output=options.structured_output if options.needs_model else None,
        top_k=options.top_k,
        context_tokens=options.context_tokens,
    )


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
