"""The assemblies of all stages, made once for all processes of a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from assemblies import PROJECT, Assembly, copy_sources, synthesise
from filelock import FileLock

STAGES = ("prod", "payperuse", "local")
VARIANTS = ("local-opensearch", "prod-moving")


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """With `sources`, a copy of what is deployed, and `output`, made from it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "infrastructure"
    done = folder / "done"
    with FileLock(folder.with_suffix(".lock")):
        if not done.exists():
            copy_sources(PROJECT, folder / "sources")
            synthesise(folder / "sources", folder / "output", *STAGES, *VARIANTS)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def assemblies(shared_folder: Path) -> dict[str, Assembly]:
    """By the stage's name."""
    return {stage: Assembly(shared_folder / "output" / stage) for stage in STAGES}


@pytest.fixture(params=STAGES)
def assembly(request: pytest.FixtureRequest, assemblies: dict[str, Assembly]) -> Assembly:
    """Each stage's, one after the other."""
    return assemblies[request.param]


@pytest.fixture
def prod(assemblies: dict[str, Assembly]) -> Assembly:
    return assemblies["prod"]


@pytest.fixture
def payperuse(assemblies: dict[str, Assembly]) -> Assembly:
    return assemblies["payperuse"]


@pytest.fixture
def local(assemblies: dict[str, Assembly]) -> Assembly:
    return assemblies["local"]


@pytest.fixture
def local_opensearch(shared_folder: Path) -> Assembly:
    """Stage `local` with a node of OpenSearch."""
    return Assembly(shared_folder / "output" / "local-opensearch")


@pytest.fixture
def prod_moving(shared_folder: Path) -> Assembly:
    """Stage `prod` while it still writes to the user shards that it comes from."""
    return Assembly(shared_folder / "output" / "prod-moving")
