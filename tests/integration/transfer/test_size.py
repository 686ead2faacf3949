"""Two thousand memories go out and come in, and no process holds them all while they do."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

from deployment import owner_of
from transfers import Transfers, file_of, lines_of

from cognis_memory.models.event import EventKind
from cognis_memory.ports import Ledger
from cognis_memory.services.transfer.checking import check_file
from cognis_memory.services.transfer.exporting import export_user
from cognis_memory.services.transfer.files import export_key

MEMORIES = 2_000
MEGABYTE = 2**20


@contextmanager
def at_most(megabytes: int) -> Iterator[None]:
    """Of memory that Python allocates at once, numpy's included."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < megabytes * MEGABYTE, f"{peak / MEGABYTE:.1f} MB"


def _file(transfers: Transfers) -> bytes:
    """So many memories, each of a message of its own, as one request would make them, without vectors."""
    transfers.deployment.add("model", "Note: thing.")
    header, memory, message = lines_of(transfers.export("model"))
    lines = [header | {"memories": MEMORIES, "messages": MEMORIES}]
    for line in (memory, message):
        for position in range(MEMORIES):
            id_ = line["id"][:-6] + f"{position:06d}"
            own = {"id": id_, "position": position, "content": f"thing {position}", "vector": None}
            lines.append(line | own | ({"chain_id": id_} if "chain_id" in line else {}))
    return file_of(lines)


def test_a_large_user_comes_and_goes_in_little_memory(transfers: Transfers) -> None:
    deployment = transfers.deployment
    imported = transfers.import_("ana", _file(transfers))
    assert imported.counts == {"memories": MEMORIES, "messages": MEMORIES}, imported.error
    assert _counted(deployment.ledger, "ana") == (MEMORIES, MEMORIES)
    assert deployment.found("ana", "thing 1234", include_messages=False)[0] == "thing 1234"

    event = transfers.request("ana", EventKind.EXPORT)
    with at_most(8):
        export_user(transfers.ports, event.reference)
    found = deployment.files.find(export_key(event.owner, event.id))
    assert found is not None
    assert found.size_bytes > 16 * MEGABYTE
    with at_most(8):
        check = check_file(deployment.files.read(export_key(event.owner, event.id), found.tag))
    assert (check.fault_count, check.memories, check.messages) == (0, MEMORIES, MEMORIES)


def _counted(ledger: Ledger, user: str) -> tuple[int, int]:
    memories, messages = ledger.iterate_memories(owner_of(user)), ledger.iterate_messages(owner_of(user))
    return sum(1 for _ in memories), sum(1 for _ in messages)
