"""An index takes another's place while it is read and written, and after the process was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from indexed_ledger import IndexedLedger
from migration_steps import STEPS, script_of
from search_indexes import ANA, MODEL, NodeIndex, document, documents, found, ids, vector

from cognis_memory.adapters.opensearch import IndexSettings, OpenSearchConnection
from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from cognis_memory.adapters.opensearch.generations import OwnerRecords
from cognis_memory.adapters.opensearch.migration import IndexMigration, MigrationProgress
from cognis_memory.adapters.opensearch.names import SingleIndex
from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.errors import Conflict, IndexUnavailable, ModelMismatch
from cognis_memory.models.values import Owner

OWNERS = [Owner("acme", f"user-{number}") for number in range(6)]
TWO_SHARDS = IndexSettings(shards=2, refresh_seconds=0.02)
ONE_SHARD = IndexSettings(shards=1, refresh_seconds=0.02)


@pytest.fixture
def ledger(node_index: NodeIndex) -> IndexedLedger:
    return IndexedLedger(node_index.open())


@pytest.fixture
def catalog(node_index: NodeIndex) -> IndexCatalog:
    return IndexCatalog(node_index.connection, node_index.names)


def migration_of(
    node_index: NodeIndex,
    ledger: IndexedLedger,
    report: Callable[[MigrationProgress], None] = lambda _: None,
    model_id: str = MODEL,
) -> IndexMigration:
    return IndexMigration(
        node_index.connection, node_index.names, model_id, ledger.documents, workers=2, report=report
    )


def in_use(catalog: IndexCatalog) -> int:
    used = catalog.in_use()
    assert used
    assert used.read
    assert not used.blocked
    return used.number


def test_searches_and_writes_go_on(
    node_index: NodeIndex, ledger: IndexedLedger, catalog: IndexCatalog
) -> None:
    for owner in OWNERS:
        ledger.put(owner, *documents(0, 1, 2))
    ended = threading.Event()

    def search(owner: Owner) -> int:
        index, searches = node_index.through(OpenSearchConnection(node_index.node)), 0
        while not ended.is_set():
            expected = ledger.written(owner)
            hits = index.candidates(owner, "place", vector(0), filter=EVERYTHING, nearest=500, matching=500)
            assert expected <= set(hits.nearest)
            assert expected <= set(hits.matched)
            searches += 1
        return searches

    def write(owner: Owner) -> int:
        number = 3
        while not ended.is_set():
            ledger.put(owner, document(number))
            if number % 5 == 0:
                ledger.put(owner, document(1_000 + number))
                ledger.delete(owner, document(1_000 + number).id)
            number += 1
        return number

    with ThreadPoolExecutor(4) as threads:
        searching = [threads.submit(search, owner) for owner in (OWNERS[0], OWNERS[5])]
        writing = [threads.submit(write, owner) for owner in OWNERS[:2]]
        try:
            for settings in (TWO_SHARDS, ONE_SHARD):
                migration = migration_of(node_index, ledger)
                assert migration.run(settings).refused_seconds < 30
                migration.finish()
        finally:
            ended.set()
        assert all(each.result() for each in searching)
        numbers = [each.result() for each in writing]

    assert in_use(catalog) == 3
    index = node_index.open()
    for owner, number in zip(OWNERS, [*numbers, 3, 3, 3, 3], strict=True):
        assert found(index, owner=owner) == ids(*range(number))
        assert index.leftovers(owner) == 0


def test_a_search_that_falls_upon_the_change_finds_everything(
    node_index: NodeIndex, ledger: IndexedLedger
) -> None:
    """It may have read the owner's record in the older index when it reads the documents in the newer."""
    ledger.put(ANA, *documents(1, 2))
    migrated = migration_of(node_index, ledger).run()

    record = OwnerRecords(node_index.connection, SingleIndex(migrated.before), MODEL).lookup(ANA)
    body = {"query": record, "docvalue_fields": ["id"]}
    answer = node_index.connection.request("POST", f"/{migrated.name}/_search", body)
    assert {hit["fields"]["id"][0] for hit in answer["hits"]["hits"]} == ids(1, 2)


def test_a_writer_that_was_overtaken_by_the_change_removes_nothing(
    node_index: NodeIndex, ledger: IndexedLedger
) -> None:
    """It has read the owner's generation in the older index when it writes to the newer."""
    ledger.put(ANA, *documents(1, 2))
    late = node_index.open()
    migration_of(node_index, ledger).run()
    read = late._records.opened
    older = OwnerRecords(node_index.connection, SingleIndex(node_index.names.version(1)), MODEL)

    with pytest.MonkeyPatch.context() as patch:
        answers = iter([older.opened(ANA), read(ANA)])
        patch.setattr(late._records, "opened", lambda _: next(answers))
        late.apply(ANA, [document(3)], [])

    assert found(late) == ids(1, 2, 3)
    assert late.leftovers(ANA) == 0


def test_who_was_erased_meanwhile_is_not_in_the_new_index(
    node_index: NodeIndex, ledger: IndexedLedger
) -> None:
    for owner in OWNERS:
        ledger.put(owner, *documents(1, 2))

    def erase(progress: MigrationProgress) -> None:
        if progress.number == 1 and not progress.last and ledger.written(OWNERS[3]):
            ledger.erase(OWNERS[3])

    migration_of(node_index, ledger, erase).run()

    index = node_index.open()
    assert not index.exists(OWNERS[3])
    assert len(list(index.owner_keys())) == len(OWNERS) - 1
    assert found(index, owner=OWNERS[2]) == ids(1, 2)


@pytest.mark.parametrize("step", STEPS)
def test_after_a_kill_another_run_goes_on(node_index: NodeIndex, catalog: IndexCatalog, step: str) -> None:
    index = node_index.open()
    for owner in OWNERS:
        index.apply(owner, documents(1, 2, 3), [])

    command = [sys.executable, *script_of(step, node_index.node, node_index.names.base)]
    killed = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    for owner in OWNERS:
        assert found(index, owner=owner) == ids(1, 2, 3)

    ledger = IndexedLedger(index)
    for owner in OWNERS:
        ledger._documents[owner] = {each.id: each for each in documents(1, 2, 3)}
    migration = migration_of(node_index, ledger)
    migration.run()
    migration.finish()

    assert in_use(catalog) == 2
    assert [version.replaces for version in catalog.versions()] == [None, None]
    for owner in OWNERS:
        assert found(index, owner=owner) == ids(1, 2, 3)
        assert index.leftovers(owner) == 0
        index.apply(owner, [document(4)], [])


def test_an_unfinished_run_can_be_aborted(node_index: NodeIndex, catalog: IndexCatalog) -> None:
    index = node_index.open()
    index.apply(OWNERS[0], documents(1, 2, 3), [])
    command = [sys.executable, *script_of("refused", node_index.node, node_index.names.base)]
    subprocess.run(command, check=False, capture_output=True, timeout=60)
    with pytest.raises(IndexUnavailable):
        index.apply(OWNERS[0], [document(4)], [])

    removed = migration_of(node_index, IndexedLedger(index)).abort()

    assert removed == [node_index.names.version(2)]
    assert in_use(catalog) == 1
    index.apply(OWNERS[0], [document(4)], [])
    assert found(index, owner=OWNERS[0]) == ids(1, 2, 3, 4)


def test_a_fault_on_the_way_leaves_writes_allowed(
    node_index: NodeIndex, ledger: IndexedLedger, catalog: IndexCatalog
) -> None:
    ledger.put(ANA, *documents(1, 2))

    def fail(progress: MigrationProgress) -> None:
        if progress.last:
            raise RuntimeError("the operator's terminal is gone")

    def change_and_fail(progress: MigrationProgress) -> None:
        if not progress.last:
            ledger.put(ANA, document(3, revision=progress.number))
        fail(progress)

    with pytest.raises(RuntimeError, match="terminal"):
        migration_of(node_index, ledger, change_and_fail).run()

    assert in_use(catalog) == 1
    ledger.put(ANA, document(4))
    migration_of(node_index, ledger).run()
    assert found(node_index.open()) == ids(1, 2, 3, 4)


def test_a_version_begun_otherwise_is_not_taken_for_ones_own(
    node_index: NodeIndex, ledger: IndexedLedger, catalog: IndexCatalog
) -> None:
    ledger.put(ANA, *documents(1))
    used = catalog.in_use()
    assert used
    catalog.create(TWO_SHARDS, MODEL, replaces=used.name)

    with pytest.raises(Conflict, match="settings"):
        migration_of(node_index, ledger).run(IndexSettings(shards=3))
    with pytest.raises(Conflict, match="abort"):
        migration_of(node_index, ledger, model_id="another-model").run()
    assert migration_of(node_index, ledger).run().name == node_index.names.version(2)


def test_a_process_with_another_model_is_told_so_after_the_change(
    node_index: NodeIndex, ledger: IndexedLedger
) -> None:
    ledger.put(ANA, *documents(1, 2))
    before = node_index.open()
    migration_of(node_index, ledger, model_id="another-model").run()

    with pytest.raises(ModelMismatch):
        found(before)
    with pytest.raises(ModelMismatch):
        before.apply(ANA, [document(3)], [])
