"""Finds the deployment whose tenants are meant."""

from __future__ import annotations

import os

import boto3
from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code
from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore
from cognis_memory.errors import NotFound, PermanentError

_OUTPUT = "CredentialTableName"


def credential_store(stage: str, table: str | None) -> DynamoCredentialStore:
    """The store in that table, or in the one that the stage's stack names.

    Raises NotFound for a stage that is not deployed or a table that is not there, PermanentError for what
    AWS refuses.
    """
    dynamodb = boto3.client("dynamodb", region_name=_region())
    name = table or _table_of(stage)
    try:
        dynamodb.describe_table(TableName=name)
    except dynamodb.exceptions.ResourceNotFoundException:
        raise NotFound(f"there is no table {name} in {dynamodb.meta.region_name}") from None
    except ClientError as error:
        raise PermanentError(f"the table {name} cannot be read: {error_code(error)}") from None
    return DynamoCredentialStore(name, dynamodb)


def _region() -> str | None:
    """Of the variable that AWS's other tools read; boto3 looks for its own and in the configuration."""
    return os.environ.get("AWS_REGION") or None


def _table_of(stage: str) -> str:
    stack = f"cognis-{stage}-data"
    cloudformation = boto3.client("cloudformation", region_name=_region())
    try:
        found = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]
    except ClientError as error:
        if error_code(error) == "ValidationError":
            raise NotFound(
                f"there is no stack {stack} in {cloudformation.meta.region_name}; name another stage with"
                " --stage, or the table with --table"
            ) from None
        raise PermanentError(f"the stack {stack} cannot be read: {error_code(error)}") from None
    outputs = {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}
    if _OUTPUT not in outputs:
        raise NotFound(f"the stack {stack} has no output {_OUTPUT}; name the table with --table")
    return outputs[_OUTPUT]
