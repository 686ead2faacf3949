"""Lambda layers and the code of functions, as assets that depend on their content alone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import Annotations, IgnoreMode
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from cognis_cdk.packaging import LAMBDA_PYTHON, build_sources, find_python
from cognis_cdk.project import BUILD_FOLDER, CORE_LAYER, FUNCTIONS, LOCAL_LAYER

_NOT_SOURCE: Final = ["__pycache__/", "*.pyc", ".*"]
"""Patterns as in .gitignore."""

_NOT_COMPILED: Final = (
    f"No python{LAMBDA_PYTHON} was found on the PATH: layers come without compiled files, and every new "
    "process of a function compiles its sources, which about doubles the time that it takes to start. "
    f"Put one there (uv python install {LAMBDA_PYTHON}) and synthesise again; see docs/deployment.md."
)

RUNTIME: Final = lambda_.Runtime.PYTHON_3_13
ARCHITECTURE: Final = lambda_.Architecture.ARM_64


def source_code(folder: Path) -> lambda_.AssetCode:
    """A folder without what Python and editors leave in it."""
    return lambda_.Code.from_asset(str(folder), exclude=_NOT_SOURCE, ignore_mode=IgnoreMode.GIT)


def function_code(folder: str) -> lambda_.AssetCode:
    """The folder of that name under `functions/`, and nothing beside it."""
    return source_code(FUNCTIONS / folder)


def function_layers(scope: Construct, dependencies: Path, *, local: bool) -> list[lambda_.LayerVersion]:
    """The layers of every function of a stack; `dependencies` is a folder that `build_dependencies` made.

    Each stack has its own: a layer version that another stack uses cannot be replaced.
    """
    core = source_code(CORE_LAYER) if local else _compiled(scope, CORE_LAYER)
    layers = [
        _layer(scope, "Dependencies", lambda_.Code.from_asset(str(dependencies)), "Locked packages"),
        _layer(scope, "Core", core, "cognis_memory"),
    ]
    if local:
        layers.append(_layer(scope, "Local", source_code(LOCAL_LAYER), "cognis_local"))
    return layers


def _compiled(scope: Construct, folder: Path) -> lambda_.AssetCode:
    """With compiled files where this machine has Lambda's Python, which alone can make them.

    Where it has none the stack gets a warning, which the CDK's command line shows.
    """
    python = find_python(LAMBDA_PYTHON)
    if python is None:
        Annotations.of(scope).add_warning_v2("cognis:layers-without-compiled-files", _NOT_COMPILED)
        return source_code(folder)
    return lambda_.Code.from_asset(str(build_sources(folder, python, BUILD_FOLDER)))


def _layer(scope: Construct, id_: str, code: lambda_.Code, description: str) -> lambda_.LayerVersion:
    return lambda_.LayerVersion(
        scope,
        f"{id_}Layer",
        code=code,
        description=f"Cognis: {description}",
        compatible_runtimes=[RUNTIME],
        compatible_architectures=[ARCHITECTURE],
    )
