"""The assemblies of all stages, made once for all processes of a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3
from assemblies import PROJECT, Assembly, copy_sources, synthesise
from emulated import Emulated, free_port
from filelock import FileLock

from cognis_local.stack.aws import EmulatedAccount
from cognis_local.stack.emulator.process import running_emulator
from cognis_local.stack.folder import StackFolder

STAGES = ("prod", "payperuse", "local")
VARIANTS = ("local-opensearch", "prod-moving", "payperuse-chosen")


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


@pytest.fixture
def payperuse_chosen(shared_folder: Path) -> Assembly:
    """Stage `payperuse` with an endpoint that embeds and Bedrock's Rerank."""
    return Assembly(shared_folder / "output" / "payperuse-chosen")


@pytest.fixture(scope="module")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulated]:
    """An emulator that does not wait where a state machine would."""
    with running_emulator(StackFolder(tmp_path_factory.mktemp("emulated")), free_port()) as emulator:
        patience = {"stepfunctions._SFN_WAIT_SCALE": 0}
        urllib3.request("POST", f"{emulator.endpoint}/_ministack/config", json=patience, retries=False)
        yield Emulated(EmulatedAccount(emulator.endpoint))
