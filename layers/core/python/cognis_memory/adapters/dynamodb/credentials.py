"""Tenants and API keys in a DynamoDB table of their own.

| partition `pk`    | what it is                                                                   |
|-------------------|------------------------------------------------------------------------------|
| `KEY#<SHA-256>`   | an API key: `key_id`, `tenant_id`, `user_id`?, `created_at`, `disabled`?     |
| `TENANT#<id>`     | a tenant: `tenant_id`, `name`, `created_at`, `disabled`?                     |

The authorizer reads both by their keys. Whoever administers tenants looks through the whole table, which is
small and seldom asked so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_errors
from cognis_memory.errors import AlreadyExists, CognisError, CredentialsUnavailable, NotFound
from cognis_memory.models.credential import ApiKey, Tenant

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, CreateTableInputTypeDef

_KEY: Final = "KEY#"
_TENANT: Final = "TENANT#"


def credential_table_definition(table_name: str) -> CreateTableInputTypeDef:
    """The arguments of CreateTable: on demand, no index."""
    return {
        "TableName": table_name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    }


class DynamoCredentialStore:
    """The `CredentialStore` port over one table, made as `credential_table_definition` says.

    Raises CredentialsUnavailable for throttles, timeouts and faults of the service, PermanentError for what
    it refuses, a missing table among it.
    """

    def __init__(self, table_name: str, client: DynamoDBClient) -> None:
        """`client` is boto3's low-level one, whose retries and timeouts the caller chooses."""
        self._table = table_name
        self._client = client

    def create_tenant(self, tenant: Tenant) -> None:
        self._create(
            _TENANT + tenant.id,
            {"tenant_id": tenant.id, "name": tenant.name, "created_at": tenant.created_at.isoformat()},
            AlreadyExists(f"there is a tenant {tenant.id} already"),
        )

    def get_tenant(self, tenant_id: str) -> Tenant | None:
        item = self._get(_TENANT + tenant_id)
        return None if item is None else _tenant(item)

    def set_tenant_disabled(self, tenant_id: str, disabled: bool) -> None:
        self._disable(_TENANT + tenant_id, disabled, NotFound(f"there is no tenant {tenant_id}"))

    def tenants(self) -> Iterator[Tenant]:
        return map(_tenant, self._scan("begins_with(pk, :kind)", {":kind": {"S": _TENANT}}))

    def create_key(self, key: ApiKey) -> None:
        bound = {} if key.user_id is None else {"user_id": key.user_id}
        self._create(
            _KEY + key.digest,
            {
                "key_id": key.id,
                "tenant_id": key.tenant_id,
                "created_at": key.created_at.isoformat(),
                **bound,
            },
            AlreadyExists("there is a key of that digest already"),
        )

    def get_key(self, digest: str) -> ApiKey | None:
        item = self._get(_KEY + digest)
        return None if item is None else _api_key(item)

    def revoke_key(self, key_id: str) -> None:
        unknown = NotFound(f"there is no key {key_id}")
        found = next(self._scan("key_id = :id", {":id": {"S": key_id}}), None)
        if found is None:
            raise unknown
        self._disable(found["pk"]["S"], True, unknown)

    def keys(self, tenant_id: str) -> Iterator[ApiKey]:
        condition = "begins_with(pk, :kind) AND tenant_id = :tenant"
        return map(_api_key, self._scan(condition, {":kind": {"S": _KEY}, ":tenant": {"S": tenant_id}}))

    def _create(self, pk: str, attributes: dict[str, str], taken: CognisError) -> None:
        item: dict[str, AttributeValueTypeDef] = {name: {"S": value} for name, value in attributes.items()}
        with _errors("PutItem"):
            try:
                self._client.put_item(
                    TableName=self._table,
                    Item={"pk": {"S": pk}, **item},
                    ConditionExpression="attribute_not_exists(pk)",
                )
            except ClientError as error:
                raise _refusal(error, taken) from None

    def _get(self, pk: str) -> dict[str, Any] | None:
        with _errors("GetItem"):
            response = self._client.get_item(
                TableName=self._table, Key={"pk": {"S": pk}}, ConsistentRead=True
            )
        return response.get("Item")

    def _disable(self, pk: str, disabled: bool, unknown: CognisError) -> None:
        with _errors("UpdateItem"):
            try:
                self._client.update_item(
                    TableName=self._table,
                    Key={"pk": {"S": pk}},
                    UpdateExpression="SET disabled = :disabled",
                    ConditionExpression="attribute_exists(pk)",
                    ExpressionAttributeValues={":disabled": {"BOOL": disabled}},
                )
            except ClientError as error:
                raise _refusal(error, unknown) from None

    def _scan(self, condition: str, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
        start: dict[str, Any] = {}
        while True:
            with _errors("Scan"):
                page = self._client.scan(
                    TableName=self._table,
                    FilterExpression=condition,
                    ExpressionAttributeValues=values,
                    ConsistentRead=True,
                    **start,
                )
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def _tenant(item: dict[str, Any]) -> Tenant:
    return Tenant(
        id=item["tenant_id"]["S"],
        name=item["name"]["S"],
        created_at=datetime.fromisoformat(item["created_at"]["S"]),
        disabled=_disabled(item),
    )


def _api_key(item: dict[str, Any]) -> ApiKey:
    return ApiKey(
        id=item["key_id"]["S"],
        digest=item["pk"]["S"].removeprefix(_KEY),
        tenant_id=item["tenant_id"]["S"],
        created_at=datetime.fromisoformat(item["created_at"]["S"]),
        user_id=item["user_id"]["S"] if "user_id" in item else None,
        revoked=_disabled(item),
    )


def _disabled(item: dict[str, Any]) -> bool:
    return bool(item.get("disabled", {}).get("BOOL", False))


def _refusal(error: ClientError, refusal: CognisError) -> Exception:
    return refusal if error_code(error) == "ConditionalCheckFailedException" else error


def _errors(operation: str) -> AbstractContextManager[None]:
    return translated_errors(operation, CredentialsUnavailable)
