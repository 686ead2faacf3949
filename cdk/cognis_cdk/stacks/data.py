"""What a deployment must not lose, and what it keeps for a while."""

from __future__ import annotations

from typing import Final

from aws_cdk import CfnOutput, Duration, Environment, RemovalPolicy, Stack
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from cognis_cdk.config import StageConfig
from cognis_cdk.constructs.buckets import private_bucket
from cognis_cdk.constructs.tables import table
from cognis_memory.adapters.dynamodb.credentials import credential_table_definition
from cognis_memory.adapters.dynamodb.schema import TTL_ATTRIBUTE, table_definition
from cognis_memory.services.transfer.files import FILES_KEPT

_ORPHAN_DAYS: Final = 30
"""A payload goes when its event ends well. One this old is left from a failure that nobody will redrive."""


class DataStack(Stack):
    """Tables, buckets and the key that user ids are hashed with in logs."""

    def __init__(self, scope: Construct, id_: str, *, config: StageConfig, env: Environment) -> None:
        super().__init__(
            scope, id_, env=env, description="Cognis: ledger, credentials, payloads, transfers, shards"
        )
        kept = config.protect_data
        self.ledger = table(
            self, "Ledger", table_definition("ledger"), protected=kept, ttl_attribute=TTL_ATTRIBUTE
        )
        self.credentials = table(
            self, "Credentials", credential_table_definition("credentials"), protected=kept
        )
        self.payloads = private_bucket(
            self, "Payloads", protected=kept, expires_after=Duration.days(_ORPHAN_DAYS)
        )
        self.transfers = private_bucket(
            self, "Transfers", protected=kept, expires_after=Duration.days(FILES_KEPT.days)
        )
        self.shards = private_bucket(self, "Shards", protected=kept)
        self.log_key = secretsmanager.Secret(
            self,
            "LogKey",
            description="Key of the hash that stands for a user in logs",
            generate_secret_string=secretsmanager.SecretStringGenerator(
                password_length=64, exclude_punctuation=True
            ),
            removal_policy=RemovalPolicy.RETAIN if kept else RemovalPolicy.DESTROY,
        )
        CfnOutput(self, "LedgerTableName", value=self.ledger.table_name)
        CfnOutput(self, "CredentialTableName", value=self.credentials.table_name)
        CfnOutput(self, "PayloadBucketName", value=self.payloads.bucket_name)
        CfnOutput(self, "TransferBucketName", value=self.transfers.bucket_name)
        CfnOutput(self, "ShardBucketName", value=self.shards.bucket_name)
        CfnOutput(self, "LogKeySecretArn", value=self.log_key.secret_arn)
