"""Retrieval on LoCoMo: share of evidence turns among the first results, and how soon the first one comes.

    python bench/locomo.py PATH [--facts rules|observations|none] [--settings default|paper] [--limit N]
                                [--opensearch URL]

Every conversation of the file becomes one user of a fresh folder; its sessions go in through all four stages
and its answerable questions (categories 1 to 4 with evidence) through all eight. A result stands for the
turns that it was made of: a message for itself, a memory for its source messages. Recall at k is the share
of a question's evidence turns that the first k results stand for, MRR the mean of 1 / rank of the first
result with evidence. `--facts observations` takes the data set's own observations for extracted facts.
`--opensearch` fills an index on that node (`make opensearch` starts one) with what was ingested, and asks it
the same questions.

LoCoMo is CC BY-NC 4.0: the file is read where it lies.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, quantiles

from cognis_local import Memory
from cognis_local.conversations import Conversation, Question, load
from cognis_local.extraction import RulesExtractor
from cognis_memory.adapters.opensearch import (
    IndexNames,
    IndexSettings,
    OpenSearchConnection,
    OpenSearchIndex,
)
from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from cognis_memory.domain.settings import DEFAULT, KEYWORD, PAPER, VECTOR, RetrievalSettings
from cognis_memory.models.event import EventStatus
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest
from cognis_memory.models.values import Category, Kind, Operation
from cognis_memory.ports import Extractor
from cognis_memory.services.projection import Projector

CUTS = (5, 10, 20)
ALONE = {
    "rerank_depth": 0,
    "speaker_boost": 0,
    "temporal_gain": 0,
    "neighbour_gain": 0,
    "demote_covered": False,
    "cjk_fusion_weights": None,
}
HEADINGS = ("R@5", "R@10", "R@20", "MRR", "session@5", "p50 ms", "p95 ms")


class Observations:
    """LoCoMo's own observations in place of an extractor: each an ADD of the turn that is its evidence."""

    chunk_messages = 1

    def __init__(self, path: Path) -> None:
        self._facts: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        self._turns: dict[tuple[str, str, int], str] = {}
        for sample in json.loads(path.read_text(encoding="utf-8")):
            for session in sample.get("observation", {}).values():
                for speaker, facts in session.items():
                    for text, evidence in facts:
                        for turn in [evidence] if isinstance(evidence, str) else evidence:
                            self._facts[sample["sample_id"], turn].append((speaker, text))

    def know(self, conversation: Conversation) -> None:
        for session in conversation.sessions:
            for position, turn in enumerate(session.turns):
                self._turns[conversation.id, session.context_id, position] = turn.id

    def extract(self, request: ExtractionRequest) -> Extraction:
        message = request.messages[0]
        turn = self._turns[message.user_id, message.context_id or "", message.position]
        return Extraction(
            tuple(
                ExtractedFact(
                    operation=Operation.ADD,
                    content=text,
                    category=Category.PERSONAL_DETAILS,
                    message_index=0,
                    subject=speaker,
                    speaker=speaker,
                    event_time=message.event_time,
                    event_end=message.event_end,
                )
                for speaker, text in self._facts[message.user_id, turn]
            )
        )


class NoFacts:
    """Raw turns only."""

    chunk_messages = 1

    def extract(self, request: ExtractionRequest) -> Extraction:
        return Extraction(())


@dataclass
class Ingested:
    """A conversation in a store, with the turn that each message id stands for."""

    conversation: Conversation
    turns: dict[str, str] = field(default_factory=dict)
    facts: int = 0


@dataclass
class Outcome:
    """What one question got: recall per cut, reciprocal rank, session hit, seconds."""

    kind: str
    recalls: dict[int, float]
    reciprocal_rank: float
    session_hit: bool
    seconds: float


def ingest(memory: Memory, conversation: Conversation) -> Ingested:
    done = Ingested(conversation)
    for session in conversation.sessions:
        event = memory.add(
            conversation.id,
            [
                {
                    "role": turn.role,
                    "speaker": turn.speaker,
                    "content": turn.content,
                    "timestamp": turn.timestamp,
                }
                for turn in session.turns
            ],
            context_id=session.context_id,
            timezone=conversation.timezone,
        )
        if event.status is not EventStatus.SUCCEEDED or len(event.messages) != len(session.turns):
            raise SystemExit(f"{conversation.id} {session.context_id}: {event.status} {event.error}")
        done.turns |= dict(zip(event.messages, (turn.id for turn in session.turns), strict=True))
        done.facts += sum(operation.operation is Operation.ADD for operation in event.operations)
    return done


def ask(memory: Memory, done: Ingested, question: Question, *, kinds: frozenset[Kind]) -> Outcome:
    started = time.perf_counter()
    answer = memory.search(
        done.conversation.id,
        question.text,
        top_k=max(CUTS),
        include_messages=Kind.MESSAGE in kinds,
        reference_time=done.conversation.ended_at,
        timezone=done.conversation.timezone,
        filters=None if Kind.MEMORY in kinds else {"kind": {"eq": "message"}},
    )
    seconds = time.perf_counter() - started
    covered = [
        {done.turns[id_] for id_ in result.source_messages if id_ in done.turns} for result in answer.results
    ]
    evidence = set(question.evidence)
    hits = [turns & evidence for turns in covered]
    first = next((rank for rank, hit in enumerate(hits, start=1) if hit), None)
    sessions = {turn.split(":")[0] for turn in evidence}
    return Outcome(
        kind=question.kind or "",
        recalls={k: len(set().union(*hits[:k])) / len(evidence) for k in CUTS},
        reciprocal_rank=1 / first if first else 0.0,
        session_hit=any(turn.split(":")[0] in sessions for turns in covered[:5] for turn in turns),
        seconds=seconds,
    )


def answerable(conversation: Conversation) -> list[Question]:
    return [q for q in conversation.questions if q.evidence and q.kind != "unanswerable"]


def run(
    folder: Path,
    ingested: Sequence[Ingested],
    settings: RetrievalSettings,
    kinds: Iterable[Kind] = tuple(Kind),
    index: OpenSearchIndex | None = None,
) -> list[Outcome]:
    with Memory(folder, settings=settings) as memory:
        if index is not None:
            memory.retrieval = replace(memory.retrieval, vectors=index, keywords=index, combined=index)
        return [
            ask(memory, done, question, kinds=frozenset(kinds))
            for done in ingested
            for question in answerable(done.conversation)
        ]


@contextmanager
def filled(folder: Path, node: str) -> Iterator[OpenSearchIndex]:
    """An index on the node with everything that the folder's ledger holds, removed with the block."""
    connection, names = OpenSearchConnection(node), IndexNames(f"locomo-{uuid.uuid4().hex}")
    catalog = IndexCatalog(connection, names)
    with Memory(folder) as memory:
        model_id, ledger = memory.retrieval.embedder.model_id, memory.retrieval.ledger
        catalog.lead_to(catalog.create(IndexSettings(shards=1), model_id))
        index = OpenSearchIndex(connection, model_id, names=names)
        for owner in ledger.owners():
            Projector(ledger, [index]).rebuild(owner)
    try:
        yield index
    finally:
        for version in catalog.versions():
            catalog.delete(version.name)


def row(label: str, outcomes: Sequence[Outcome]) -> str:
    recalls = " ".join(f"{mean(o.recalls[k] for o in outcomes):6.3f}" for k in CUTS)
    times = quantiles((o.seconds * 1000 for o in outcomes), n=20)
    return (
        f"{label:<26} {recalls} {mean(o.reciprocal_rank for o in outcomes):6.3f} "
        f"{mean(o.session_hit for o in outcomes):9.3f} {times[9]:8.1f} {times[18]:8.1f}"
    )


def report(title: str, rows: Iterable[tuple[str, Sequence[Outcome]]]) -> None:
    widths = (6, 6, 6, 6, 9, 8, 8)
    headings = " ".join(f"{heading:>{width}}" for heading, width in zip(HEADINGS, widths, strict=True))
    print(f"\n{title}\n{'':<26} {headings}")
    for label, outcomes in rows:
        print(row(label, outcomes), flush=True)


def extractor(kind: str, path: Path) -> Extractor:
    makers: dict[str, Callable[[], Extractor]] = {
        "rules": RulesExtractor,
        "observations": lambda: Observations(path),
        "none": NoFacts,
    }
    return makers[kind]()


def measure(
    path: Path, facts: str, settings: RetrievalSettings, limit: int | None, node: str | None
) -> list[Outcome]:
    """Prints all tables and returns the outcomes of the given settings over facts and turns."""
    conversations = load(path)[:limit]
    chosen = extractor(facts, path)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.perf_counter()
        with Memory(folder, extractor=chosen) as memory:
            ingested = []
            for conversation in conversations:
                if isinstance(chosen, Observations):
                    chosen.know(conversation)
                ingested.append(ingest(memory, conversation))
        turns = sum(len(done.turns) for done in ingested)
        made = sum(done.facts for done in ingested)
        questions = sum(len(answerable(done.conversation)) for done in ingested)
        print(f"{len(ingested)} conversations, {turns} turns and {made} facts ({facts}) in "
              f"{time.perf_counter() - started:.0f} s; {questions} questions")  # fmt: skip
        outcomes = run(folder, ingested, settings)
        compared = {
            "BM25 alone": replace(settings, fusion_weights={VECTOR: 0.0, KEYWORD: 1.0}, **ALONE),
            "vectors alone": replace(settings, fusion_weights={VECTOR: 1.0, KEYWORD: 0.0}, **ALONE),
            "without reranker": replace(settings, rerank_depth=0),
        }
        if settings is not PAPER:
            compared["settings of the paper"] = PAPER
        rows = [(label, run(folder, ingested, other)) for label, other in compared.items()]
        if made:
            rows.append((f"facts alone ({facts})", run(folder, ingested, settings, [Kind.MEMORY])))
        rows.append(("turns alone", run(folder, ingested, settings, [Kind.MESSAGE])))
        if node:
            with filled(folder, node) as index:
                rows.append(("in OpenSearch", run(folder, ingested, settings, index=index)))
        report("facts and turns", [(f"settings {settings.name}", outcomes), *rows])
        kinds = sorted({outcome.kind for outcome in outcomes})
        report("by category", [(kind, [o for o in outcomes if o.kind == kind]) for kind in kinds])
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file, or a part of it")
    parser.add_argument("--facts", choices=("rules", "observations", "none"), default="rules")
    parser.add_argument("--settings", choices=("default", "paper"), default="default")
    parser.add_argument("--limit", type=int, help="only the first conversations")
    parser.add_argument("--opensearch", metavar="URL", help="a node to compare with")
    arguments = parser.parse_args()
    settings = {"default": DEFAULT, "paper": PAPER}[arguments.settings]
    outcomes = measure(arguments.path, arguments.facts, settings, arguments.limit, arguments.opensearch)
    recall = mean(outcome.recalls[10] for outcome in outcomes)
    print(f"\noverall R@10={recall:.3f} MRR={mean(outcome.reciprocal_rank for outcome in outcomes):.3f}")


if __name__ == "__main__":
    main()
