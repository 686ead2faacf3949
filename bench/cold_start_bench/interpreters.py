"""Fresh interpreters, each with what Lambda would give it and nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cold_start_bench.stages import Stage, search_path

PROCESS = Path(__file__).parent / "process.py"


class Interpreters:
    """Those of one stage's function. Compiled files are kept in `folder`, for none lie beside the sources."""

    def __init__(self, stage: Stage, runtime: Path, folder: Path, services: str) -> None:
        """`services` is the URL of what a first search asks."""
        self._stage = stage
        self._paths = search_path(stage, runtime)
        self._services = services
        self._compiled = folder / stage.name
        self._of_runtime = folder / f"{stage.name}-runtime"
        self.of_boto3: tuple[str, ...] = tuple(self._run("function")["result"])
        self.clients = (*self.of_boto3, *stage.also)
        self.works = (*(["boto3"] if stage.also else []), "clients", "function", "uncompiled", "search")
        for work in ("clients", "search"):
            self.seconds(work)  # compiles what only this one imports
        self._leave_runtime_compiled()

    def seconds(self, work: str) -> float:
        """Of processor time."""
        match work:
            case "boto3":
                times = self._run("clients", json.dumps(self.of_boto3))
            case "clients":
                times = self._run(work, json.dumps(self.clients))
            case "uncompiled":
                times = self._run("function", options=["-B"], compiled=self._of_runtime)
            case "search":
                times = self._run(work, variables=self._of_services())
            case _:
                times = self._run(work)
        seconds: float = times["seconds"]
        return seconds

    def _run(
        self,
        work: str,
        *more: str,
        options: Sequence[str] = (),
        compiled: Path | None = None,
        variables: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        cache = f"pycache_prefix={compiled or self._compiled}"
        paths = json.dumps([str(path) for path in self._paths])
        done = subprocess.run(
            [sys.executable, "-I", "-S", *options, "-X", cache, str(PROCESS), work, paths, *more],
            env={**self._stage.variables, **(variables or {})},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return told

    def _of_services(self) -> dict[str, str]:
        return {"AWS_ENDPOINT_URL": self._services, "COGNIS_OPENSEARCH_ENDPOINT": self._services}

    def _leave_runtime_compiled(self) -> None:
        """Lambda's own files are compiled; those of function and layers only where a bundle brings that."""
        shutil.copytree(self._compiled, self._of_runtime)
        for path in self._paths[:-1]:
            shutil.rmtree(self._of_runtime / path.relative_to(path.anchor))
