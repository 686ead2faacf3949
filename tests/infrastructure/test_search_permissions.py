"""Roles let functions do with the search domain what the adapter asks of it, and nothing else."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import numpy as np
import pytest
from assemblies import Assembly, as_list, resolved
from search_gate import Permission, SearchGate, listening

from cognis_memory.adapters.opensearch import (
    IndexNames,
    IndexSettings,
    OpenSearchConnection,
    OpenSearchIndex,
)
from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from cognis_memory.adapters.opensearch.snapshots import SnapshotRepository
from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.domain.matryoshka import candidate_vectors, normalise
from cognis_memory.errors import ConfigurationError
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Kind, Owner

OWNER = Owner("acme", "ana")
MODEL = "test-model"
NOON = datetime(2026, 7, 15, 12, tzinfo=UTC)
VECTOR = normalise(np.random.default_rng(0).standard_normal((1, 768)))[0]

INDEX_USERS = {
    "Ingest",
    "Retrieve",
    "StoreMessages",
    "ExtractMemories",
    "EmbedAndCommitMemories",
    "DropIndexes",
    "ImportUser",
    "UndoImport",
    "Sweep",
}
INDEX_READERS = {"VerifyErasure"}


def _permissions(assembly: Assembly, function: str) -> set[Permission]:
    """Actions and paths that the function's role allows on the domain."""
    return {
        (action, f"/{resolved(resource).partition('/')[2]}")
        for statement in assembly.policies(function)
        for action in as_list(statement["Action"])
        for resource in as_list(statement["Resource"])
        if action.startswith("es:")
    }


def _document(number: int) -> IndexDocument:
    return IndexDocument(
        id=f"mem_{number}",
        kind=Kind.MEMORY,
        text="Ana lives in Osaka",
        vector=VECTOR,
        revision=1,
        timestamp=NOON,
        created_at=NOON,
        valid_from=NOON,
    )


class Domain:
    """The node behind gates, with an index of this test's own in the place of the deployment's."""

    def __init__(self, node: str, deployed: IndexNames) -> None:
        self._node = node
        self._deployed = deployed
        self._open = ExitStack()
        self.names = IndexNames(f"gate-{uuid.uuid4().hex}")
        self.connection = OpenSearchConnection(node)
        self._open.callback(self.connection.close)

    def gate(self, permissions: set[Permission]) -> tuple[SearchGate, OpenSearchConnection]:
        """A gate with these permissions, and a connection that leads through it."""
        own = {(action, path.replace(self._deployed.base, self.names.base)) for action, path in permissions}
        gate = SearchGate(self._node, own)
        connection = OpenSearchConnection(self._open.enter_context(listening(gate)))
        self._open.callback(connection.close)
        return gate, connection

    def close(self) -> None:
        self._open.close()


@pytest.fixture
def domain(opensearch_node: str, prod: Assembly) -> Iterator[Domain]:
    base = prod.environment(prod.functions["Retrieve"])["COGNIS_OPENSEARCH_INDEX"]
    domain = Domain(opensearch_node, IndexNames(base))
    catalog = IndexCatalog(domain.connection, domain.names)
    version = catalog.create(IndexSettings(shards=1, refresh_seconds=0.02), MODEL)
    catalog.lead_to(version)
    yield domain
    catalog.delete(version)
    domain.close()


def test_all_who_use_the_index_may_do_the_same_with_it(prod: Assembly) -> None:
    """Whoever searches may find that a user's documents are missing, and write them."""
    users = {function: _permissions(prod, function) for function in prod.functions.keys() - {"SnapshotIndex"}}
    allowed = {function for function, permissions in users.items() if permissions}
    assert allowed == INDEX_USERS | INDEX_READERS
    assert len({frozenset(users[function]) for function in INDEX_USERS}) == 1
    assert all(users[reader] < users["Retrieve"] for reader in INDEX_READERS)


def test_the_index_is_read_and_written_with_what_a_role_allows_and_all_of_that_is_needed(
    prod: Assembly, domain: Domain
) -> None:
    gate, connection = domain.gate(_permissions(prod, "Retrieve"))
    index = OpenSearchIndex(connection, MODEL, names=domain.names)

    assert not index.exists(OWNER)
    index.apply(OWNER, [_document(1), _document(2)], [])
    index.apply(OWNER, [], ["mem_2"])
    assert index.count(OWNER) == 1
    assert index.match(OWNER, "Osaka", filter=EVERYTHING, limit=5)
    assert index.nearest(OWNER, candidate_vectors(VECTOR), filter=EVERYTHING, limit=5)
    assert index.rescore(OWNER, VECTOR, ["mem_1"])
    assert index.candidates(OWNER, "Osaka", VECTOR, filter=EVERYTHING, nearest=5, matching=5).nearest
    index.replace(OWNER, iter([_document(1), _document(3)]))
    index.drop(OWNER)
    assert index.count(OWNER) == 0

    assert gate.used == gate.permissions


def test_whether_a_user_is_gone_is_seen_with_what_that_role_allows(prod: Assembly, domain: Domain) -> None:
    _, writing = domain.gate(_permissions(prod, "DropIndexes"))
    OpenSearchIndex(writing, MODEL, names=domain.names).apply(OWNER, [_document(1)], [])
    _, reading = domain.gate(_permissions(prod, "VerifyErasure"))

    assert any(OpenSearchIndex(reading, MODEL, names=domain.names).holdings(OWNER).values())
    OpenSearchIndex(writing, MODEL, names=domain.names).drop(OWNER)
    assert not any(OpenSearchIndex(reading, MODEL, names=domain.names).holdings(OWNER).values())


def test_snapshots_are_taken_with_what_their_role_allows_and_all_of_that_is_needed(
    prod: Assembly, domain: Domain
) -> None:
    gate, connection = domain.gate(_permissions(prod, "SnapshotIndex"))
    repository = SnapshotRepository(connection, domain.names.base, domain.names)
    repository.register("fs", {"location": domain.names.base})
    names = []
    for _ in range(2):
        names.append(repository.start(datetime.now(UTC)))
        while not repository.get(names[-1]).ended:
            time.sleep(0.02)
    assert repository.keep_last(1) == names[:1]
    assert [snapshot.name for snapshot in repository.snapshots()] == names[1:]

    assert gate.used == gate.permissions


def test_functions_are_kept_from_what_none_of_them_has_to_do(prod: Assembly, domain: Domain) -> None:
    _, connection = domain.gate(_permissions(prod, "Retrieve"))
    write = domain.names.write
    for method, path in (
        ("POST", "/_search"),
        ("POST", "/_bulk"),
        ("POST", "/_msearch"),
        ("POST", "/_aliases"),
        ("GET", "/_cat/indices"),
        ("DELETE", f"/{write}"),
        ("PUT", f"/{write}/_mapping"),
        ("POST", f"/{write}-of-another/_bulk"),
        ("PUT", f"/_snapshot/{domain.names.base}"),
    ):
        with pytest.raises(ConfigurationError, match="403"):
            connection.request(method, path, {})


def test_no_body_reaches_an_index_that_the_path_does_not_name(prod: Assembly) -> None:
    (domain,) = prod.resources("AWS::OpenSearchService::Domain")
    assert domain.properties["AdvancedOptions"] == {"rest.action.multi.allow_explicit_index": "false"}
