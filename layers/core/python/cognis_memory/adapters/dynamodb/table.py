"""The calls that the ledger makes on its table, with their pages, repeats and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_errors
from cognis_memory.adapters.dynamodb.backoff import Backoff
from cognis_memory.adapters.dynamodb.transaction import Condition, Transaction
from cognis_memory.errors import CognisError, LedgerUnavailable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, WriteRequestOutputTypeDef

    from cognis_memory.adapters.dynamodb.schema import Item, Key

_READ_BATCH: Final = 100
_WRITE_BATCH: Final = 25


class Table:
    """One table behind a client of the caller's, who chooses its region, timeouts and retries.

    What the client does not repeat is repeated here, a few times with growing pauses: batches that come back
    in part, and writes that met a transaction on the same item. Reads are strongly consistent.
    """

    def __init__(self, name: str, client: DynamoDBClient, pause: Callable[[float], None]) -> None:
        """`pause` sleeps for that many seconds."""
        self._name = name
        self._client = client
        self._pause = pause

    def transaction(self) -> Transaction:
        return Transaction(self._name, self._client, self._pause)

    def get(self, key: Key) -> Item | None:
        with _errors("GetItem"):
            response = self._client.get_item(TableName=self._name, Key=key, ConsistentRead=True)
        return response.get("Item")

    def get_many(self, keys: Sequence[Key]) -> list[Item]:
        """Those of the items that exist, in any order; keys must be distinct."""
        items: list[Item] = []
        for start in range(0, len(keys), _READ_BATCH):
            items += self._get_batch(keys[start : start + _READ_BATCH])
        return items

    def query(
        self, condition: str, values: Mapping[str, AttributeValueTypeDef], **options: Any
    ) -> Iterator[Item]:
        """Items in order of their sort key, page by page as far as the caller reads.

        `options` are arguments of Query, such as `IndexName`.
        """
        request = {
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": values,
            "ConsistentRead": True,
            **options,
        }
        return self._pages("Query", self._client.query, request)

    def scan(self, **options: Any) -> Iterator[Item]:
        """All items of the table, in no order; `options` are arguments of Scan."""
        return self._pages("Scan", self._client.scan, {"ConsistentRead": True, **options})

    def update(
        self,
        key: Key,
        expression: str,
        values: Mapping[str, AttributeValueTypeDef],
        condition: Condition,
        refusal: CognisError,
    ) -> Item:
        """Changes one item and returns the changed attributes; raises `refusal` if the condition fails."""
        request = {
            "Key": key,
            "UpdateExpression": expression,
            "ConditionExpression": condition.expression,
            "ExpressionAttributeValues": {**values, **condition.values},
        }
        backoff = Backoff("UpdateItem", self._pause)
        while (changed := self._update(request, refusal)) is None:
            backoff.wait()
        return changed

    def delete_many(self, keys: Sequence[Key]) -> None:
        """Removes the items; those that are gone already are no error. Keys must be distinct."""
        for start in range(0, len(keys), _WRITE_BATCH):
            self._delete_batch(keys[start : start + _WRITE_BATCH])

    def _update(self, request: Mapping[str, Any], refusal: CognisError) -> Item | None:
        """None when a transaction was in the way."""
        with _errors("UpdateItem"):
            try:
                response = self._client.update_item(
                    TableName=self._name, ReturnValues="UPDATED_NEW", **request
                )
            except ClientError as error:
                if error_code(error) == "ConditionalCheckFailedException":
                    raise refusal from None
                if error_code(error) == "TransactionConflictException":
                    return None
                raise
        return response.get("Attributes", {})

    def _get_batch(self, keys: Sequence[Key]) -> list[Item]:
        items: list[Item] = []
        backoff = Backoff("BatchGetItem", self._pause)
        while keys:
            with _errors("BatchGetItem"):
                response = self._client.batch_get_item(
                    RequestItems={self._name: {"Keys": keys, "ConsistentRead": True}}
                )
            left = response["UnprocessedKeys"].get(self._name, {"Keys": []})["Keys"]
            items += response["Responses"].get(self._name, [])
            _pace(backoff, len(left), len(keys))
            keys = left
        return items

    def _delete_batch(self, keys: Sequence[Key]) -> None:
        requests: Sequence[WriteRequestOutputTypeDef] = [{"DeleteRequest": {"Key": key}} for key in keys]
        backoff = Backoff("BatchWriteItem", self._pause)
        while requests:
            with _errors("BatchWriteItem"):
                response = self._client.batch_write_item(RequestItems={self._name: requests})
            left = response["UnprocessedItems"].get(self._name, [])
            _pace(backoff, len(left), len(requests))
            requests = left

    def _pages(self, operation: str, call: Callable[..., Any], request: Mapping[str, Any]) -> Iterator[Item]:
        start: dict[str, Any] = {}
        while True:
            with _errors(operation):
                page = call(TableName=self._name, **request, **start)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def _pace(backoff: Backoff, left: int, sent: int) -> None:
    """Waits before what a batch left undone is sent again; only attempts without progress count."""
    if left < sent:
        backoff.reset()
    if left:
        backoff.wait()


def _errors(operation: str) -> AbstractContextManager[None]:
    return translated_errors(operation, LedgerUnavailable)
