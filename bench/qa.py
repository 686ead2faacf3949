"""Question answering from memory on LoCoMo or LongMemEval, end to end.

    python bench/qa.py PATH --scripted
    python bench/qa.py PATH --llm http://127.0.0.1:8000/v1 [--model NAME] [--extractor llm]
    python bench/qa.py PATH --bedrock [--model ID] [--judge-model ID] [--extractor llm]

Each conversation is ingested session by session through all four stages, each question searched for,
answered by the model from what was found, and scored: F1 by LoCoMo's formula, and a judge. Before a model is
called, the expected tokens and dollars are told and have to be agreed to. The run is kept in --folder: it may
be ended at any moment, and the same command goes on, asks nothing twice and tries again what failed. The
table is printed and kept there as result.md and result.json. docs/evaluation.md tells more.

Ends with 0, with 1 where questions are left without an answer, with 2 where the run could not go on, with
130 after Ctrl-C.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from cognis_memory.errors import CognisError
from qa_bench.cases import EvaluationError
from qa_bench.evaluation import evaluate
from qa_bench.options import read_options
from qa_bench.tables import markdown


def main(arguments: Sequence[str]) -> int:
    try:
        result = evaluate(read_options(arguments, __doc__))
    except (EvaluationError, CognisError) as error:
        print(f"qa: {error}", file=sys.stderr)
        return 2
    print(markdown(result), end="")
    return int(any(row.failed or row.missing for row in result.rows))


def end_at_once(number: int, frame: FrameType | None) -> NoReturn:
    """Handles Ctrl-C without waiting for calls that are under way: what is done is on the disk."""
    os.write(sys.stderr.fileno(), b"\nqa: ended; the same command goes on\n")
    os._exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, end_at_once)
    sys.exit(main(sys.argv[1:]))
