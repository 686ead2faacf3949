"""Puts the stacks of a stage together."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import App, Environment, Stack, Tags

from cognis_cdk.config import Search, SearchDomain, SearchNode, StageConfig, UserShards
from cognis_cdk.constructs.resources import Resources
from cognis_cdk.constructs.search_access import DomainAccess, NodeAccess, SearchAccess, ShardAccess
from cognis_cdk.stacks.api import ApiStack
from cognis_cdk.stacks.data import DataStack
from cognis_cdk.stacks.ingestion import IngestionStack
from cognis_cdk.stacks.models import ModelsStack
from cognis_cdk.stacks.observability import ObservabilityStack
from cognis_cdk.stacks.search import SearchStack
from cognis_cdk.stacks.snapshots import SnapshotStack

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
    observability = ObservabilityStack(
        app,
        f"{prefix}-observability",
        config=config,
        machines=ingestion.machines,
        api=api.memory_api.api,
        env=env,
    )
    for search in (index for index in resources.indexes if isinstance(index, DomainAccess)):
        snapshots = SnapshotStack(
            app,
            f"{prefix}-snapshots",
            resources=resources,
            search=search,
            dependencies=dependencies,
            env=env,
        )
        observability.watch_search(search, snapshots.function)
    _label(app, config)


def _label(app: App, config: StageConfig) -> None:
    Tags.of(app).add("application", "cognis")
    Tags.of(app).add("stage", config.name)
    for stack in app.node.children:
        if isinstance(stack, Stack):
            stack.template_options.metadata = _LINTER_SETTINGS


def _resources(app: App, config: StageConfig, env: Environment) -> Resources:
    """The stacks that hold data, the search cluster and models, as far as the stage has them."""
    data = DataStack(app, f"{config.prefix}-data", config=config, env=env)
    endpoint = None
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
        transfers=data.transfers,
        indexes=[_index(app, config, index, data, env) for index in config.indexes],
        log_key=data.log_key,
        rerank_endpoint=endpoint,
    )


def _index(app: App, config: StageConfig, index: Search, data: DataStack, env: Environment) -> SearchAccess:
    match index:
        case UserShards():
            return ShardAccess(data.shards)
        case SearchNode():
            return NodeAccess(index, config.search_index)
        case SearchDomain():
            stack = SearchStack(app, f"{config.prefix}-search", search=index, env=env)
            return DomainAccess(stack.domain, index, config.search_index)
