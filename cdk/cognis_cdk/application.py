"""Puts the stacks of a stage together."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import App, Environment, Stack, Tags

from cognis_cdk.config import StageConfig
from cognis_cdk.constructs.resources import Resources
from cognis_cdk.stacks.api import ApiStack
from cognis_cdk.stacks.data import DataStack
from cognis_cdk.stacks.ingestion import IngestionStack
from cognis_cdk.stacks.models import ModelsStack
from cognis_cdk.stacks.observability import ObservabilityStack
from cognis_cdk.stacks.search import SearchStack

_LINTER_SETTINGS: Final = {"cfn-lint": {"config": {"ignore_checks": ["W3005"]}}}
"""The CDK names dependencies that follow from references as well, which cfn-lint would rather do without."""


def add_stacks(app: App, config: StageConfig, dependencies: Path) -> None:
    """Adds the stacks that the stage has; `dependencies` is the folder of the layer with packages."""
    env = Environment(account=config.account, region=config.region)
    prefix = config.prefix
    resources = _resources(app, config, env)
    ingestion = IngestionStack(
        app, f"{prefix}-ingestion", resources=resources, dependencies=dependencies, env=env
    )
    api = ApiStack(
        app,
        f"{prefix}-api",
        resources=resources,
        machines=ingestion.machines,
        dependencies=dependencies,
        env=env,
    )
    ObservabilityStack(
        app,
        f"{prefix}-observability",
        config=config,
        machines=ingestion.machines,
        api=api.memory_api.api,
        env=env,
    )
    Tags.of(app).add("application", "cognis")
    Tags.of(app).add("stage", config.name)
    for stack in app.node.children:
        if isinstance(stack, Stack):
            stack.template_options.metadata = _LINTER_SETTINGS


def _resources(app: App, config: StageConfig, env: Environment) -> Resources:
    """The stacks that hold data, the search cluster and models, as far as the stage has them."""
    data = DataStack(app, f"{config.prefix}-data", config=config, env=env)
    domain = endpoint = None
    if config.search is not None:
        domain = SearchStack(app, f"{config.prefix}-search", search=config.search, env=env).domain
    if config.reranker is not None:
        models = ModelsStack(
            app, f"{config.prefix}-models", reranker=config.reranker, region=config.region, env=env
        )
        endpoint = models.endpoint
    return Resources(
        config=config,
        ledger=data.ledger,
        credentials=data.credentials,
        payloads=data.payloads,
        shards=data.shards,
        log_key=data.log_key,
        domain=domain,
        rerank_endpoint=endpoint,
    )
