"""Finds the deployment whose tenants are meant."""

from __future__ import annotations

import os

import boto3
from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code
from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore
from cognis_memory.errors import NotFound, PermanentError
from cognis_memory.runtime.settings import Settings
from cognis_memory.runtime.wiring import Deployment

_OUTPUT = "CredentialTableName"

_DATA_OUTPUTS = {
    "COGNIS_LEDGER_TABLE": "LedgerTableName",
    "COGNIS_CREDENTIAL_TABLE": _OUTPUT,
    "COGNIS_PAYLOAD_BUCKET": "PayloadBucketName",
    "COGNIS_TRANSFER_BUCKET": "TransferBucketName",
    "COGNIS_SHARD_BUCKET": "ShardBucketName",
}
_SEARCH_OUTPUTS = {"COGNIS_OPENSEARCH_ENDPOINT": "SearchEndpoint"}
_MACHINE_OUTPUTS = {
    "COGNIS_INGESTION_MACHINE_ARN": "IngestionMachineArn",
    "COGNIS_ERASURE_MACHINE_ARN": "ErasureMachineArn",
    "COGNIS_EXPORT_MACHINE_ARN": "ExportMachineArn",
    "COGNIS_IMPORT_MACHINE_ARN": "ImportMachineArn",
}
"""Which output of the stage's stacks stands for a variable that is not set."""


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


def find_deployment(stage: str) -> Deployment:
    """What the functions of the stage work with, by the variables of their environment.

    Those of stores and search that are not set are looked up in the stage's stacks, unless
    COGNIS_LEDGER_TABLE or COGNIS_OPENSEARCH_ENDPOINT says that the deployment is described by variables.
    """
    given = {**os.environ, "COGNIS_STAGE": stage}
    if not given.get("COGNIS_LEDGER_TABLE") and not given.get("COGNIS_OPENSEARCH_ENDPOINT"):
        given = _looked_up(stage) | given
    searched = "opensearch" if given.get("COGNIS_OPENSEARCH_ENDPOINT") else "shards"
    return Deployment(Settings.from_environment({"COGNIS_SEARCH": searched} | given))


def _looked_up(stage: str) -> dict[str, str]:
    wanted = (
        (_DATA_OUTPUTS, _outputs_of(f"cognis-{stage}-data")),
        (_SEARCH_OUTPUTS, _outputs_if_deployed(f"cognis-{stage}-search")),
        (_MACHINE_OUTPUTS, _outputs_if_deployed(f"cognis-{stage}-ingestion")),
    )
    return {name: held[output] for names, held in wanted for name, output in names.items() if output in held}


def _outputs_if_deployed(stack: str) -> dict[str, str]:
    """Nothing where a stage has no such stack: one that searches in user shards has none for search."""
    try:
        return _outputs_of(stack)
    except NotFound:
        return {}


def _region() -> str | None:
    """Of the variable that AWS's other tools read; boto3 looks for its own and in the configuration."""
    return os.environ.get("AWS_REGION") or None


def _table_of(stage: str) -> str:
    stack = f"cognis-{stage}-data"
    outputs = _outputs_of(stack)
    if _OUTPUT not in outputs:
        raise NotFound(f"the stack {stack} has no output {_OUTPUT}; name the table with --table")
    return outputs[_OUTPUT]


def _outputs_of(stack: str) -> dict[str, str]:
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
    return {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}
