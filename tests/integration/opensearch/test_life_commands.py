"""The life of an index by `cognis-admin`, on a node and stand-ins for AWS."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from itertools import count

import pytest
from click.testing import CliRunner, Result
from cloud import Cloud
from deployment import QUICK, TENANT, owner_of
from deployment import Deployment as Doors
from moto import mock_aws
from search_indexes import document

from cognis_admin.cli import cognis_admin
from cognis_local.pipeline import run_ingestion
from cognis_memory.adapters.opensearch import IndexNames
from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from cognis_memory.adapters.opensearch.documents import Body
from cognis_memory.errors import IndexUnavailable
from cognis_memory.runtime.settings import Settings
from cognis_memory.runtime.wiring import Deployment


class Operated:
    """A deployment as its functions and its operator see it, each by the environment."""

    def __init__(self, node: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.environment = Cloud().environment | {
            "COGNIS_OPENSEARCH_ENDPOINT": node,
            "COGNIS_OPENSEARCH_INDEX": f"life-{uuid.uuid4().hex}",
            "COGNIS_SEARCH": "opensearch",
        }
        self._monkeypatch = monkeypatch
        self._events = count()
        self.configure()

    def configure(self, **changed: str) -> None:
        """Deploys it again with other variables."""
        self.environment |= {f"COGNIS_{name.upper()}": value for name, value in changed.items()}
        for name, value in self.environment.items():
            self._monkeypatch.setenv(name, value)
        self.functions = Deployment(Settings.from_environment(self.environment))

    def tell(self, user_id: str, *messages: str) -> None:
        opened = self.functions
        run_ingestion(opened.ingestion, self._doors().accept(user_id, messages), QUICK)

    def found(self, user_id: str, query: str) -> list[str]:
        return self._doors().found(user_id, query)

    def _doors(self) -> Doors:
        opened = self.functions
        return Doors(
            opened.ledger,
            opened.payloads,
            opened.transfer_files,
            opened.index,
            event_numbers=self._events,
        )

    def admin(self, *arguments: str, fails: bool = False) -> Result:
        result = CliRunner().invoke(cognis_admin, arguments)
        assert (result.exit_code != 0) == fails, result.output
        return result

    @property
    def catalog(self) -> IndexCatalog:
        return IndexCatalog(self.functions.opensearch_connection, self.functions.index_names)

    def states(self) -> list[str]:
        return [each["state"] for each in json.loads(self.admin("index", "status", "--json").stdout)]

    def damage(self, user_id: str, **changes: object) -> None:
        """Changes stored documents of the user as no writer does."""
        query: Body = {
            "bool": {"filter": [{"term": {"user_id": user_id}}, {"exists": {"field": "generation"}}]}
        }
        script = {"source": "ctx._source.putAll(params)", "params": changes}
        self._by_query("_update_by_query", {"query": query, "script": script})

    def lose(self, user_id: str) -> None:
        """Removes the user's documents, and not the record."""
        query: Body = {
            "bool": {"filter": [{"term": {"user_id": user_id}}, {"exists": {"field": "generation"}}]}
        }
        self._by_query("_delete_by_query", {"query": query})

    def _by_query(self, operation: str, body: Body) -> None:
        path = f"/{self.functions.index_names.write}/{operation}"
        self.functions.opensearch_connection.request("POST", path, body, params={"refresh": "true"})


@pytest.fixture
def operated(opensearch_node: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Operated]:
    with mock_aws():
        made = Operated(opensearch_node, monkeypatch)
        yield made
        for version in made.catalog.versions():
            made.catalog.delete(version.name)


def create(operated: Operated) -> None:
    operated.admin("index", "create", "--shards", "1", "--refresh", "0.02")


def test_an_index_is_made_once(operated: Operated) -> None:
    assert "index create" in operated.admin("index", "status").stdout
    create(operated)

    refused = operated.admin("index", "create", fails=True)
    assert "migrate" in refused.output
    assert operated.states() == ["in use"]
    shown = operated.admin("index", "status").stdout
    assert "hash-768" in shown
    assert "shards 1" in shown


def test_a_migration_keeps_everything_and_the_older_index(operated: Operated) -> None:
    create(operated)
    operated.tell("ana", "Note: Kyoto in spring.")
    operated.tell("bo", "My home is Osaka.")
    operated.functions.index.drop(owner_of("bo"))

    migrated = operated.admin("index", "migrate", "--shards", "2")

    assert "1 users" in migrated.stdout
    assert operated.states() == ["not in use", "in use"]
    assert "Kyoto in spring" in operated.found("ana", "Kyoto")[0]
    operated.admin("index", "verify")
    assert "in use" in operated.admin("index", "delete", "2", fails=True).output
    operated.admin("index", "delete", "1")
    assert [version.settings.shards for version in operated.catalog.versions()] == [2]


def test_what_differs_is_found_and_repaired(operated: Operated) -> None:
    create(operated)
    for user in ("ana", "bo", "cleo", "dan"):
        operated.tell(user, f"Note: {user} was in Kyoto.")
    assert "the same" in operated.admin("index", "verify").stdout

    index = operated.functions.index
    operated.lose("ana")
    index.apply(owner_of("bo"), [document(1)], [])
    operated.damage("cleo", speaker="nobody")
    index.apply(owner_of("erased"), [document(1)], [])

    found = json.loads(operated.admin("index", "verify", "--json", fails=True).stdout)
    by_user = {each["owner"]["user_id"]: each for each in found["differences"]}
    assert by_user.keys() == {"ana", "bo", "cleo"}
    assert by_user["ana"]["missing"]
    assert by_user["bo"]["orphaned"] == [document(1).id]
    assert by_user["cleo"]["stale"]
    assert len(found["unknown"]) == 1

    assert "4 users are repaired" in operated.admin("index", "verify", "--repair").stdout
    assert "the same" in operated.admin("index", "verify").stdout
    assert not index.exists(owner_of("erased"))
    assert operated.found("ana", "Kyoto")


def test_what_is_pending_is_no_difference(operated: Operated) -> None:
    create(operated)
    operated.tell("ana", "Note: Kyoto in spring.")
    name = operated.functions.index_names.version(1)
    operated.catalog.block_writes(name)
    with pytest.raises(IndexUnavailable):
        operated.tell("ana", "Note: Osaka in summer.")
    operated.catalog.allow_writes(name)

    found = json.loads(operated.admin("index", "verify", "--json").stdout)
    assert found["pending"] > 0
    assert operated.functions.projector.catch_up(owner_of("ana"))
    assert json.loads(operated.admin("index", "verify", "--json").stdout)["pending"] == 0


def test_a_deployment_moves_to_opensearch_and_back(operated: Operated) -> None:
    operated.configure(search="shards")
    operated.tell("ana", "Note: Kyoto in spring.")
    create(operated)

    for search_, other in (("shards", "opensearch"), ("opensearch", "shards")):
        operated.configure(search=search_, also_index=other)
        operated.tell("bo", f"Note: from {search_} to {other}.")
        operated.admin("index", "verify", "--engine", other, fails=search_ == "shards")
        operated.admin("index", "rebuild", "--engine", other)
        operated.admin("index", "verify", "--engine", other)
        operated.tell("ana", f"Note: Osaka before {other}.")

        operated.configure(search=other, also_index=search_)
        assert any("Kyoto" in text for text in operated.found("ana", "Kyoto"))
        assert any(other in text for text in operated.found("ana", f"Osaka before {other}"))
        operated.admin("index", "verify")


def test_one_user_is_rebuilt_alone(operated: Operated) -> None:
    create(operated)
    operated.tell("ana", "Note: Kyoto in spring.")
    operated.lose("ana")
    operated.admin("index", "verify", fails=True)

    assert "2 documents" in operated.admin("index", "rebuild", "--owner", TENANT, "ana").stdout
    operated.admin("index", "verify")


def test_a_snapshot_comes_back_as_another_version(operated: Operated) -> None:
    create(operated)
    operated.tell("ana", "Note: Kyoto in spring.")
    location = operated.environment["COGNIS_OPENSEARCH_INDEX"]
    name = operated.admin("snapshot", "take", "--location", location).stdout.strip()
    operated.tell("bo", "My home is Osaka.")
    assert name in operated.admin("snapshot", "list").stdout

    operated.admin("snapshot", "restore", name)
    assert operated.states() == ["in use", "not in use"]
    operated.admin("index", "verify", "--version", "2", fails=True)
    operated.admin("index", "verify", "--version", "2", "--repair")
    operated.admin("index", "use", "2")
    operated.admin("index", "verify", "--repair")

    assert operated.states() == ["not in use", "in use"]
    assert operated.found("ana", "Kyoto")
    assert operated.found("bo", "Osaka")
    operated.tell("bo", "Note: written since.")
    operated.admin("index", "verify")


def test_a_snapshot_of_a_lost_index_comes_back(operated: Operated) -> None:
    create(operated)
    operated.tell("ana", "Note: Kyoto in spring.")
    name = operated.admin(
        "snapshot", "take", "--location", operated.environment["COGNIS_OPENSEARCH_INDEX"]
    ).stdout.strip()
    operated.catalog.delete(operated.functions.index_names.version(1))

    operated.admin("snapshot", "restore", name)
    operated.admin("index", "use", "1")
    assert operated.found("ana", "Kyoto")


def test_an_index_of_another_kind_is_not_written_to(operated: Operated) -> None:
    create(operated)
    names: IndexNames = operated.functions.index_names
    operated.tell("ana", "Note: Kyoto in spring.")
    (version,) = operated.catalog.versions()
    meta = dict(version.meta) | {"layout": 0}
    operated.functions.opensearch_connection.request("PUT", f"/{names.version(1)}/_mapping", {"_meta": meta})

    operated.configure()
    with pytest.raises(IndexUnavailable, match="layout 0 "):
        operated.tell("ana", "Note: Osaka in summer.")
    assert "another version of Cognis" in operated.admin("index", "status").stdout

    operated.admin("index", "migrate")
    operated.functions.projector.catch_up(owner_of("ana"))
    assert any("Osaka" in text for text in operated.found("ana", "Osaka"))
