"""The command line of the app."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from cognis_cdk.config import STAGES
from cognis_cdk.config.stages import DEFAULT_STAGE
from cognis_cdk.packaging import BuildFailed
from cognis_cdk.project import OUTPUT_FOLDER
from cognis_cdk.synthesis import synthesise


def main() -> None:
    """Synthesises a stage. Without arguments it does what the CDK's command line asks for."""
    parser = argparse.ArgumentParser(description="Writes the CloudFormation templates of a stage.")
    parser.add_argument("stage", nargs="?", choices=list(STAGES), help="default: context, or prod")
    parser.add_argument("--output", type=Path, help="default: below .local/cdk.out")
    parser.add_argument("--search-node", metavar="URL", help="local: search in this node of OpenSearch")
    arguments = parser.parse_args()
    output: Path | None = arguments.output
    if output is None and "CDK_OUTDIR" not in os.environ:
        output = OUTPUT_FOLDER / _folder_name(arguments.stage or DEFAULT_STAGE, arguments.search_node)
    try:
        synthesise(arguments.stage, output, search_node=arguments.search_node)
    except (BuildFailed, ValueError) as error:
        sys.exit(str(error))
    if output is not None:
        sys.stdout.write(f"{output}\n")


def _folder_name(stage: str, search_node: str | None) -> str:
    return stage if search_node is None else f"{stage}-opensearch"
