"""How long the erasure of a large user takes, and how much memory.

    python bench/erasure.py [--memories 50000] [--endpoint http://127.0.0.1:4566]

The user is written straight into the ledger, a message and two vectors to each memory, and into a shard;
then a process of its own erases everything, state by state as the machine does. Memory is that process's
resident set at its highest beside what it had when it began. The ledger is SQLite and all files lie in a
folder, unless `--endpoint` names a stand-in for AWS, such as that of `make run`: then it is DynamoDB, and
files are in S3, in a table and a bucket that are made for the run.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import numpy as np

from cognis_local.models.clients import LocalEmbedder
from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.adapters.dynamodb.schema import table_definition
from cognis_memory.adapters.files import FolderPayloadStore, FolderTransferFiles
from cognis_memory.adapters.s3 import S3PayloadStore, S3TransferFiles
from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.adapters.shards.file_cache import FileCache
from cognis_memory.adapters.shards.s3 import S3ShardStore
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.adapters.system import new_event_id, now
from cognis_memory.domain.matryoshka import normalise
from cognis_memory.models.commit import ChainWrite, Commit, DocumentWrite
from cognis_memory.models.event import EventReference
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Owner, Role
from cognis_memory.services.memories import erasing
from cognis_memory.services.memories.erasing import ErasureState, LedgerAnswer, StoresAnswer
from cognis_memory.services.memories.ports import MemoryPorts
from cognis_memory.services.projection import Projector

OWNER = Owner("bench", "user")
MODEL = "bench"
SAID = datetime(2026, 7, 1, tzinfo=UTC)
AT_ONCE = 15


def open_ports(folder: Path, endpoint: str | None, stores: str) -> MemoryPorts:
    ledger: Any
    payloads: Any
    files: Any
    shards: Any
    if endpoint is None:
        ledger = SqliteLedger(folder / "ledger.sqlite3")
        payloads, files = FolderPayloadStore(folder / "payloads"), FolderTransferFiles(folder / "transfers")
        shards = FolderShardStore(folder / "shards")
    else:
        s3 = client("s3", endpoint)
        ledger = DynamoLedger(stores, client("dynamodb", endpoint))
        payloads, files = S3PayloadStore(stores, s3, "payloads/"), S3TransferFiles(stores, s3, "transfers/")
        shards = S3ShardStore(s3, stores, FileCache(folder / "cache", 400_000_000), prefix="shards/")
    projector = Projector(ledger, [UserShards(shards, MODEL)])
    return MemoryPorts(ledger, payloads, files, LocalEmbedder(), projector, now)


def client(service: Any, endpoint: str) -> Any:
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    return boto3.client(service, region_name="us-east-1", endpoint_url=endpoint, **keys)


def fill(ports: MemoryPorts, memories: int) -> None:
    random = np.random.default_rng(7)
    for first in range(0, memories, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, memories))
        vectors = normalise(random.standard_normal((2 * len(numbers), 768)).astype(np.float32))
        made = [memory(number) for number in numbers]
        documents = [*made, *map(message, numbers)]
        ports.ledger.commit(
            Commit(
                id=f"fill-{first:06}",
                owner=OWNER,
                epoch=0,
                created_at=SAID,
                documents=tuple(DocumentWrite(d, v) for d, v in zip(documents, vectors, strict=True)),
                chains=tuple(ChainWrite(each.chain_id, (each.id,), 1) for each in made),
            )
        )
    ports.projector.rebuild(OWNER)


def memory(number: int) -> Memory:
    return Memory(
        id=f"mem_{number:06}",
        tenant_id=OWNER.tenant_id,
        user_id=OWNER.user_id,
        event_id=f"evt_{number:06}",
        position=number,
        chain_id=f"mem_{number:06}",
        content=f"The user has been to place {number}, liked it there and wants to go again",
        category=Category.TRAVEL,
        timestamp=SAID,
        valid_from=SAID,
        source_messages=(f"msg_{number:06}",),
        created_at=SAID,
        updated_at=SAID,
        embedding_model=MODEL,
        revision=1,
    )


def message(number: int) -> Message:
    return Message(
        id=f"msg_{number:06}",
        tenant_id=OWNER.tenant_id,
        user_id=OWNER.user_id,
        event_id=f"evt_{number:06}",
        position=number,
        role=Role.USER,
        speaker="user",
        content=f"Last week I went to place {number}. It was lovely. 場所{number}に行きました。",
        timestamp=SAID,
        links=(f"mem_{number:06}",),
        created_at=SAID,
        embedding_model=MODEL,
        revision=1,
    )


def erase(folder: Path, endpoint: str | None, stores: str, reference: EventReference) -> None:
    """In a process of its own: runs the states, prints what each took."""
    ports = open_ports(folder, endpoint, stores)
    ports.ledger.erasure_epoch(OWNER)
    before = resident_megabytes()
    runs: Counter[str] = Counter()
    seconds: Counter[str] = Counter()

    def run(name: str, state: Callable[[MemoryPorts, ErasureState], ErasureState]) -> None:
        nonlocal at
        started = time.perf_counter()
        at = state(ports, at)
        seconds[name] += time.perf_counter() - started
        runs[name] += 1

    at = ErasureState(tenant_id=reference.tenant_id, event_id=reference.event_id)
    while at.stores is not StoresAnswer.EMPTY:
        run(erasing.ERASE_LEDGER, erasing.erase_ledger)
        if at.ledger is LedgerAnswer.LEFT:
            continue
        run(erasing.ERASE_PAYLOADS, erasing.erase_payloads)
        run(erasing.DROP_INDEXES, erasing.drop_indexes)
        run(erasing.VERIFY_ERASURE, erasing.verify_erasure)
    for name, passed in seconds.items():
        print(f"{name:<16} {runs[name]:>3} runs {passed:>8.2f} s")
    event = ports.ledger.get_event(reference.tenant_id, reference.event_id)
    counted = ", ".join(f"{number:,} {name}" for name, number in event.counts.items()) if event else ""
    print(f"whole {sum(seconds.values()):.1f} s; {counted}")
    print(f"memory: {resident_megabytes() - before:.0f} MB at the highest beside {before:.0f} MB")


def resident_megabytes() -> float:
    """Of this process at its highest; what `getrusage` says is its parent's, too."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=50_000)
    parser.add_argument("--endpoint")
    arguments = parser.parse_args()
    stores = f"bench-{uuid.uuid4().hex[:12]}"
    if arguments.endpoint:
        client("dynamodb", arguments.endpoint).create_table(**table_definition(stores))
        client("s3", arguments.endpoint).create_bucket(Bucket=stores)
    with tempfile.TemporaryDirectory() as name:
        ports = open_ports(Path(name), arguments.endpoint, stores)
        started = time.perf_counter()
        fill(ports, arguments.memories)
        print(f"{arguments.memories:,} memories written in {time.perf_counter() - started:.0f} s", flush=True)
        event = erasing.request_erasure(ports.ledger, OWNER, new_event_id(now()), now)
        given = (Path(name), arguments.endpoint, stores, event.reference)
        process = multiprocessing.get_context("spawn").Process(target=erase, args=given)
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(process.exitcode)


if __name__ == "__main__":
    main()
