"""Synthesises stages in a process of its own: synthesise_stages.py PROJECT OUTPUT STAGE...

Each stage goes to a folder of its name under OUTPUT. PROJECT is the folder of the project, or a copy of it.
A folder with one module stands in for the layer of packages, which takes long to build.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(project: Path, output: Path, *stages: str) -> None:
    sys.path.insert(0, str(project / "cdk"))
    from aws_cdk import App  # noqa: PLC0415 - it starts Node, and the project is known only now

    from cognis_cdk.application import add_stacks  # noqa: PLC0415
    from cognis_cdk.config import stage_config  # noqa: PLC0415
    from cognis_cdk.synthesis import context  # noqa: PLC0415

    dependencies = output / "dependencies"
    Path(dependencies, "python").mkdir(parents=True)
    Path(dependencies, "python", "stand_in.py").write_text("VERSION = 1\n")
    for stage in stages:
        app = App(outdir=str(output / stage), context=context())
        add_stacks(app, stage_config(stage), dependencies)
        app.synth()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
