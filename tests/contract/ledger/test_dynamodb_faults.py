"""Faults of DynamoDB become errors of ours, after as many attempts as make sense."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ParamValidationError,
    ReadTimeoutError,
)

from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.adapters.dynamodb.schema import MEMORY, user_key
from cognis_memory.errors import (
    CognisError,
    LedgerUnavailable,
    PermanentError,
    RevisionConflict,
    StaleLease,
)
from cognis_memory.ports import Ledger

from .builders import (
    NOW,
    OWNER,
    commit,
    memory,
    memory_id,
)

SECRET = "my diagnosis"


class Script:
    """A client that answers each call with the next line of its script; the last line stands for good."""

    def __init__(self, *lines: Exception | dict[str, Any]) -> None:
        self._lines = list(lines)
        self.requests: list[dict[str, Any]] = []

    def __getattr__(self, _: str) -> Any:
        def call(**arguments: Any) -> Any:
            self.requests.append(arguments)
            line = self._lines.pop(0) if len(self._lines) > 1 else self._lines[0]
            if isinstance(line, Exception):
                raise line
            return line

        return call


def scripted(*lines: Exception | dict[str, Any]) -> tuple[DynamoLedger, Script, list[float]]:
    """A ledger on a script, what it was sent, and the pauses between attempts."""
    script, pauses = Script(*lines), list[float]()
    client: Any = script
    return DynamoLedger("ledger", client, pauses.append), script, pauses


def refused(code: str, status: int = 400, **fields: Any) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": SECRET},
        "ResponseMetadata": {"HTTPStatusCode": status},
        **fields,
    }
    return ClientError(response, "AnyOperation")


def cancelled(*codes: str) -> ClientError:
    reasons = [{"Code": code, "Message": SECRET} for code in codes]
    return refused("TransactionCanceledException", CancellationReasons=reasons)


CALLS: dict[str, Callable[[Ledger], object]] = {
    "get": lambda ledger: ledger.get_event("acme", "evt_1"),
    "read": lambda ledger: ledger.get_memories(OWNER, ["mem_1"]),
    "list": lambda ledger: ledger.list_memories(OWNER, limit=1, now=NOW),
    "write": lambda ledger: ledger.commit(commit(memory(1, content=SECRET))),
    "lease": lambda ledger: ledger.acquire_lease(OWNER, "evt_1", now=NOW, duration=timedelta(minutes=1)),
    "clear": lambda ledger: ledger.clear_pending(OWNER, ["evt_1"]),
    "scan": lambda ledger: list(ledger.owners()),
}
PASSING: list[Exception] = [
    refused("ProvisionedThroughputExceededException"),
    refused("ThrottlingException"),
    refused("RequestLimitExceeded"),
    refused("InternalServerError", 500),
    refused("SomethingNew", 503),
    EndpointConnectionError(endpoint_url="https://dynamodb"),
    ConnectTimeoutError(endpoint_url="https://dynamodb"),
    ReadTimeoutError(endpoint_url="https://dynamodb"),
]
LASTING: list[Exception] = [
    refused("ResourceNotFoundException"),
    refused("AccessDeniedException"),
    refused("ValidationException"),
    ParamValidationError(report=SECRET),
    NoCredentialsError(),
]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
@pytest.mark.parametrize("fault", PASSING, ids=repr)
def test_what_may_pass_is_unavailability(call: Callable[[Ledger], object], fault: Exception) -> None:
    ledger, _, _ = scripted(fault)
    with pytest.raises(LedgerUnavailable) as raised:
        call(ledger)
    assert raised.value.retryable
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
@pytest.mark.parametrize("fault", LASTING, ids=repr)
def test_what_is_refused_for_good_is_permanent_and_quotes_nobody(
    call: Callable[[Ledger], object], fault: Exception
) -> None:
    ledger, script, _ = scripted(fault)
    with pytest.raises(PermanentError) as raised:
        call(ledger)
    assert not raised.value.retryable
    assert SECRET not in str(raised.value)
    assert raised.value.__cause__ is None
    assert len(script.requests) == 1


def test_a_conflict_with_another_transaction_is_tried_again_under_one_token() -> None:
    ledger, script, pauses = scripted(
        cancelled("None", "TransactionConflict"), refused("TransactionInProgressException"), {}
    )
    ledger.commit(commit(memory(1)))
    ledger.commit(commit(memory(1)))

    tokens = [request["ClientRequestToken"] for request in script.requests]
    assert len(tokens) == 4
    assert len(set(tokens[:3])) == 1
    assert tokens[3] != tokens[0]
    assert all(1 <= len(token) <= 36 for token in tokens)
    assert len(pauses) == 2
    assert all(0 <= pause < 1 for pause in pauses)


@pytest.mark.parametrize("code", ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])
def test_attempts_are_bounded(code: str) -> None:
    ledger, script, pauses = scripted(cancelled("None", code))
    with pytest.raises(LedgerUnavailable):
        ledger.commit(commit(memory(1)))
    assert len(script.requests) == len(pauses) + 1 == 6
    assert sum(pauses) < 5


@pytest.mark.parametrize(
    ("codes", "error"),
    [
        (("None", "TransactionConflict", "ConditionalCheckFailed", "None"), RevisionConflict),
        (("None", "ConditionalCheckFailed", "ConditionalCheckFailed", "None"), StaleLease),
        (("None", "None", "ValidationError", "None"), PermanentError),
        (("None", "TransactionConflict", "ItemCollectionSizeLimitExceeded", "None"), PermanentError),
    ],
)
def test_a_condition_that_failed_counts_more_than_what_may_pass(
    codes: tuple[str, ...], error: type[CognisError]
) -> None:
    ledger, script, _ = scripted(cancelled(*codes))
    with pytest.raises(error) as raised:
        ledger.commit(commit(memory(1), fence=7))
    assert type(raised.value) is error
    assert SECRET not in str(raised.value)
    assert len(script.requests) == 1


def test_a_lease_waits_for_a_transaction_in_its_way() -> None:
    granted = {"Attributes": {"lease_token": {"N": "5"}}}
    ledger, _, pauses = scripted(refused("TransactionConflictException"), granted)

    assert ledger.acquire_lease(OWNER, "evt_1", now=NOW, duration=timedelta(minutes=1)).token == 5
    assert len(pauses) == 1


def unread(*numbers: int) -> dict[str, Any]:
    keys = [user_key(OWNER, MEMORY, memory_id(number)) for number in numbers]
    return {"ledger": {"Keys": keys}} if keys else {}


def found(*numbers: int) -> dict[str, Any]:
    return {
        "ledger": [
            {
                **user_key(OWNER, MEMORY, memory_id(number)),
                "document": {"S": memory(number).model_dump_json()},
            }
            for number in numbers
        ]
    }


def test_batches_that_come_back_in_part_are_completed() -> None:
    ledger, script, pauses = scripted(
        {"Responses": found(1), "UnprocessedKeys": unread(2, 3)},
        {"Responses": {}, "UnprocessedKeys": unread(2, 3)},
        {"Responses": found(3), "UnprocessedKeys": unread(2)},
        {"Responses": found(2), "UnprocessedKeys": {}},
    )
    ids = [memory_id(number) for number in (1, 2, 3)]

    assert list(ledger.get_memories(OWNER, ids)) == ids
    assert [len(request["RequestItems"]["ledger"]["Keys"]) for request in script.requests] == [3, 2, 2, 1]
    assert len(pauses) == 3


def test_only_attempts_without_progress_are_bounded() -> None:
    numbers = list(range(12))
    ledger, _, pauses = scripted(
        *(
            {"Responses": found(number), "UnprocessedKeys": unread(*numbers[number + 1 :])}
            for number in numbers
        )
    )
    assert len(ledger.get_memories(OWNER, [memory_id(number) for number in numbers])) == 12
    assert len(pauses) == 11


def test_ids_that_no_item_can_have_are_not_asked_for() -> None:
    ledger, script, _ = scripted(refused("ValidationException"))
    assert ledger.get_memories(OWNER, ["x" * 2_000, "語" * 400]) == {}
    assert script.requests == []


def test_batches_without_progress_end_in_unavailability() -> None:
    ledger, script, _ = scripted({"Responses": {}, "UnprocessedKeys": unread(1)})
    with pytest.raises(LedgerUnavailable):
        ledger.get_memories(OWNER, [memory_id(1)])
    assert len(script.requests) == 6


def test_deletions_that_come_back_in_part_are_completed() -> None:
    left = [{"DeleteRequest": {"Key": user_key(OWNER, "MARK#", "b")}}]
    ledger, script, _ = scripted({"UnprocessedItems": {"ledger": left}}, {"UnprocessedItems": {}})
    ledger.clear_pending(OWNER, ["a", "b"])
    assert [request["RequestItems"]["ledger"] for request in script.requests][1] == left

    ledger, script, _ = scripted({"UnprocessedItems": {"ledger": left}})
    with pytest.raises(LedgerUnavailable):
        ledger.clear_pending(OWNER, ["b"])
