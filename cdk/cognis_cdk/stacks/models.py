"""Models that run on machines of the deployment's own. Bedrock's need none."""

from __future__ import annotations

from aws_cdk import ArnFormat, CfnOutput, Environment, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from cognis_cdk.config import RerankEndpoint
from cognis_cdk.config.tei_images import image_uri, registry_account
from cognis_memory.adapters.sagemaker.reranker import MAX_CLIENT_BATCH_SIZE

_VARIANT = "main"


class ModelsStack(Stack):
    """A SageMaker endpoint that serves a cross-encoder by Text Embeddings Inference."""

    def __init__(
        self, scope: Construct, id_: str, *, reranker: RerankEndpoint, region: str, env: Environment
    ) -> None:
        super().__init__(scope, id_, env=env, description="Cognis: reranker")
        role = self._role(region, reranker)
        model = sagemaker.CfnModel(
            self,
            "Reranker",
            execution_role_arn=role.role_arn,
            primary_container=sagemaker.CfnModel.ContainerDefinitionProperty(
                image=image_uri(region, reranker.image),
                environment={
                    "HF_MODEL_ID": reranker.model_id,
                    "HF_MODEL_REVISION": reranker.revision,
                    "MAX_CLIENT_BATCH_SIZE": str(MAX_CLIENT_BATCH_SIZE),
                },
            ),
        )
        config = sagemaker.CfnEndpointConfig(
            self,
            "RerankerConfig",
            production_variants=[
                sagemaker.CfnEndpointConfig.ProductionVariantProperty(
                    variant_name=_VARIANT,
                    model_name=model.attr_model_name,
                    instance_type=reranker.instance_type,
                    initial_instance_count=reranker.instances,
                    initial_variant_weight=1,
                )
            ],
        )
        self.endpoint = sagemaker.CfnEndpoint(
            self, "RerankerEndpoint", endpoint_config_name=config.attr_endpoint_config_name
        )
        CfnOutput(self, "RerankEndpointName", value=self.endpoint.attr_endpoint_name)

    def _role(self, region: str, reranker: RerankEndpoint) -> iam.Role:
        """Pulls the one image and writes the endpoint's logs and metrics."""
        repository = self.format_arn(
            service="ecr",
            account=registry_account(region),
            resource="repository",
            resource_name=reranker.image.partition(":")[0],
        )
        logs = self.format_arn(
            service="logs",
            resource="log-group",
            resource_name="/aws/sagemaker/Endpoints/*",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        statements = [
            _allow([repository], "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"),
            _allow(["*"], "ecr:GetAuthorizationToken"),
            _allow(
                [logs],
                "logs:CreateLogGroup",
                "logs:CreateLogStream",
                "logs:DescribeLogStreams",
                "logs:PutLogEvents",
            ),
            iam.PolicyStatement(
                actions=["cloudwatch:PutMetricData"],
                resources=["*"],
                conditions={"StringLike": {"cloudwatch:namespace": "/aws/sagemaker/*"}},
            ),
        ]
        return iam.Role(
            self,
            "RerankerRole",
            assumed_by=iam.ServicePrincipal("sagemaker.amazonaws.com"),
            inline_policies={"Serve": iam.PolicyDocument(statements=statements)},
        )


def _allow(resources: list[str], *actions: str) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=list(actions), resources=resources)
