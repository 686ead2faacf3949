"""The command line."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from cognis_memory.adapters.bedrock.extraction import StructuredOutput
from cognis_memory.domain.pricing import ModelPrice
from qa_bench.cases import EvaluationError

BEDROCK_MODEL: Final = "us.anthropic.claude-haiku-4-5-20251001-v1:0"
"""What a deployment extracts with where nothing else is set."""

MAX_RESULTS: Final = 100
MAX_CONTEXT_TOKENS: Final = 100_000
"""Of a search, by the API's contract."""


@dataclass(frozen=True)
class Options:
    """`llm` is the URL of a server, None with `bedrock` or where no model is used at all."""

    path: Path
    folder: Path
    llm: str | None
    bedrock: bool
    scripted: bool
    extractor: Literal["rules", "llm"]
    model: str | None
    judge_model: str | None
    extraction_model: str | None
    structured_output: StructuredOutput
    extraction_tokens: int
    top_k: int
    context_tokens: int
    limit: int | None
    questions: int | None
    categories: tuple[str, ...]
    concurrency: int
    timeout: float
    price_in: float | None
    price_out: float | None
    yes: bool

    @property
    def needs_model(self) -> bool:
        return not self.scripted or self.extractor == "llm"

    @property
    def price(self) -> ModelPrice | None:
        """Of the model that answers, or else of the one that extracts, as the caller knows it."""
        if self.price_in is None or self.price_out is None:
            return None
        return ModelPrice(self.price_in, self.price_out)


def read_options(arguments: Sequence[str], description: str | None) -> Options:
    """Raises EvaluationError for options that do not go together; ends the process as argparse does for
    others that are wrong."""
    options = Options(**vars(_parser(description).parse_args(arguments)))
    if options.needs_model and not (options.llm or options.bedrock):
        raise EvaluationError("Name what answers: --llm URL, --bedrock, or --scripted for no model.")
    if (options.price_in is None) != (options.price_out is None):
        raise EvaluationError("--price-in and --price-out belong together.")
    if options.top_k > MAX_RESULTS or options.context_tokens > MAX_CONTEXT_TOKENS:
        limits = f"--top-k {MAX_RESULTS} and --context-tokens {MAX_CONTEXT_TOKENS}"
        raise EvaluationError(f"A search takes {limits} at most.")
    return options


def _parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file or LongMemEval's, or a part of it")
    parser.add_argument("--folder", type=Path, default=Path(".local/qa"), help="where the run is kept")
    _add_models(parser.add_argument_group("models"))
    _add_extraction(parser.add_argument_group("facts"))
    _add_selection(parser.add_argument_group("what is asked"))
    _add_running(parser.add_argument_group("how it runs"))
    return parser


def _add_models(group: argparse._ArgumentGroup) -> None:
    where = group.add_mutually_exclusive_group()
    where.add_argument(
        "--llm", metavar="URL", help="a server of OpenAI's API, such as http://127.0.0.1:8000/v1"
    )
    where.add_argument("--bedrock", action="store_true", help="Bedrock, with the account of the environment")
    group.add_argument("--scripted", action="store_true", help="answer and judge without a model")
    group.add_argument("--model", help="what answers; of Bedrock an id or an inference profile")
    group.add_argument("--judge-model", help="what judges, the same where it is not set")
    group.add_argument(
        "--structured-output",
        type=StructuredOutput,
        choices=list(StructuredOutput),
        default=StructuredOutput.TEXT_FORMAT,
        help="how Bedrock's models are held to a form: facts by any, verdicts by text_format or not at all",
    )


def _add_extraction(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--extractor", choices=("rules", "llm"), default="rules")
    group.add_argument("--extraction-model", help="what extracts, the one that answers where it is not set")
    group.add_argument(
        "--extraction-tokens", type=_positive, default=4_096, help="tokens of one extraction's answer at most"
    )


def _add_selection(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--limit", type=_positive, help="only the first conversations")
    group.add_argument("--categories", type=_names, default=(), help="only these, parted by commas")
    group.add_argument("--questions", type=_positive, help="a sample of so many, in proportion to categories")
    group.add_argument("--top-k", type=_positive, default=20, help="results that a question gets")
    group.add_argument("--context-tokens", type=_positive, default=2_000, help="tokens of these at most")


def _add_running(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--concurrency", type=_positive, default=4, help="questions at a time")
    group.add_argument("--timeout", type=_seconds, default=120.0, help="seconds that a call may take")
    group.add_argument("--price-in", type=_dollars, help="dollars for a million tokens into the model")
    group.add_argument("--price-out", type=_dollars, help="dollars for a million tokens out of the model")
    group.add_argument("--yes", action="store_true", help="do not ask before models are called")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError("must be more than 0")
    return seconds


def _dollars(text: str) -> float:
    dollars = float(text)
    if not 0 <= dollars < math.inf:
        raise argparse.ArgumentTypeError("must be 0 or more")
    return dollars


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
