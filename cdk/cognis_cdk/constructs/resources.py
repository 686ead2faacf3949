"""What functions work with: how they learn of it, and what each use of it allows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from aws_cdk import Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sagemaker as sagemaker
from aws_cdk import aws_secretsmanager as secretsmanager

from cognis_cdk.config import BedrockModels, Guardrail, InferenceProfile, LocalModels, StageConfig
from cognis_cdk.constructs.policies import allow, allow_objects, foundation_model
from cognis_cdk.constructs.search_access import SearchAccess
from cognis_cdk.constructs.snapshot_access import SnapshotAccess
from cognis_cdk.functions import Use
from cognis_memory.adapters.dynamodb.schema import BY_AGE, BY_CONTEXT

_OBJECTS: Final = {
    Use.READ_PAYLOADS: ("payloads", "*", "s3:GetObject"),
    Use.WRITE_PAYLOADS: ("payloads", "*", "s3:PutObject"),
    Use.DELETE_PAYLOADS: ("payloads", "*", "s3:DeleteObject"),
    Use.READ_EXPORTS: ("transfers", "*/exports/*", "s3:GetObject"),
    Use.WRITE_EXPORTS: ("transfers", "*/exports/*", "s3:PutObject", "s3:AbortMultipartUpload"),
    Use.DELETE_EXPORTS: ("transfers", "*/exports/*", "s3:DeleteObject"),
    Use.READ_UPLOADS: ("transfers", "*/imports/*", "s3:GetObject"),
    Use.WRITE_UPLOADS: ("transfers", "*/imports/*", "s3:PutObject"),
    Use.DELETE_UPLOADS: ("transfers", "*/imports/*", "s3:DeleteObject"),
}
"""Of uses of objects the bucket, the keys, and what may be done with them."""


@dataclass(frozen=True, slots=True)
class Resources:
    """Everything in a stage that functions may use; None for what the stage goes without.

    All indexes are written to, the first is searched in.
    """

    config: StageConfig
    ledger: dynamodb.ITable
    credentials: dynamodb.ITable
    payloads: s3.IBucket
    transfers: s3.IBucket
    indexes: Sequence[SearchAccess]
    log_key: secretsmanager.ISecret
    rerank_endpoint: sagemaker.CfnEndpoint | None = None
    snapshots: SnapshotAccess | None = None

    def environment(self, uses: frozenset[Use]) -> dict[str, str]:
        """The variables of a function with these uses, see `cognis_memory.runtime.settings`."""
        variables = {"COGNIS_STAGE": self.config.name}
        if Use.READ_CREDENTIALS in uses:
            variables["COGNIS_CREDENTIAL_TABLE"] = self.credentials.table_name
        if Use.READ_LEDGER in uses:
            variables |= self._stores() | self._models() | self._search()
        if Use.RERANK in uses:
            variables |= self._budgets()
            if self.config.calibrations is not None:
                variables["COGNIS_CALIBRATIONS"] = json.dumps(asdict(self.config.calibrations))
        if Use.WRITE_LEDGER in uses and uses & {Use.EMBED, Use.EXTRACT} and self.config.prices:
            variables["COGNIS_PRICES"] = json.dumps(self.config.prices)
        if Use.TAKE_SNAPSHOTS in uses and self.snapshots is not None:
            variables |= self.snapshots.environment()
        return variables

    def _stores(self) -> dict[str, str]:
        return {
            "COGNIS_LEDGER_TABLE": self.ledger.table_name,
            "COGNIS_PAYLOAD_BUCKET": self.payloads.bucket_name,
            "COGNIS_TRANSFER_BUCKET": self.transfers.bucket_name,
            "COGNIS_LOG_KEY_SECRET_ARN": self.log_key.secret_arn,
            "COGNIS_MASK_SECRETS": str(self.config.mask_secrets).lower(),
        }

    def _budgets(self) -> dict[str, str]:
        return {
            "COGNIS_QUERY_EMBEDDING_MS": str(self.config.query_embedding_ms),
            "COGNIS_RERANK_MS": str(self.config.rerank_ms),
        }

    def _search(self) -> dict[str, str]:
        settings = ("COGNIS_SEARCH", "COGNIS_ALSO_INDEX")
        variables: dict[str, str] = dict(
            zip(settings, (index.engine for index in self.indexes), strict=False)
        )
        for index in self.indexes:
            variables |= index.environment()
        return variables

    def _models(self) -> dict[str, str]:
        models = self.config.models
        if isinstance(models, LocalModels):
            return {"COGNIS_MODEL_PROVIDER": models.provider, "COGNIS_MODELS_FOLDER": models.folder}
        variables = {
            "COGNIS_EXTRACTION_MODEL_ID": models.extraction.id,
            "COGNIS_EXTRACTION_OUTPUT": models.extraction.structured_output,
            "COGNIS_EMBEDDING_MODEL_ID": models.embedding_model_id,
        }
        if models.guardrail is not None:
            variables["COGNIS_EXTRACTION_GUARDRAIL"] = f"{models.guardrail.id}:{models.guardrail.version}"
        if models.embedding_endpoint is not None:
            variables["COGNIS_EMBEDDING_ENDPOINT"] = models.embedding_endpoint
        if self.rerank_endpoint is not None:
            variables["COGNIS_RERANK_ENDPOINT"] = self.rerank_endpoint.attr_endpoint_name
        elif models.rerank_model_id is not None:
            stack = Stack.of(self.ledger)
            arn = foundation_model(stack, self.config.region, models.rerank_model_id)
            variables["COGNIS_RERANK_MODEL_ARN"] = arn
        return variables

    def grant(self, role: iam.Role, uses: frozenset[Use]) -> None:
        """Allows the role what the uses need."""
        for use in Use:
            if use in uses:
                for statement in self._statements(use, Stack.of(role)):
                    role.add_to_policy(statement)

    def _statements(self, use: Use, stack: Stack) -> Iterator[iam.PolicyStatement]:
        """None for a use of what this stage has within its own processes, or of none of these resources."""
        match use:
            case Use.READ_LEDGER | Use.WRITE_LEDGER | Use.FIND_UNFINISHED:
                yield self._ledger_statement(use)
            case Use.READ_CREDENTIALS:
                yield allow([self.credentials.table_arn], "dynamodb:GetItem")
            case Use.HASH_USERS:
                yield allow([self.log_key.secret_arn], "secretsmanager:GetSecretValue")
            case Use.LIST_PAYLOADS:
                yield allow([self.payloads.bucket_arn], "s3:ListBucket")
            case Use.LIST_TRANSFERS:
                yield allow([self.transfers.bucket_arn], "s3:ListBucket")
            case _ if use in _OBJECTS:
                bucket, keys, *actions = _OBJECTS[use]
                yield from allow_objects(getattr(self, bucket), *actions, keys=keys)
            case Use.READ_INDEX | Use.WRITE_INDEX:
                for index in self.indexes:
                    yield from index.statements(use)
            case Use.TAKE_SNAPSHOTS if self.snapshots is not None:
                yield from self.snapshots.statements()
            case Use.EMBED | Use.EXTRACT | Use.RERANK:
                yield from self._model_statements(use, stack)

    def _ledger_statement(self, use: Use) -> iam.PolicyStatement:
        table = self.ledger.table_arn
        if use is Use.READ_LEDGER:
            items = [table, f"{table}/index/{BY_CONTEXT}"]
            return allow(items, "dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query")
        if use is Use.FIND_UNFINISHED:
            return allow([f"{table}/index/{BY_AGE}"], "dynamodb:Query")
        return allow(
            [table],
            "dynamodb:PutItem",
            "dynamodb:UpdateItem",
            "dynamodb:DeleteItem",
            "dynamodb:ConditionCheckItem",
            "dynamodb:BatchWriteItem",
        )

    def _model_statements(self, use: Use, stack: Stack) -> Iterator[iam.PolicyStatement]:
        models = self.config.models
        if use is Use.RERANK and self.rerank_endpoint is not None:
            yield allow([self.rerank_endpoint.ref], "sagemaker:InvokeEndpoint")
        elif isinstance(models, BedrockModels):
            match use:
                case Use.EXTRACT:
                    yield from _profile_statements(stack, models.extraction)
                    if models.guardrail is not None:
                        yield _guardrail_statement(stack, models.guardrail)
                case Use.EMBED:
                    yield self._embedding_statement(stack, models)
                case Use.RERANK if models.rerank_model_id is not None:
                    model = foundation_model(stack, self.config.region, models.rerank_model_id)
                    yield allow([model], "bedrock:InvokeModel")
                    yield allow(["*"], "bedrock:Rerank")  # AWS knows no resource for it

    def _embedding_statement(self, stack: Stack, models: BedrockModels) -> iam.PolicyStatement:
        if models.embedding_endpoint is None:
            model = foundation_model(stack, self.config.region, models.embedding_model_id)
            return allow([model], "bedrock:InvokeModel")
        name = models.embedding_endpoint.lower()  # as SageMaker writes it in ARNs
        arn = stack.format_arn(service="sagemaker", resource="endpoint", resource_name=name)
        return allow([arn], "sagemaker:InvokeEndpoint")


def _guardrail_statement(stack: Stack, guardrail: Guardrail) -> iam.PolicyStatement:
    arn = stack.format_arn(service="bedrock", resource="guardrail", resource_name=guardrail.id)
    return allow([arn], "bedrock:ApplyGuardrail")


def _profile_statements(stack: Stack, profile: InferenceProfile) -> Iterator[iam.PolicyStatement]:
    """The profile, and its model wherever the profile may lead, but only through it."""
    arn = stack.format_arn(service="bedrock", resource="inference-profile", resource_name=profile.id)
    yield allow([arn], "bedrock:InvokeModel")
    yield iam.PolicyStatement(
        actions=["bedrock:InvokeModel"],
        resources=[foundation_model(stack, region, profile.model_id) for region in profile.regions],
        conditions={"StringEquals": {"bedrock:InferenceProfileArn": arn}},
    )
