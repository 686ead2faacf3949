"""A thousand random requests of many users, while one write in ten fails: nothing is lost, doubled, mixed up.

Several processes work at once. A failure is a kill, a throttle, a timeout or an unforeseen error, before the
call or between it and its answer, and a read fails as well, one in a hundred; what a process leaves is picked
up by sweeps and replays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from deployment import TENANT, Deployment, owner_of
from engines import describe, open_deployment
from fault_injection import Kind
from faulty_processes import Crew
from random_work import PATCHED, SLOTS, Expected, RandomWork
from search_indexes import index_on

from cognis_memory.domain.versions import place
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.services.ingestion.state import LEASE_DURATION
from cognis_memory.services.projection import is_indexed
from cognis_memory.services.verification import verify

EVENT = re.compile(r"evt_[0-9A-Z]{26}")
REQUESTS = 1_000
USERS = 50
RATE = 0.1
WORKERS = {"shards": 4, "opensearch": 12}
"""Processes: a write to OpenSearch is mostly waiting."""


@pytest.fixture(params=WORKERS)
def description(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """SQLite and folders, with user shards or with an index on the run's OpenSearch node."""
    if request.param == "shards":
        yield describe(tmp_path)
        return
    node: str = request.getfixturevalue("opensearch_node")
    with index_on(node) as made:
        yield describe(tmp_path, node=node, index=made.names.base)


@pytest.mark.timeout(900)
def test_a_thousand_random_ingestions(description: dict[str, Any]) -> None:
    work = RandomWork(seed=6, requests=REQUESTS, users=USERS)
    workers = WORKERS["opensearch" if description["node"] else "shards"]
    crew = Crew(description, work, workers=workers, rate=RATE)
    crew.work_off()
    crew.close()

    assert min(crew.injected[kind] for kind in Kind) > REQUESTS
    assert len(set(crew.events.values())) == REQUESTS
    deployment = open_deployment(description)
    deployment.clock.now = crew.clock() + LEASE_DURATION
    assert verify(deployment.ledger, deployment.index).clean
    gone = {user: [note for whose, note in crew.deleted if whose == user] for user in work.expected}
    assert sum(map(len, gone.values())) > REQUESTS / 100
    for user, expected in work.expected.items():
        check_user(deployment, user, expected, gone[user])
    check_payloads(deployment, Path(description["folder"], "payloads"))
    deployment.close()


def check_user(deployment: Deployment, user: str, expected: Expected, gone: Sequence[str]) -> None:
    owner, ledger = owner_of(user), deployment.ledger
    memories, messages = list(ledger.iterate_memories(owner)), list(ledger.iterate_messages(owner))
    assert len(messages) == expected.messages, "messages were lost or doubled"
    indexed = {id_ for id_, _ in deployment.index.revisions(owner)}
    assert indexed == {document.id for document in (*memories, *messages) if is_indexed(document)}
    check_chains(deployment, user, memories)
    check_links(memories, messages)
    check_contents(memories, expected)
    for note in gone:
        assert not [document.id for document in (*memories, *messages) if note in document.content]
        assert not [text for text in deployment.found(user, note, top_k=50) if note in text]
    assert ledger.pending_marks(owner) == []
    lease = ledger.acquire_lease(owner, "another", now=deployment.clock(), duration=timedelta(seconds=1))
    ledger.release_lease(lease)


def check_chains(deployment: Deployment, user: str, memories: Sequence[Memory]) -> None:
    """No forks, no loose versions, one current at most, and times that do not overlap."""
    ids = sorted({memory.chain_id for memory in memories})
    chains = deployment.ledger.get_chains(owner_of(user), ids)
    assert Counter(v.id for chain in chains.values() for v in chain.versions) == Counter(
        m.id for m in memories
    )
    for chain in chains.values():
        versions = chain.versions
        assert [v.replaces_id for v in versions] == [None, *(v.id for v in versions[:-1])]
        assert not any(version.is_current for version in versions[:-1])
        for version, successor in pairwise(versions):
            assert version.valid_until is not None
            assert version.valid_until <= successor.valid_from
        assert place(versions, now=deployment.clock()) == versions


def check_links(memories: Sequence[Memory], messages: Sequence[Message]) -> None:
    """Between what is there, and both ways."""
    said, held = {message.id: message for message in messages}, {memory.id for memory in memories}
    for memory in memories:
        assert all(memory.id in said[id_].links for id_ in memory.source_messages)
    for message in messages:
        assert message.redacted or held >= set(message.links)


def check_contents(memories: Sequence[Memory], expected: Expected) -> None:
    """Nothing twice, every note, and of every slot what was said last."""
    current = Counter(memory.content for memory in memories if memory.is_current)
    assert [content for content, number in current.items() if number > 1] == []
    assert expected.notes <= set(current)
    for slot in SLOTS:
        values = [memory.content for memory in memories if memory.is_current and memory.slot == slot]
        assert values == [content for content in [expected.current(slot)] if content]
    assert sum(memory.slot == PATCHED for memory in memories if memory.is_current) <= 1


def check_payloads(deployment: Deployment, folder: Path) -> None:
    """None is left but those of requests that died before they were accepted, and their clients repeated."""
    ids = {found[0] for path in folder.rglob("*") if (found := EVENT.search(str(path)))}
    assert not [id_ for id_ in ids if deployment.ledger.get_event(TENANT, id_) is not None]
