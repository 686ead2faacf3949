"""LoCoMo through the HTTP API of a running stack, beside the same in process: nothing may change on the way.

    make run                                   # in another terminal
    python bench/api.py PATH [--run .local/run.json] [--limit N]

Measures of `bench/locomo.py` on the same conversations in both, and the time of a search through the API as
a ratio to one in process. The stack's users are new ones, so that it can be repeated.

LoCoMo is CC BY-NC 4.0: the file is read where it lies.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, median
from typing import Any
from uuid import uuid4

from cognis_local import Memory
from cognis_local.conversations import Conversation, load
from cognis_local.stack.client import ApiMemory
from cognis_memory.models.answers import EventAnswer, SearchAnswer
from cognis_memory.models.values import Kind, format_time
from locomo import Ingested, Outcome, answerable, ask, ingest, report


class Remote:
    """The stack's API with the methods of `Memory` that the measures use."""

    def __init__(self, url: str, api_key: str, journal: Path) -> None:
        self._api = ApiMemory(url, api_key, journal)

    def add(self, user_id: str, messages: Sequence[Mapping[str, Any]], **options: Any) -> EventAnswer:
        plain = [{**message, "timestamp": format_time(message["timestamp"])} for message in messages]
        return self._api.add(user_id, plain, idempotency_key=uuid4().hex, **options)

    def search(self, user_id: str, query: str, **options: Any) -> SearchAnswer:
        return self._api.search(user_id, query, **options)


def play(memory: Any, conversations: Sequence[Conversation]) -> tuple[list[Outcome], list[Ingested]]:
    """Ingests all and asks all; raises SystemExit for an event that fails or a message that is lost."""
    ingested = [ingest(memory, conversation) for conversation in conversations]
    outcomes = [
        ask(memory, done, question, kinds=frozenset(Kind))
        for done in ingested
        for question in answerable(done.conversation)
    ]
    return outcomes, ingested


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file, or a part of it")
    parser.add_argument("--run", type=Path, default=Path(".local/run.json"))
    parser.add_argument("--limit", type=int, help="only the first conversations")
    arguments = parser.parse_args()
    stack = json.loads(arguments.run.read_text())
    suffix = uuid4().hex[:8]
    conversations = [
        replace(conversation, id=f"{conversation.id}-{suffix}")
        for conversation in load(arguments.path)[: arguments.limit]
    ]
    with tempfile.TemporaryDirectory() as name:
        with Memory(Path(name, "memory")) as memory:
            inside, _ = play(memory, conversations)
        started = time.perf_counter()
        remote = Remote(stack["url"], stack["api_key"], Path(name, "journal.json"))
        outside, ingested = play(remote, conversations)
    messages = sum(len(done.turns) for done in ingested)
    facts = sum(done.facts for done in ingested)
    print(f"{messages} messages and {facts} facts through the API, {len(outside)} questions, in all "
          f"{time.perf_counter() - started:.0f} s; no event failed, no message lost")  # fmt: skip
    report("facts by rules and turns", [("in process", inside), ("through the API", outside)])
    ratio = median(o.seconds for o in outside) / median(o.seconds for o in inside)
    recalls = [mean(o.recalls[10] for o in outcomes) for outcomes in (inside, outside)]
    print(f"\nR@10 in process {recalls[0]:.3f}, through the API {recalls[1]:.3f}; "
          f"a search takes {ratio:.2f} times as long, p50")  # fmt: skip


if __name__ == "__main__":
    main()
