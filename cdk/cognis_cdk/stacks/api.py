"""The HTTP API and the functions that answer it."""

from __future__ import annotations

from pathlib import Path

from aws_cdk import CfnOutput, Environment, Stack
from constructs import Construct

from cognis_cdk.constructs.function import FunctionMaker
from cognis_cdk.constructs.machines import Machines
from cognis_cdk.constructs.resources import Resources
from cognis_cdk.constructs.rest_api import MemoryApi
from cognis_cdk.functions import AUTHORIZER, INGEST, RETRIEVE


class ApiStack(Stack):
    """API Gateway, the authorizer, and one function each for writing and reading."""

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        resources: Resources,
        machines: Machines,
        dependencies: Path,
        env: Environment,
    ) -> None:
        super().__init__(scope, id_, env=env, description="Cognis: HTTP API")
        functions = FunctionMaker(self, resources, dependencies)
        self.retrieve = functions.make(RETRIEVE)
        self.memory_api = MemoryApi(
            self,
            "Api",
            config=resources.config,
            authorizer=functions.make(AUTHORIZER),
            functions={"ingest": functions.make(INGEST, machines), "retrieve": self.retrieve},
        )
        api = self.memory_api.api
        api.node.try_remove_child("Endpoint")  # the CDK's own output, which says the same as ApiUrl
        CfnOutput(self, "ApiUrl", value=api.url)
        CfnOutput(self, "ApiId", value=api.rest_api_id)
        CfnOutput(self, "ApiStage", value=api.deployment_stage.stage_name)
