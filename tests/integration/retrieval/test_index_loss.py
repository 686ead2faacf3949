"""A missing or corrupt index is rebuilt from the ledger on the way, with nothing lost and without a model."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from deployment import Deployment, owner_of
from engines import describe, open_deployment
from fakes import Failing
from snapshots import found_documents, index_content

from cognis_memory.errors import EmbeddingUnavailable
from cognis_memory.models.event import EventStatus

OWNER = owner_of("ana")
TOLD = ["My home is Tokyo.", "私の趣味は釣りです。", "What a day.", "My home is Osaka.", "Forget my job."]


@contextmanager
def _reopened(folder: Path) -> Iterator[Deployment]:
    """A fresh process: no shard is open or cached."""
    deployment = open_deployment(describe(folder))
    yield deployment
    deployment.close()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("told")
    with _reopened(folder) as deployment:
        deployment.add("ana", TOLD)
        deployment.add("bob", "My home is Nara.")
        deployment.delete("ana", next(m.id for m in deployment.list("ana").memories if "釣り" in m.memory))
    return folder


@pytest.fixture
def folder(told: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return shutil.copytree(told, tmp_path / "folder")


def _damage(folder: Path, kind: str) -> None:
    for file in (folder / "shards").rglob("head*"):
        if kind == "missing":
            file.unlink()
        elif kind == "empty":
            file.write_bytes(b"")
        elif kind == "cut":
            file.write_bytes(file.read_bytes()[:1_000])
        else:
            file.write_bytes(b"This was never a shard. " * 1_000)


KINDS = pytest.mark.parametrize("kind", ["missing", "empty", "cut", "garbage"])


@KINDS
def test_a_search_restores_it(folder: Path, kind: str) -> None:
    with _reopened(folder) as deployment:
        before = index_content(deployment, "ana")
    _damage(folder, kind)

    with _reopened(folder) as deployment:
        assert "The home is Osaka" in deployment.found("ana", "home Osaka")
        assert index_content(deployment, "ana") == before
        assert deployment.found("bob", "home Nara")


@KINDS
def test_a_search_without_any_model_restores_it(folder: Path, kind: str) -> None:
    _damage(folder, kind)
    with _reopened(folder) as deployment:
        down = deployment.with_(embedder=Failing(deployment.embedder, EmbeddingUnavailable("down")))
        assert "The home is Osaka" in down.found("ana", "home Osaka")
        assert deployment.search("ana", "home Osaka").results


@KINDS
def test_an_ingestion_restores_it_too(folder: Path, kind: str) -> None:
    """Else what is written would be all that the new index holds."""
    _damage(folder, kind)
    with _reopened(folder) as deployment:
        deployment.event_numbers = iter(range(50, 100))
        event = deployment.add("ana", "Note: likes rain.")
        assert event.status is EventStatus.SUCCEEDED
        written = index_content(deployment, "ana")

        deployment.projector.rebuild(OWNER)
        assert index_content(deployment, "ana") == written
        assert "The home is Osaka" in deployment.found("ana", "home Osaka")


@KINDS
def test_a_deletion_restores_it_and_leaves_out_what_it_deletes(folder: Path, kind: str) -> None:
    _damage(folder, kind)
    with _reopened(folder) as deployment:
        deployment.delete("ana", deployment.list("ana").memories[0].id)
        assert deployment.found("ana", "home Osaka Tokyo", include_messages=False) == []
        assert "What a day." in deployment.found("ana", "what a day")


def test_searches_at_once_restore_it_once(folder: Path) -> None:
    _damage(folder, "missing")
    with _reopened(folder) as deployment, ThreadPoolExecutor(max_workers=8) as executor:
        found = list(executor.map(lambda _: deployment.found("ana", "home Osaka"), range(8)))

    assert all("The home is Osaka" in texts for texts in found)


def test_a_rebuild_ends_where_the_projections_ended(any_deployment: Deployment) -> None:
    any_deployment.add("ana", TOLD)
    any_deployment.add("ana", [f"Note: thing {number}." for number in range(30)])
    any_deployment.delete("ana", any_deployment.list("ana").memories[3].id)
    before = found_documents(index_content(any_deployment, "ana"))
    any_deployment.projector.rebuild(OWNER)

    assert found_documents(index_content(any_deployment, "ana")) == before


def test_who_has_nothing_has_no_index(deployment: Deployment) -> None:
    assert deployment.found("nobody", "home Osaka") == []
    assert not deployment.index.exists(owner_of("nobody"))
