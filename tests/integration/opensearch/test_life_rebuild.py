"""Every user is projected anew, while the index is used and after the process was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment, owner_of
from engines import Description, describe, open_deployment
from rebuild_steps import BATCH, Counted, script_of
from search_indexes import NodeIndex, documents

from cognis_memory.adapters.opensearch.bulk import BulkWriter, item
from cognis_memory.adapters.opensearch.documents import document_body, document_key
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.errors import IndexRefused
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Owner
from cognis_memory.services import rebuilding
from cognis_memory.services.rebuilding import RebuildNotes, rebuild_all
from cognis_memory.services.verification import verify

USERS = [f"user-{number}" for number in range(10)]


@pytest.fixture(params=["opensearch", "shards"])
def description(request: pytest.FixtureRequest, tmp_path: Path) -> Description:
    if request.param == "shards":
        return describe(tmp_path)
    made: NodeIndex = request.getfixturevalue("node_index")
    return describe(tmp_path, node=made.node, index=made.names.base)


@pytest.fixture
def opened(description: Description) -> Iterator[Deployment]:
    deployment = open_deployment(description)
    for user in USERS:
        deployment.add(user, f"Note: {user} was in Kyoto.")
    yield deployment
    deployment.close()


def test_a_killed_rebuild_goes_on_where_it_was(
    opened: Deployment, description: Description, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user in USERS:
        opened.index.replace(owner_of(user), iter([]))
    script = script_of(description, "searched", after=BATCH + 2)
    killed = subprocess.run(
        [sys.executable, *script], check=False, capture_output=True, text=True, timeout=60
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr

    monkeypatch.setattr(rebuilding, "BATCH", BATCH)
    index, notes = Counted(opened.index), RebuildNotes(opened.payloads, "searched")
    rebuilt = rebuild_all(opened.ledger, index, notes, resume=True)  # type: ignore[arg-type]

    assert rebuilt.owners == len(index.owners) == len(USERS) - BATCH
    assert verify(opened.ledger, opened.index).clean
    assert notes.read() == ("", set())
    assert rebuild_all(opened.ledger, opened.index, notes, resume=True).owners == len(USERS)


def test_who_fails_is_passed_over_and_tried_again(
    opened: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuilding, "BATCH", BATCH)

    class Refusing(Counted):
        def replace(self, owner: Owner, documents: Iterator[IndexDocument]) -> None:
            if owner.user_id == USERS[3]:
                raise IndexRefused("a document is too large")
            super().replace(owner, documents)

    notes = RebuildNotes(opened.payloads, "searched")
    rebuilt = rebuild_all(opened.ledger, Refusing(opened.index), notes)  # type: ignore[arg-type]
    assert list(rebuilt.failed) == [owner_of(USERS[3])]
    assert rebuilt.owners == len(USERS)

    index = Counted(opened.index)
    assert not rebuild_all(opened.ledger, index, notes, resume=True).failed  # type: ignore[arg-type]
    assert index.owners == [owner_of(USERS[3])]


def test_reads_and_writes_go_on(opened: Deployment) -> None:
    ended = threading.Event()

    def use(user: str) -> int:
        number = 0
        while not ended.is_set():
            opened.add(user, f"Note: thing{number} was bought.")
            assert opened.found(user, f"thing{number}"), "what was said is not found"
            assert any("Kyoto" in text for text in opened.found(user, "Kyoto"))
            number += 1
        return number

    with ThreadPoolExecutor(2) as threads:
        using = [threads.submit(use, user) for user in USERS[:2]]
        try:
            for name in ("one", "two"):
                rebuild_all(opened.ledger, opened.index, RebuildNotes(opened.payloads, name))
        finally:
            ended.set()
        assert all(each.result() for each in using)

    found = verify(opened.ledger, opened.index)
    assert found.clean, found
    assert found.owners == len(USERS)


def test_damage_that_keeps_an_index_from_being_read_is_repaired(tmp_path: Path) -> None:
    opened = open_deployment(describe(tmp_path))
    opened.add("ana", "Note: Kyoto in spring.")
    key = owner_key(owner_of("ana"))
    for file in (tmp_path / "shards" / key[:2] / key).iterdir():
        file.write_bytes(b"no shard" + file.read_bytes()[8:])
    damaged = open_deployment(describe(tmp_path))

    (difference,) = verify(damaged.ledger, damaged.index).differences
    assert difference.unreadable == "CorruptData"
    assert verify(damaged.ledger, damaged.index, repair=True).repaired == 1
    assert verify(damaged.ledger, damaged.index).clean
    opened.close()
    damaged.close()


def test_an_abandoned_generation_is_found_and_removed(node_index: NodeIndex, tmp_path: Path) -> None:
    opened = open_deployment(describe(tmp_path, node=node_index.node, index=node_index.names.base))
    opened.add("ana", "Note: Kyoto in spring.")
    owner = owner_of("ana")
    _abandon(node_index, owner, *documents(1, 2, 3))

    assert opened.index.leftovers(owner) == 3
    (difference,) = verify(opened.ledger, opened.index).differences
    assert difference.leftovers == 3
    assert not difference.missing
    assert verify(opened.ledger, opened.index, repair=True).clean
    assert opened.index.leftovers(owner) == 0
    opened.close()


def _abandon(node_index: NodeIndex, owner: Owner, *abandoned: IndexDocument) -> None:
    """Leaves what a replacement leaves that is killed before it ends."""

    def lines(each: IndexDocument) -> str:
        action: dict[str, Any] = {"_id": document_key(owner, "begun", each.id), "routing": owner_key(owner)}
        return item({"index": action}, document_body(owner, "begun", "hash-768", each, full_graph=False))

    BulkWriter(node_index.connection, node_index.names.write).write(map(lines, abandoned), refresh=True)
