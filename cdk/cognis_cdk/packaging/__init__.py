"""Builds what functions are deployed with, without Docker and the same bytes every time."""

from cognis_cdk.packaging.dependencies import BuildFailed, build_dependencies
from cognis_cdk.packaging.platforms import LAMBDA, Platform, host

__all__ = ["LAMBDA", "BuildFailed", "Platform", "build_dependencies", "host"]
