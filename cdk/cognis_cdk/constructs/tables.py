"""DynamoDB tables as the adapters define them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from aws_cdk import RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy_boto3_dynamodb.type_defs import CreateTableInputTypeDef, KeySchemaElementTypeDef

_TYPES: Final = {
    "S": dynamodb.AttributeType.STRING,
    "N": dynamodb.AttributeType.NUMBER,
    "B": dynamodb.AttributeType.BINARY,
}
_PROJECTIONS: Final = {
    "ALL": dynamodb.ProjectionType.ALL,
    "KEYS_ONLY": dynamodb.ProjectionType.KEYS_ONLY,
}


def table(
    scope: Construct,
    id_: str,
    definition: CreateTableInputTypeDef,
    *,
    protected: bool,
    ttl_attribute: str | None = None,
) -> dynamodb.Table:
    """The table whose keys and indexes are those of `definition`, the arguments of CreateTable.

    Its name is CloudFormation's. A protected one outlives its stack, can be restored to any second of the
    last 35 days and refuses to be deleted.
    """
    types = {a["AttributeName"]: _TYPES[a["AttributeType"]] for a in definition["AttributeDefinitions"]}
    keys = _keys(definition["KeySchema"], types)
    made = dynamodb.Table(
        scope,
        id_,
        partition_key=keys["HASH"],
        sort_key=keys.get("RANGE"),
        billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
        time_to_live_attribute=ttl_attribute,
        removal_policy=RemovalPolicy.RETAIN if protected else RemovalPolicy.DESTROY,
        deletion_protection=protected,
        point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
            point_in_time_recovery_enabled=protected
        ),
    )
    for local in definition.get("LocalSecondaryIndexes", ()):
        made.add_local_secondary_index(
            index_name=local["IndexName"],
            sort_key=_keys(local["KeySchema"], types)["RANGE"],
            projection_type=_PROJECTIONS[local["Projection"]["ProjectionType"]],
        )
    for index in definition.get("GlobalSecondaryIndexes", ()):
        keys = _keys(index["KeySchema"], types)
        made.add_global_secondary_index(
            index_name=index["IndexName"],
            partition_key=keys["HASH"],
            sort_key=keys.get("RANGE"),
            projection_type=_PROJECTIONS[index["Projection"]["ProjectionType"]],
        )
    return made


def _keys(
    schema: Sequence[KeySchemaElementTypeDef], types: dict[str, dynamodb.AttributeType]
) -> dict[str, dynamodb.Attribute]:
    """The attributes of a key by their part in it: HASH, and RANGE where there is one."""
    return {
        element["KeyType"]: dynamodb.Attribute(
            name=element["AttributeName"], type=types[element["AttributeName"]]
        )
        for element in schema
    }
