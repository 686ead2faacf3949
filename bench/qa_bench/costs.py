"""Tokens and dollars: what an evaluation is going to take, and what it took."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cognis_local.conversations import Conversation
from cognis_memory.adapters.bedrock.extraction.prompt import SYSTEM_PROMPT
from cognis_memory.domain.pricing import PRICES, ModelPrice
from cognis_memory.domain.tokens import estimate_tokens
from qa_bench.benchmarks import Benchmark
from qa_bench.cases import Case

_MILLION: Final = 1_000_000
_AROUND_MESSAGES: Final = 1_000
"""Tokens of a call that extracts beside the prompt and its messages: the schema, similar memories, turns
before, and the JSON around each."""

_FACT_TOKENS: Final = 110
"""Of one fact as JSON. About every second message has one."""

_JUDGE_TOKENS: Final = 15
_ANSWER_SHARE: Final = 0.3
"""Of the tokens that an answer may have, those that it usually takes."""


@dataclass(frozen=True, slots=True)
class Consumption:
    """Calls of one model for one purpose, and their tokens, which of `estimated` calls no server counted."""

    model_id: str
    calls: int
    input_tokens: int
    output_tokens: int
    estimated: int = 0


class PriceList:
    """Dollars for a million tokens by model: the project's dated list, with one's own prices over it."""

    def __init__(self, own: Mapping[str, ModelPrice]) -> None:
        self._prices = {**PRICES, **own}

    def usd(self, consumption: Consumption) -> float | None:
        """None for a model whose price is unknown."""
        price = self._prices.get(consumption.model_id)
        if price is None:
            return None
        paid = consumption.input_tokens * price.input_usd + consumption.output_tokens * price.output_usd
        return paid / _MILLION

    def total(self, consumptions: Iterable[Consumption]) -> float | None:
        """None where any of them is unknown."""
        each = [self.usd(consumption) for consumption in consumptions]
        known = [usd for usd in each if usd is not None]
        return sum(known) if len(known) == len(each) else None


def expected_extraction(
    conversations: Sequence[Conversation], model_id: str, chunk_messages: int
) -> Consumption:
    """A rough estimate, without repairs and repetitions."""
    sessions = [session for conversation in conversations for session in conversation.sessions]
    calls = sum(math.ceil(len(session.turns) / chunk_messages) for session in sessions)
    turns = [turn for session in sessions for turn in session.turns]
    messages = sum(estimate_tokens(turn.content) for turn in turns)
    overhead = calls * (estimate_tokens(SYSTEM_PROMPT) + _AROUND_MESSAGES)
    return Consumption(model_id, calls, messages + overhead, len(turns) * _FACT_TOKENS // 2)


def expected_answers(
    cases: Sequence[Case], benchmark: Benchmark, model_id: str, context_tokens: int
) -> Consumption:
    """Of an estimate that errs on the high side: contexts that are full."""
    asked = [benchmark.answer_prompt(case, "") for case in cases]
    prompts = sum(estimate_tokens(prompt.system) + estimate_tokens(prompt.data) for prompt in asked)
    made = sum(int(prompt.max_tokens * _ANSWER_SHARE) for prompt in asked)
    return Consumption(model_id, len(cases), prompts + len(cases) * context_tokens, made)


def expected_judgements(cases: Sequence[Case], benchmark: Benchmark, model_id: str) -> Consumption:
    judged = [case for case in cases if benchmark.judged(case)]
    asked = [benchmark.judge_prompt(case, case.gold) for case in judged]
    prompts = sum(estimate_tokens(prompt.system) + estimate_tokens(prompt.data) for prompt in asked)
    return Consumption(model_id, len(judged), prompts, len(judged) * _JUDGE_TOKENS)
