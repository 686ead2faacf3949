"""Whether users wait for each other: many at once, beside one alone and beside one user's many requests.

    python bench/concurrency.py [--users 50] [--model-seconds 2]
    make run, and in another terminal: python bench/concurrency.py --run .local/run.json

In process the embedder is a hash of words and the extractor is the rules' behind a pause as long as a model's
answer, so that what is measured are leases, stores and indexes, and waiting for the model. Each request holds
one message of its user. `alone`: one user's request by itself, the median of five. `at once`: a request of
each user, all at the same time. `in turn`: as many requests of one user, at the same time; these must wait
for each other. The ratio of `at once` to `alone` would be the number of users if they did, too.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from uuid import uuid4

import numpy as np

from cognis_local import Memory
from cognis_local.extraction import RulesExtractor
from cognis_local.stack.client import ApiMemory
from cognis_memory.domain.matryoshka import normalise
from cognis_memory.domain.text import index_terms
from cognis_memory.models.event import EventStatus
from cognis_memory.models.extraction import Extraction, ExtractionRequest
from cognis_memory.models.values import FloatMatrix, FloatVector

Ingest = Callable[[str, str], None]
"""Takes a text of a user in and returns when its event has succeeded."""

TIMES_ALONE = 5
PLACES = ("Bergen", "Porto", "Kyoto", "Tartu", "Galway", "Trieste", "Otaru", "Ghent", "大阪", "札幌")


class WordHashes:
    """An embedder: the sum of a random direction for each word."""

    @property
    def model_id(self) -> str:
        return "word-hashes"

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        return normalise(np.stack([self._sum(text) for text in texts]))

    def _sum(self, text: str) -> FloatVector:
        total = np.zeros(768, dtype=np.float32)
        for term in index_terms(text) or [""]:
            total += np.random.default_rng(zlib.crc32(term.encode())).standard_normal(768, np.float32)
        return total


class PausingExtractor:
    """The rules, after a pause."""

    def __init__(self, seconds: float) -> None:
        self._rules = RulesExtractor()
        self._seconds = seconds

    @property
    def chunk_messages(self) -> int:
        return self._rules.chunk_messages

    def extract(self, request: ExtractionRequest) -> Extraction:
        time.sleep(self._seconds)
        return self._rules.extract(request)


def in_process(memory: Memory) -> Ingest:
    def ingest(user: str, text: str) -> None:
        assert memory.add(user, text).status is EventStatus.SUCCEEDED

    return ingest


def over_http(memory: ApiMemory) -> Ingest:
    def ingest(user: str, text: str) -> None:
        message = {"role": "user", "content": text}
        event = memory.add(user, [message], idempotency_key=uuid4().hex)
        assert event.status is EventStatus.SUCCEEDED

    return ingest


def at_once(ingest: Ingest, users: Sequence[str]) -> tuple[float, list[float]]:
    """Seconds until the last request had ended, and the seconds of each."""

    def timed(number: int) -> float:
        started = time.perf_counter()
        ingest(users[number], f"My cousin number {number} lives in {PLACES[number % len(PLACES)]}.")
        return time.perf_counter() - started

    started = time.perf_counter()
    with ThreadPoolExecutor(len(users)) as threads:
        each = list(threads.map(timed, range(len(users))))
    return time.perf_counter() - started, each


def measure(ingest: Ingest, users: int) -> None:
    run = uuid4().hex[:8]
    ingest(f"{run}-warm", "I live in Porto.")
    alone = median(at_once(ingest, [f"{run}-alone-{number}"])[0] for number in range(TIMES_ALONE))
    together, each = at_once(ingest, [f"{run}-{number}" for number in range(users)])
    in_turn, _ = at_once(ingest, [f"{run}-one"] * users)
    print(f"one user alone           {alone:7.2f} s")
    print(f"{users} users at once         {together:7.2f} s until the last, {median(each):.2f} s the median")
    print(f"{users} requests of one user  {in_turn:7.2f} s until the last")
    print(f"at once to alone: {together / alone:.2f}; in turn to alone: {in_turn / alone:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--model-seconds", type=float, default=2.0)
    parser.add_argument("--run", type=Path, help="the run.json of a stack that is up; without it in process")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.run is not None:
            stack = json.loads(arguments.run.read_text())
            journal = Path(folder, "journal.json")
            measure(over_http(ApiMemory(stack["url"], stack["api_key"], journal)), arguments.users)
            return
        extractor = PausingExtractor(arguments.model_seconds)
        with Memory(folder, embedder=WordHashes(), extractor=extractor) as memory:
            measure(in_process(memory), arguments.users)


if __name__ == "__main__":
    main()
