"""Builds what functions are deployed with, without Docker and the same bytes every time."""

from cognis_cdk.packaging.compiling import Interpreter, build_sources, find_python
from cognis_cdk.packaging.dependencies import build_dependencies
from cognis_cdk.packaging.folders import BuildFailed
from cognis_cdk.packaging.platforms import LAMBDA, LAMBDA_PYTHON, Platform, host

__all__ = [
    "LAMBDA",
    "LAMBDA_PYTHON",
    "BuildFailed",
    "Interpreter",
    "Platform",
    "build_dependencies",
    "build_sources",
    "find_python",
    "host",
]
