"""A deployment on stand-ins for AWS: stores, state machines and the environment that names them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import boto3

from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore, credential_table_definition
from cognis_memory.adapters.dynamodb.schema import table_definition
from cognis_memory.services.credentials import create_key, create_tenant

REGION = "eu-central-1"
NOW = datetime(2026, 7, 15, 12, 0, tzinfo=UTC)

BUCKETS = ("payloads", "transfers", "shards")

_ROLE = "arn:aws:iam::123456789012:role/machines"
_MACHINE = {"StartAt": "Wait", "States": {"Wait": {"Type": "Succeed"}}}


class Cloud:
    """Made inside `mock_aws`; `environment` is what the functions of the deployment are given."""

    def __init__(self) -> None:
        dynamodb, s3 = boto3.client("dynamodb", region_name=REGION), boto3.client("s3", region_name=REGION)
        dynamodb.create_table(**table_definition("ledger"))
        dynamodb.create_table(**credential_table_definition("credentials"))
        for bucket in BUCKETS:
            location: Any = {"LocationConstraint": REGION}
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=location)
        secret = boto3.client("secretsmanager", region_name=REGION).create_secret(
            Name="log-key", SecretString="a key for hashes"
        )
        self.dynamodb = dynamodb
        self.s3 = s3
        self.machines = boto3.client("stepfunctions", region_name=REGION)
        self.credentials = DynamoCredentialStore("credentials", dynamodb)
        self.environment = {
            "COGNIS_STAGE": "test",
            "COGNIS_LEDGER_TABLE": "ledger",
            "COGNIS_CREDENTIAL_TABLE": "credentials",
            "COGNIS_PAYLOAD_BUCKET": "payloads",
            "COGNIS_TRANSFER_BUCKET": "transfers",
            "COGNIS_SHARD_BUCKET": "shards",
            "COGNIS_SEARCH": "shards",
            "COGNIS_MODEL_PROVIDER": "hash_models:provide",
            "COGNIS_INGESTION_MACHINE_ARN": self._machine("ingestion"),
            "COGNIS_ERASURE_MACHINE_ARN": self._machine("erasure"),
            "COGNIS_EXPORT_MACHINE_ARN": self._machine("export"),
            "COGNIS_IMPORT_MACHINE_ARN": self._machine("import"),
            "COGNIS_LOG_KEY_SECRET_ARN": secret["ARN"],
            "POWERTOOLS_SERVICE_NAME": "test",
            "POWERTOOLS_METRICS_NAMESPACE": "Cognis/Memory",
            "POWERTOOLS_TRACE_DISABLED": "true",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
        }

    def tenant(self, tenant_id: str) -> str:
        """A new tenant and a key of it."""
        create_tenant(self.credentials, tenant_id, None, now=NOW)
        return self.key(tenant_id)

    def key(self, tenant_id: str, user_id: str | None = None) -> str:
        _, secret = create_key(self.credentials, tenant_id, user_id=user_id, now=NOW)
        return secret

    def started(self, machine: str) -> Iterator[dict[str, Any]]:
        """The inputs of every execution of a machine, named by its kind of events, the earliest first."""
        arn = self.environment[f"COGNIS_{machine.upper()}_MACHINE_ARN"]
        executions = self.machines.list_executions(stateMachineArn=arn)["executions"]
        for execution in sorted(executions, key=lambda each: each["name"]):
            found = self.machines.describe_execution(executionArn=execution["executionArn"])
            yield json.loads(found["input"])

    def stored_items(self) -> int:
        """How many items and objects the ledger and the buckets hold."""
        items = self.dynamodb.scan(TableName="ledger")["Count"]
        objects = sum(self.s3.list_objects_v2(Bucket=bucket)["KeyCount"] for bucket in BUCKETS)
        return items + objects

    def _machine(self, name: str) -> str:
        made = boto3.client("stepfunctions", region_name=REGION).create_state_machine(
            name=f"cognis-test-{name}", definition=json.dumps(_MACHINE), roleArn=_ROLE
        )
        return made["stateMachineArn"]
