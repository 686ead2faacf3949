"""How fast messages are taken in, where the time goes, and whether memory stays flat.

    python bench/ingestion.py [--messages 20000] [--users 100] [--batch 20]

Users take turns, so that each is away until all others have had theirs. Half of them write English, half
Japanese; of three messages two state something. Every request carries `--batch` messages. The ratio is the
time of all stages to that of embedding the same messages alone, in the same batches, measured in the same run
just before. Memory is the resident set of this process, the models' own process apart; the ratio at the end,
of the last quarter of the run to its second, is 1 when memory is flat.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import fmean

from cognis_local import Memory
from cognis_local.memory import TENANT
from cognis_memory.adapters.system import new_event_id, now
from cognis_memory.models.event import EventStatus
from cognis_memory.models.requests import IngestRequest, read_request
from cognis_memory.models.values import Operation
from cognis_memory.services.ingestion.accept import accept
from cognis_memory.services.ingestion.embed_and_commit_memories import embed_and_commit_memories
from cognis_memory.services.ingestion.extract_memories import extract_memories
from cognis_memory.services.ingestion.lease import acquire_user_lease, release_user_lease
from cognis_memory.services.ingestion.resolve_speakers_and_dates import resolve_speakers_and_dates
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.ingestion.store_messages import store_messages

STAGES = (
    store_messages,
    resolve_speakers_and_dates,
    acquire_user_lease,
    extract_memories,
    embed_and_commit_memories,
    release_user_lease,
)
SAMPLES = 20

PLACES_EN = [
    "Lisbon",
    "the market hall",
    "Kyoto",
    "a small bakery",
    "the old harbour",
    "Bergen",
    "the library",
]
THINGS_EN = [
    "a red bicycle",
    "a jar of plum jam",
    "two concert tickets",
    "a second-hand lens",
    "a folding kayak",
]
PEOPLE_EN = ["my sister Nora", "my friend Idris", "our neighbour", "my colleague Wen", "my cousin Pilar"]
SMALL_TALK_EN = [
    "Thanks, that helps a lot!",
    "Could you explain that once more?",
    "Haha, good one.",
    "What do you think?",
]
PLACES_JA = ["金沢", "市場", "小さなパン屋", "港", "図書館", "函館", "商店街"]
THINGS_JA = ["赤い自転車", "梅ジャム", "コンサートの切符", "中古のレンズ", "折りたたみの机"]
PEOPLE_JA = ["妹の奈緒", "友達の健", "隣の人", "同僚の文さん", "いとこ"]
SMALL_TALK_JA = [
    "ありがとう、助かりました。",
    "もう一度説明してくれますか？",
    "なるほど、面白いですね。",
    "どう思いますか？",
]


def message(chance: random.Random, number: int, *, japanese: bool) -> str:
    if number % 3 == 2:
        return chance.choice(SMALL_TALK_JA if japanese else SMALL_TALK_EN)
    if japanese:
        place, thing, person = chance.choice(PLACES_JA), chance.choice(THINGS_JA), chance.choice(PEOPLE_JA)
        return chance.choice([
            f"先週、{person}と{place}に行きました。{number}枚も写真を撮りました。",
            f"昨日{place}で{thing}を買いました。{number}円でした。",
            f"来月の{number % 27 + 1}日に{place}へ行く予定です。",
        ])  # fmt: skip
    place, thing, person = chance.choice(PLACES_EN), chance.choice(THINGS_EN), chance.choice(PEOPLE_EN)
    return chance.choice([
        f"Last week I went to {place} with {person} and took {number} pictures.",
        f"I bought {thing} at {place} yesterday for {number} euros.",
        f"I'm planning to visit {place} on the {number % 27 + 1}th of next month.",
    ])  # fmt: skip


def requests(messages: int, users: int, batch: int) -> list[IngestRequest]:
    chance = random.Random(7)
    made = []
    for number in range(0, messages, batch):
        user = number // batch % users
        turns = [
            {"role": "user", "content": message(chance, number + offset, japanese=user % 2 == 1)}
            for offset in range(min(batch, messages - number))
        ]
        body = {"user_id": f"user-{user}", "context_id": f"chat-{number}", "messages": turns}
        made.append(read_request(IngestRequest, body))
    return made


def resident_megabytes() -> float:
    """Of this process, now where the system tells it, else its peak."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(row for row in status.read_text().splitlines() if row.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def growth(samples: list[float]) -> str:
    """The verdict on memory: regular samples of the last quarter against those of the second."""
    quarter = len(samples) // 4
    second, last = fmean(samples[quarter : 2 * quarter]), fmean(samples[-quarter:])
    return (
        f"resident memory: {second:.0f} MB in the second quarter, {last:.0f} MB in the last, "
        f"ratio {last / second:.2f}"
    )


def embed_alone(memory: Memory, batches: list[list[str]]) -> float:
    started = time.perf_counter()
    for texts in batches:
        memory.ingestion.embedder.embed(texts)
    return time.perf_counter() - started


def ingest(memory: Memory, request: IngestRequest, seconds: Counter[str], operations: Counter[str]) -> None:
    ports = memory.ingestion
    started = time.perf_counter()
    event, _ = accept(
        request,
        tenant_id=TENANT,
        ledger=ports.ledger,
        payloads=ports.payloads,
        clock=ports.clock,
        new_event_id=lambda: new_event_id(now()),
    )
    seconds["accept"] += time.perf_counter() - started
    state = IngestionState(tenant_id=TENANT, event_id=event.id)
    for stage in STAGES:
        started = time.perf_counter()
        state = stage(ports, state)
        seconds[stage.__name__] += time.perf_counter() - started
    done = memory.event(event.id)
    if done.status is not EventStatus.SUCCEEDED:
        raise SystemExit(f"{event.id}: {done.status} {done.error}")
    operations.update(operation.operation for operation in done.operations)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--batch", type=int, default=20)
    arguments = parser.parse_args()
    made = requests(arguments.messages, arguments.users, arguments.batch)
    texts = [[message.content for message in request.messages] for request in made]
    seconds: Counter[str] = Counter()
    operations: Counter[str] = Counter()
    resident: list[float] = []
    every = max(len(made) // SAMPLES, 1)
    with tempfile.TemporaryDirectory() as folder, Memory(folder) as memory:
        memory.ingestion.embedder.embed(["warm up"])
        alone = embed_alone(memory, texts)
        print(
            f"embedding {arguments.messages} messages alone: {arguments.messages / alone:.0f}/s", flush=True
        )
        for number, request in enumerate(made):
            ingest(memory, request, seconds, operations)
            if (number + 1) % every == 0:
                resident.append(resident_megabytes())
                taken = (number + 1) * arguments.batch
                print(f"{taken:>6} messages, {resident[-1]:.0f} MB resident", flush=True)
    whole = sum(seconds.values())
    print(f"\n{'stage':<28} {'share':>6} {'ms a message':>13} {'to embedding alone':>19}")
    for stage, passed in [*seconds.items(), ("all stages", whole)]:
        per_message = passed * 1000 / arguments.messages
        print(f"{stage:<28} {passed / whole:6.1%} {per_message:13.2f} {passed / alone:18.2f}×")
    counted = ", ".join(f"{operations[operation]} {operation}" for operation in Operation)
    print(f"\n{arguments.messages / whole:.0f} messages/s in {whole:.0f} s; {counted}")
    if len(resident) >= SAMPLES:
        print(growth(resident))


if __name__ == "__main__":
    main()
