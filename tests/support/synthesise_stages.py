"""Synthesises stages in a process of its own: synthesise_stages.py PROJECT OUTPUT STAGE...

Each stage goes to a folder of its name under OUTPUT. PROJECT is the folder of the project, or a copy of it.
A folder with one module stands in for the layer of packages, which takes long to build.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(project: Path, output: Path, *stages: str) -> None:
    sys.path.insert(0, str(project / "cdk"))
    from cognis_cdk.synthesis import synthesise  # noqa: PLC0415 - the project is known only now

    dependencies = output / "dependencies"
    Path(dependencies, "python").mkdir(parents=True)
    Path(dependencies, "python", "stand_in.py").write_text("VERSION = 1\n")
    for stage in stages:
        synthesise(stage, output / stage, dependencies)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
