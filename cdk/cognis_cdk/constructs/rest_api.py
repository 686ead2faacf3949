"""The REST API: its routes, its authorizer, its limits and its access log."""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from cognis_cdk.config import StageConfig
from cognis_cdk.constructs.gateway_responses import add_gateway_responses
from cognis_cdk.constructs.logs import log_group
from cognis_memory.runtime.http.routes import ROUTES, FunctionName


class MemoryApi(Construct):
    """Every route of `ROUTES`, passed on to its function as it comes."""

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        config: StageConfig,
        authorizer: lambda_.Function,
        functions: Mapping[FunctionName, lambda_.Function],
    ) -> None:
        super().__init__(scope, id_)
        self.api = apigateway.RestApi(
            self,
            "Rest",
            rest_api_name=f"{config.prefix}-api",
            endpoint_configuration=apigateway.EndpointConfiguration(types=[apigateway.EndpointType.REGIONAL]),
            deploy_options=self._stage_options(config),
            cloud_watch_role=True,
            cloud_watch_role_removal_policy=RemovalPolicy.RETAIN,  # it is the region's, not this API's alone
        )
        checks = self._authorizer(authorizer)
        integrations = {
            name: apigateway.LambdaIntegration(function, scope_permission_to_method=False)
            for name, function in functions.items()
        }
        for route in ROUTES:
            self.api.root.resource_for_path(route.path).add_method(
                route.method,
                integrations[route.function],
                authorizer=checks if route.authorized else None,
                authorization_type=apigateway.AuthorizationType.CUSTOM
                if route.authorized
                else apigateway.AuthorizationType.NONE,
            )
        add_gateway_responses(self.api)

    def _authorizer(self, function: lambda_.Function) -> apigateway.RequestAuthorizer:
        """Asked for every request, as a cached answer would outlive a revoked key.

        No header is required, as a credential may come in either of two; a request with none is refused by
        the function.
        """
        return apigateway.RequestAuthorizer(
            self, "Authorizer", handler=function, identity_sources=[], results_cache_ttl=Duration.seconds(0)
        )

    def _stage_options(self, config: StageConfig) -> apigateway.StageOptions:
        return apigateway.StageOptions(
            stage_name=config.name,
            throttling_rate_limit=config.api_limits.rate,
            throttling_burst_limit=config.api_limits.burst,
            metrics_enabled=True,
            tracing_enabled=config.tracing,
            logging_level=apigateway.MethodLoggingLevel.OFF,
            data_trace_enabled=False,
            access_log_destination=apigateway.LogGroupLogDestination(log_group(self, "AccessLogs", config)),
            access_log_format=_access_log_format(),
        )


def _access_log_format() -> apigateway.AccessLogFormat:
    """Routes, not paths, and no query string: those name users."""
    return apigateway.AccessLogFormat.custom(
        "{"
        '"request_id":"$context.requestId",'
        '"time":"$context.requestTimeEpoch",'
        '"method":"$context.httpMethod",'
        '"route":"$context.resourcePath",'
        '"status":"$context.status",'
        '"latency_ms":"$context.responseLatency",'
        '"integration_ms":"$context.integrationLatency",'
        '"response_bytes":"$context.responseLength",'
        '"tenant_id":"$context.authorizer.tenant_id",'
        '"key_id":"$context.authorizer.key_id",'
        '"error":"$context.error.responseType"'
        "}"
    )
