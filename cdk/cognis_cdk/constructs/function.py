"""Lambda functions: one folder each, the layers of their stack, and a role that allows what they use."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import Duration, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_

from cognis_cdk.constructs.layers import ARCHITECTURE, RUNTIME, function_code, function_layers
from cognis_cdk.constructs.logs import log_group
from cognis_cdk.constructs.machines import Machines
from cognis_cdk.constructs.resources import Resources
from cognis_cdk.functions import LIBRARY_VARIABLES, FunctionSpec
from cognis_memory.runtime.metrics import NAMESPACE

_HANDLER: Final = "handler.handle"


class FunctionMaker:
    """Makes the functions of one stack, which share its layers."""

    def __init__(self, stack: Stack, resources: Resources, dependencies: Path) -> None:
        """`dependencies` is the folder of the layer with third-party packages."""
        self._stack = stack
        self._resources = resources
        self._layers = function_layers(stack, dependencies, local=resources.config.host_runtime)

    def make(self, spec: FunctionSpec, machines: Machines | None = None) -> lambda_.Function:
        """`machines` are for functions that start executions or ask after them."""
        config = self._resources.config
        logs = log_group(self._stack, f"{spec.id}Logs", config)
        role = iam.Role(
            self._stack, f"{spec.id}Role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com")
        )
        logs.grant_write(role)
        self._resources.grant(role, spec.uses)
        if machines is not None:
            machines.grant(role, spec.uses)
        return lambda_.Function(
            self._stack,
            spec.id,
            code=function_code(spec.folder),
            handler=_HANDLER,
            runtime=RUNTIME,
            architecture=ARCHITECTURE,
            layers=self._layers,
            memory_size=spec.memory,
            timeout=Duration.seconds(spec.timeout_seconds),
            environment=self._environment(spec, machines),
            role=role,
            log_group=logs,
            tracing=lambda_.Tracing.ACTIVE if config.tracing else lambda_.Tracing.DISABLED,
            description=spec.description,
        )

    def _environment(self, spec: FunctionSpec, machines: Machines | None) -> dict[str, str]:
        config = self._resources.config
        powertools = {
            "POWERTOOLS_SERVICE_NAME": spec.folder,
            "POWERTOOLS_METRICS_NAMESPACE": NAMESPACE,
            "POWERTOOLS_LOG_LEVEL": config.log_level,
        }
        if not config.tracing:
            powertools["POWERTOOLS_TRACE_DISABLED"] = "true"
        environment = self._resources.environment(spec.uses) | powertools | LIBRARY_VARIABLES
        return environment | machines.environment() if machines is not None else environment
