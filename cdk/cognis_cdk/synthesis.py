"""From a stage's name to a cloud assembly: templates, and the assets that they name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from aws_cdk import App

from cognis_cdk.application import add_stacks
from cognis_cdk.config import StageConfig, UserShards, stage_config
from cognis_cdk.config.stages import DEFAULT_STAGE
from cognis_cdk.packaging import LAMBDA, LAMBDA_PYTHON, build_dependencies, find_python, host
from cognis_cdk.project import BUILD_FOLDER, OPENSEARCH_LOCK, ROOT, SHARDS_LOCK

_CDK_JSON: Final = ROOT / "cdk.json"
_METADATA: Final = {"aws:cdk:enable-asset-metadata": True, "aws:cdk:enable-path-metadata": True}
"""Tells SAM where the code of a function lies."""


def synthesise(
    stage: str | StageConfig | None = None,
    output: Path | None = None,
    dependencies: Path | None = None,
    search_node: str | None = None,
) -> Path:
    """Writes the assembly to `output`, or to where the CDK's command line wants it, and returns its folder.

    Without a stage it is the one of the context (`cdk synth -c stage=…`), and `prod` if that names none.
    `dependencies` is a folder in place of the layer of packages, which is built without it. `search_node` is
    the endpoint of the node of OpenSearch that stage `local` searches in, in place of user shards (context:
    `searchNode`). Raises ValueError for an unknown stage or one that has no use for a node, BuildFailed when
    the packages cannot be had.
    """
    app = App(outdir=None if output is None else str(output), context=_context())
    config = stage if isinstance(stage, StageConfig) else _named(app, stage, search_node)
    add_stacks(app, config, dependencies or _dependencies_layer(config))
    return Path(app.synth().directory)


def _named(app: App, stage: str | None, search_node: str | None) -> StageConfig:
    return stage_config(
        stage or app.node.try_get_context("stage") or DEFAULT_STAGE,
        search_node or app.node.try_get_context("searchNode"),
    )


def _dependencies_layer(config: StageConfig) -> Path:
    """The layer of packages for the machines of the stage and for its indexes."""
    locks = [SHARDS_LOCK if isinstance(index, UserShards) else OPENSEARCH_LOCK for index in config.indexes]
    if config.host_runtime:
        return build_dependencies(locks, host(), BUILD_FOLDER)
    return build_dependencies(locks, LAMBDA, BUILD_FOLDER, find_python(LAMBDA_PYTHON))


def _context() -> Mapping[str, Any]:
    """What the CDK's command line would set by itself: the context of `cdk.json`, and metadata."""
    settings: dict[str, Any] = json.loads(_CDK_JSON.read_text("utf-8"))
    return {**settings["context"], **_METADATA}
