"""TransactWriteItems: all of it or nothing, and the right error when nothing."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_errors
from cognis_memory.adapters.dynamodb.backoff import Backoff
from cognis_memory.errors import CognisError, LedgerUnavailable, PermanentError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from cognis_memory.adapters.dynamodb.schema import Item, Key

_OPERATION: Final = "TransactWriteItems"
_REFUSED: Final = "ConditionalCheckFailed"
_PASSING: Final = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of an item as it is before the action."""

    expression: str
    values: dict[str, AttributeValueTypeDef] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Any]:
        values = {"ExpressionAttributeValues": self.values} if self.values else {}
        return {"ConditionExpression": self.expression, **values}


ABSENT: Final = Condition("attribute_not_exists(pk)")


def at_revision(revision: int) -> Condition:
    return Condition("revision = :revision", {":revision": {"N": str(revision)}})


class Transaction:
    """Collects actions, at most 100 on as many items, and runs them once."""

    def __init__(self, table_name: str, client: DynamoDBClient, pause: Callable[[float], None]) -> None:
        self._table_name = table_name
        self._client = client
        self._backoff = Backoff(_OPERATION, pause)
        self._actions: list[Any] = []  # TransactWriteItemTypeDef, which takes no ** expansion
        self._refusals: list[CognisError | None] = []

    def check(self, key: Key, condition: Condition, refusal: CognisError) -> None:
        self._refusals.append(refusal)
        self._actions.append(
            {"ConditionCheck": {"TableName": self._table_name, "Key": key, **condition.parameters}}
        )

    def put(self, item: Item, condition: Condition | None = None, refusal: CognisError | None = None) -> None:
        self._refusals.append(refusal)
        parameters = condition.parameters if condition else {}
        self._actions.append({"Put": {"TableName": self._table_name, "Item": item, **parameters}})

    def delete(
        self, key: Key, condition: Condition | None = None, refusal: CognisError | None = None
    ) -> None:
        self._refusals.append(refusal)
        parameters = condition.parameters if condition else {}
        self._actions.append({"Delete": {"TableName": self._table_name, "Key": key, **parameters}})

    def update(
        self,
        key: Key,
        expression: str,
        values: dict[str, AttributeValueTypeDef],
        condition: Condition | None = None,
        refusal: CognisError | None = None,
        *,
        names: dict[str, str] | None = None,
    ) -> None:
        """`values` and `names` serve the expression; the condition's values come with it."""
        self._refusals.append(refusal)
        parameters = condition.parameters if condition else {}
        if names:
            parameters["ExpressionAttributeNames"] = names
        parameters["ExpressionAttributeValues"] = {**values, **(condition.values if condition else {})}
        self._actions.append(
            {
                "Update": {
                    "TableName": self._table_name,
                    "Key": key,
                    "UpdateExpression": expression,
                    **parameters,
                }
            }
        )

    def run(self) -> None:
        """Raises the refusal of the first action whose condition did not hold.

        One token covers every attempt of this call, the client's own repeats included, so that a lost answer
        does no harm. It is a new one for each call, not one per commit: DynamoDB would answer a commit that
        is repeated within ten minutes with success, and the caller is to learn from the revisions that it
        has been done.
        """
        token = str(uuid.uuid4())
        while not self._sent(token):
            self._backoff.wait()

    def _sent(self, token: str) -> bool:
        """False when another transaction or a throttle was in the way."""
        with translated_errors(_OPERATION, LedgerUnavailable):
            try:
                self._client.transact_write_items(TransactItems=self._actions, ClientRequestToken=token)
            except ClientError as error:
                if error_code(error) == "TransactionInProgressException":
                    return False
                if error_code(error) != "TransactionCanceledException":
                    raise
                self._explain(error)
                return False
        return True

    def _explain(self, error: ClientError) -> None:
        """Raises what a cancelled transaction means, unless it may pass as it is."""
        codes = [reason.get("Code", "None") for reason in error.response.get("CancellationReasons", [])]
        for code, refusal in zip(codes, self._refusals, strict=False):
            if code == _REFUSED and refusal is not None:
                raise refusal from None
        lasting = sorted(set(codes) - _PASSING - {"None"})
        if lasting:
            raise PermanentError(f"{_OPERATION} was refused: {', '.join(lasting)}") from None
