"""What is special to the table: keys, indexes, what a read fetches, what an erasure leaves."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.adapters.dynamodb.schema import (
    BY_AGE,
    MEMORY,
    TTL_ATTRIBUTE,
    event_key,
    idempotency_key,
    table_definition,
    user_key,
)
from cognis_memory.models.commit import DocumentWrite
from cognis_memory.models.event import EventStatus
from cognis_memory.models.values import Owner

from .builders import (
    NOW,
    OWNER,
    chain,
    commit,
    erase_all,
    event,
    later,
    memory,
    memory_id,
    message,
    message_id,
    record,
    vector,
)


class Recorder:
    """Passes calls on to a client and keeps what went in and out."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        def call(**arguments: Any) -> Any:
            answer = getattr(self._client, name)(**arguments)
            self.calls.append((name, arguments, answer))
            return answer

        return call


class LaggingIndex:
    """A client whose queries of an index go on to answer as they did the first time."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._answers: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def query(self, **arguments: Any) -> Any:
        return self._answers.setdefault(str(arguments), self._client.query(**arguments))


@pytest.fixture
def held(dynamodb_ledger: DynamoLedger) -> DynamoLedger:
    """A ledger with a memory, a message, their vectors, a pending mark, an event and its key."""
    dynamodb_ledger.create_event(event(), record(event()))
    writes = (DocumentWrite(memory(1), vector(1)), DocumentWrite(message(1), vector(2)))
    dynamodb_ledger.commit(commit(*writes, chains=(chain(memory(1)),)))
    return dynamodb_ledger


@pytest.mark.usefixtures("held")
def test_reads_are_strongly_consistent_and_fetch_vectors_only_where_asked(
    dynamodb_client: Any, dynamodb_table: str
) -> None:
    recorder: Any = Recorder(dynamodb_client)
    ledger = DynamoLedger(dynamodb_table, recorder)
    ledger.get_event("acme", "evt_0001")
    ledger.erasure_epoch(OWNER)
    ledger.get_memories(OWNER, [memory_id(1)])
    ledger.get_chains(OWNER, [memory_id(1)])
    ledger.list_memories(OWNER, limit=5, now=NOW)
    ledger.recent_messages(OWNER, None, before_id=message_id(9), limit=5)
    list(ledger.iterate_memories(OWNER))
    list(ledger.iterate_messages(OWNER))
    ledger.pending_marks(OWNER)

    assert {name for name, _, _ in recorder.calls} == {"get_item", "batch_get_item", "query"}
    for name, request, answer in recorder.calls:
        (options,) = request["RequestItems"].values() if name == "batch_get_item" else [request]
        assert options["ConsistentRead"] is True
        assert "'vector'" not in str(answer)
    assert list(ledger.get_vectors(OWNER, [memory_id(1)])) == [memory_id(1)]
    assert "'vector'" in str(recorder.calls[-1])


def test_what_outlives_an_erasure_names_nobody(
    dynamodb_client: Any, dynamodb_table: str, dynamodb_ledger: DynamoLedger
) -> None:
    owner = Owner("acme-corporation", "ana@example.org")
    dynamodb_ledger.create_event(event(1, owner))
    dynamodb_ledger.commit(commit(memory(1, owner), owner=owner))
    lease = dynamodb_ledger.acquire_lease(owner, "evt_1", now=NOW, duration=timedelta(minutes=1))
    dynamodb_ledger.raise_erasure_epoch(owner, 1)
    erase_all(dynamodb_ledger, owner, limit=10)

    left = dynamodb_client.scan(TableName=dynamodb_table)["Items"]
    assert len(left) == 2
    assert not any(name in str(left) for name in ("ana", "acme", lease.holder))


@pytest.mark.usefixtures("held")
def test_records_expire_by_the_attribute_that_the_table_is_told_of(
    dynamodb_client: Any, dynamodb_table: str
) -> None:
    items = dynamodb_client.scan(TableName=dynamodb_table)["Items"]
    expiries = [int(item[TTL_ATTRIBUTE]["N"]) for item in items if TTL_ATTRIBUTE in item]
    expires_at = record(event()).expires_at.timestamp()

    assert len(expiries) == 1
    assert expires_at <= expiries[0] < expires_at + 1


def test_only_what_waits_is_in_the_index_by_age(
    dynamodb_client: Any, dynamodb_table: str, held: DynamoLedger
) -> None:
    def indexed() -> int:
        return len(dynamodb_client.scan(TableName=dynamodb_table, IndexName=BY_AGE)["Items"])

    assert indexed() == 2
    held.update_event(later(event(), status=EventStatus.SUCCEEDED))
    assert indexed() == 1
    held.clear_pending(OWNER, ["evt_0001-1"])
    assert indexed() == 0


def test_an_index_by_age_that_lags_names_candidates_only(
    dynamodb_client: Any, dynamodb_table: str, held: DynamoLedger
) -> None:
    held.create_event(event(2))
    lagging: Any = LaggingIndex(dynamodb_client)
    ledger = DynamoLedger(dynamodb_table, lagging)
    soon = NOW + timedelta(minutes=1)
    assert [waiting.id for waiting in ledger.unfinished_events(soon, limit=9)] == ["evt_0001", "evt_0002"]
    assert len(ledger.all_pending_marks(soon, limit=9)) == 1

    held.update_event(later(event(), status=EventStatus.SUCCEEDED))
    held.update_event(later(event(2), updated_at=soon))
    held.clear_pending(OWNER, ["evt_0001-1"])
    assert ledger.unfinished_events(soon, limit=9) == []
    assert ledger.all_pending_marks(soon, limit=9) == []


def test_every_key_of_the_table_is_declared() -> None:
    definition = table_definition("any")
    used = {
        part["AttributeName"]
        for index in (definition, *definition["LocalSecondaryIndexes"], *definition["GlobalSecondaryIndexes"])
        for part in index["KeySchema"]
    }
    assert used == {declared["AttributeName"] for declared in definition["AttributeDefinitions"]}
    assert definition["TableName"] == "any"


NAMES = st.text(min_size=1, max_size=256)


@given(NAMES, NAMES, NAMES, NAMES)
def test_keys_are_one_for_one_and_bounded(tenant: str, user: str, other_tenant: str, other_user: str) -> None:
    keys = [user_key(Owner(t, u), MEMORY, "mem_1") for t, u in ((tenant, user), (other_tenant, other_user))]
    same = (tenant, user) == (other_tenant, other_user)

    assert (keys[0] == keys[1]) is same
    assert (event_key(tenant, user) == event_key(other_tenant, other_user)) is same
    assert (idempotency_key(tenant, user) == idempotency_key(other_tenant, other_user)) is same
    assert len(keys[0]["pk"]["S"].encode()) <= 2_048


@given(st.text(alphabet='#%/",[]\\ab', min_size=2, max_size=8))
def test_no_two_ways_to_cut_a_name_share_a_key(joined: str) -> None:
    cuts = [(joined[:at], joined[at:]) for at in range(1, len(joined))]
    keys = [user_key(Owner(*cut), MEMORY, "mem_1")["pk"]["S"] for cut in cuts]
    assert len(set(keys)) == len(keys)
    assert all(earlier != following for earlier, following in pairwise(keys))
