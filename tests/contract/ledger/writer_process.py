"""A process that writes into a SQLite ledger until it is done or killed: writer_process.py MODE PATH FROM TO.

`stream` writes commit after commit and prints each number once its commit has returned; `append` adds
versions to one chain, in competition with other processes; `fork` writes messages in turn with a child.
"""

from __future__ import annotations

import os
import sys

from builders import OWNER, chain, commit, event, later, memory, memory_id, message, vector

from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.errors import RevisionConflict
from cognis_memory.models.commit import DocumentWrite
from cognis_memory.models.memory import Memory


def stream(ledger: SqliteLedger, start: int, end: int) -> None:
    """Each commit adds a memory, a message and their vectors, lengthens one chain and moves the event."""
    current = ledger.create_event(event())
    versions: tuple[Memory, ...] = ()
    for number in range(start, end):
        current = later(current, cursor=number)
        added = memory(number, chain_id=memory_id(1))
        versions = (*versions, added)
        ledger.commit(
            commit(
                DocumentWrite(added, vector(number)),
                DocumentWrite(message(number), vector(number)),
                number=number,
                event=current,
                chains=(chain(*versions, revision=number),),
            )
        )
        print(number, flush=True)


def append(ledger: SqliteLedger, start: int, end: int) -> None:
    for number in range(start, end):
        while True:
            held = ledger.get_chains(OWNER, [memory_id(1)])[memory_id(1)]
            added = memory(number, chain_id=memory_id(1))
            try:
                ledger.commit(
                    commit(
                        added,
                        number=number,
                        chains=(chain(*held.versions, added, revision=held.revision + 1),),
                    )
                )
            except RevisionConflict:
                continue
            break


def fork(ledger: SqliteLedger, start: int, end: int) -> None:
    for number in range(start, end):
        ledger.commit(commit(message(2 * number), number=2 * number))
        if child := os.fork():
            _, status = os.waitpid(child, 0)
            if status:
                sys.exit("the child used a connection of its parent")
            continue
        before = len(os.listdir("/proc/self/fd"))
        ledger.commit(commit(message(2 * number + 1), number=2 * number + 1))
        os._exit(len(os.listdir("/proc/self/fd")) <= before)


if __name__ == "__main__":
    mode, path, start, end = sys.argv[1:]
    with SqliteLedger(path) as opened:
        {"stream": stream, "append": append, "fork": fork}[mode](opened, int(start), int(end))
