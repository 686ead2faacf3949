"""Version chains under concurrent writers."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from cognis_memory.errors import LedgerUnavailable, RevisionConflict
from cognis_memory.models.commit import Commit
from cognis_memory.models.memory import Memory
from cognis_memory.ports import Ledger

from .builders import NOW, OWNER, chain, commit, memory, memory_id

CHAIN_ID = memory_id(1)


def next_version(ledger: Ledger, number: int) -> Commit:
    """Closes the current version that is read now and adds one more."""
    held = ledger.get_chains(OWNER, [CHAIN_ID])[CHAIN_ID]
    current = held.versions[-1]
    closed = current.model_copy(
        update={"is_current": False, "valid_until": NOW, "revision": current.revision + 1}
    )
    new = memory(number, chain_id=CHAIN_ID, version=len(held.versions) + 1, replaces_id=current.id)
    versions = (*held.versions[:-1], closed, new)
    return commit(closed, new, number=number, chains=(chain(*versions, revision=held.revision + 1),))


def append(ledger: Ledger, number: int) -> int:
    """Adds a version, however often others come first; how often they did."""
    conflicts = 0
    while True:
        try:
            ledger.commit(next_version(ledger, number))
        except (RevisionConflict, LedgerUnavailable):
            conflicts += 1
        else:
            return conflicts


def assert_whole(versions: tuple[Memory, ...]) -> None:
    assert [version.is_current for version in versions] == [False] * (len(versions) - 1) + [True]
    assert [version.replaces_id for version in versions] == [None, *(v.id for v in versions[:-1])]
    assert [version.version for version in versions] == list(range(1, len(versions) + 1))


def test_versions_come_in_the_order_of_the_chain(ledger: Ledger) -> None:
    first, second = memory(1), memory(2, chain_id=CHAIN_ID)
    ledger.commit(commit(first, second, chains=(replace(chain(second, first), chain_id=CHAIN_ID),)))

    held = ledger.get_chains(OWNER, [CHAIN_ID, "mem_unknown"])
    assert [version.id for version in held[CHAIN_ID].versions] == [second.id, first.id]
    assert list(held) == [CHAIN_ID]


def test_a_long_chain_is_read_whole(ledger: Ledger) -> None:
    versions = [memory(number, chain_id=CHAIN_ID) for number in range(1, 121)]
    for start in range(0, len(versions), 60):
        ledger.commit(commit(*versions[start : start + 60], number=start))
    ledger.commit(commit(number=999, chains=(chain(*versions),)))

    assert ledger.get_chains(OWNER, [CHAIN_ID])[CHAIN_ID].versions == tuple(versions)


def test_of_two_writers_who_read_the_same_chain_one_is_refused(ledger: Ledger) -> None:
    ledger.commit(commit(memory(1), chains=(chain(memory(1)),), number=0))
    one, other = next_version(ledger, 2), next_version(ledger, 3)
    ledger.commit(one)

    refused = False
    try:
        ledger.commit(other)
    except RevisionConflict:
        refused = True
    assert refused
    assert ledger.get_memories(OWNER, [memory_id(3)]) == {}
    assert_whole(ledger.get_chains(OWNER, [CHAIN_ID])[CHAIN_ID].versions)


def test_concurrent_writers_make_no_forks_and_lose_nothing(ledger: Ledger) -> None:
    ledger.commit(commit(memory(1), chains=(chain(memory(1)),), number=0))
    numbers = range(2, 12)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: append(ledger, number), numbers))

    versions = ledger.get_chains(OWNER, [CHAIN_ID])[CHAIN_ID].versions
    assert {version.id for version in versions} == {memory_id(n) for n in (1, *numbers)}
    assert_whole(versions)


def test_readers_see_a_chain_before_or_after_a_commit_and_never_between(ledger: Ledger) -> None:
    ledger.commit(commit(memory(1), chains=(chain(memory(1)),), number=0))
    done = threading.Event()

    def read() -> int:
        reads = 0
        while not done.is_set() or not reads:
            try:
                assert_whole(ledger.get_chains(OWNER, [CHAIN_ID])[CHAIN_ID].versions)
            except LedgerUnavailable:  # the chain moved at each of several attempts
                continue
            reads += 1
        return reads

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        try:
            for number in range(2, 14):
                append(ledger, number)
        finally:
            done.set()
        assert all(reader.result() > 0 for reader in readers)
