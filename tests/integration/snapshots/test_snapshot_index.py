"""The function that takes snapshots, on a node, and what it makes of those that go wrong."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

import pytest
from search_gate import SearchGate, listening

from cognis_memory.adapters.opensearch import IndexNames, OpenSearchConnection
from cognis_memory.adapters.opensearch.snapshots import SnapshotRepository
from cognis_memory.errors import ConfigurationError, IndexRefused, IndexUnavailable
from cognis_memory.runtime import metrics
from cognis_memory.runtime.snapshots import snapshot_handler
from cognis_memory.runtime.wiring import deployment

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

KEPT = 2
WHOLE_RUN_MS = 900_000
NO_TIME_TO_WAIT_MS = 50_000


@dataclass
class Context:
    """Of Lambda's context what the handler looks at."""

    remaining_ms: int = WHOLE_RUN_MS

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


@dataclass
class Deployed:
    """An index and a repository of a test's own, and the function's environment."""

    node: str
    connection: OpenSearchConnection
    names: IndexNames
    repository: SnapshotRepository
    configure: Callable[..., None]

    def run(self, context: Context | None = None) -> Any:
        return snapshot_handler({}, cast("LambdaContext", context or Context()))

    def held(self) -> list[str]:
        return [snapshot.name for snapshot in self.repository.snapshots()]

    def wait(self) -> None:
        """Until every snapshot has ended."""
        while not all(snapshot.ended for snapshot in self.repository.snapshots()):
            time.sleep(0.02)

    @contextmanager
    def behind(self, gate: SearchGate) -> Iterator[None]:
        """The function reaches the node through the gate, while the block runs."""
        with listening(gate) as url:
            self.configure(opensearch_endpoint=url)
            yield
            self.configure()

    def leave_a_partial_one(self) -> None:
        """A snapshot without the shards of an index that is gone since."""
        self.lose_the_primary()
        body = {"indices": f"{self.names.base}-*", "partial": True}
        path = f"/_snapshot/{self.names.base}/{self.names.base}-partial"
        self.connection.request("PUT", path, body, params={"wait_for_completion": "true"})
        self.connection.request("DELETE", f"/{self.names.version(2)}")

    def lose_the_primary(self) -> None:
        """Adds an index whose one shard no node may have, so that a snapshot of it cannot succeed."""
        settings = {"index.routing.allocation.require._name": "nobody", "number_of_replicas": 0}
        body = {"settings": settings}
        path = f"/{self.names.version(2)}"
        self.connection.request("PUT", path, body, params={"wait_for_active_shards": "0"})


ANYTHING = {(f"es:ESHttp{method}", "/*") for method in ("Get", "Put", "Post", "Delete")}


class StateGate(SearchGate):
    """Answers who asks after a snapshot that it is in this state."""

    def __init__(self, node: str, state: str) -> None:
        super().__init__(node, ANYTHING)
        self._state = state

    def answer(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        status, answered, content = super().answer(method, target, headers, body)
        if method == "GET" and "*" not in unquote(target):
            found = json.loads(content)
            found["snapshots"][0]["state"] = self._state
            content = json.dumps(found).encode()
        return status, answered, content


class AmazonGate(SearchGate):
    """Stands in for what only Amazon's clusters can do: a bucket becomes a folder of the node."""

    def __init__(self, node: str) -> None:
        super().__init__(node, ANYTHING)
        self.registered: list[Any] = []

    def answer(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        given = json.loads(body) if method == "PUT" and body else {}
        if given.get("type") == "s3":
            self.registered.append(given["settings"])
            body = json.dumps({"type": "fs", "settings": {"location": given["settings"]["bucket"]}}).encode()
        return super().answer(method, target, headers, body)


@pytest.fixture
def deployed(opensearch_node: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployed]:
    base = f"snapshots-{uuid.uuid4().hex}"
    names, connection = IndexNames(base), OpenSearchConnection(opensearch_node)
    connection.request("PUT", f"/{names.version(1)}", {"settings": {"number_of_replicas": 0}})
    repository = SnapshotRepository(connection, base, names)
    repository.register("fs", {"location": base})

    def configure(**changes: str) -> None:
        variables = {
            "stage": "test",
            "search": "opensearch",
            "opensearch_endpoint": opensearch_node,
            "opensearch_index": base,
            "snapshots_kept": str(KEPT),
        }
        for name, value in (variables | changes).items():
            monkeypatch.setenv(f"COGNIS_{name.upper()}", value)
        _forget()

    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("POWERTOOLS_TRACE_DISABLED", "true")
    configure()
    deployed = Deployed(opensearch_node, connection, names, repository, configure)
    yield deployed
    deployed.wait()  # an index that is being written to a snapshot cannot be deleted
    connection.request("DELETE", f"/{base}-*")
    connection.close()
    _forget()


def _forget() -> None:
    deployment.cache_clear()
    metrics._metrics.cache_clear()


def test_every_run_takes_a_snapshot_and_the_last_ones_stay(deployed: Deployed) -> None:
    answers = [deployed.run() for _ in range(KEPT + 2)]
    assert [answer["state"] for answer in answers] == ["SUCCESS"] * (KEPT + 2)
    assert [answer["deleted"] for answer in answers] == [0, 0, 1, 1]
    assert deployed.held() == [answer["snapshot"] for answer in answers[-KEPT:]]


def test_snapshots_of_others_in_the_repository_stay(deployed: Deployed) -> None:
    other = SnapshotRepository(deployed.connection, deployed.names.base, IndexNames("other"))
    other.start(deployment().clock())
    for _ in range(KEPT + 1):
        deployed.run()
    assert len(other.snapshots()) == 1


def test_an_index_that_cannot_be_read_whole_fails_the_run_and_what_succeeded_stays(
    deployed: Deployed,
) -> None:
    good = [deployed.run()["snapshot"] for _ in range(KEPT)]
    deployed.lose_the_primary()
    with pytest.raises(IndexRefused, match="snapshot_exception"):
        deployed.run()
    assert deployed.held() == good


def test_a_snapshot_that_ends_badly_fails_the_run(deployed: Deployed) -> None:
    with deployed.behind(StateGate(deployed.node, "FAILED")), pytest.raises(IndexUnavailable, match="FAILED"):
        deployed.run()


def test_how_a_snapshot_ended_without_its_run_the_next_one_tells(deployed: Deployed) -> None:
    deployed.leave_a_partial_one()
    with (
        deployed.behind(StateGate(deployed.node, "IN_PROGRESS")),
        pytest.raises(IndexUnavailable, match="PARTIAL"),
    ):
        deployed.run(Context(remaining_ms=NO_TIME_TO_WAIT_MS))
    assert deployed.run()["state"] == "SUCCESS", "a snapshot that succeeds makes up for it"


def test_a_run_without_time_leaves_the_snapshot_to_the_cluster(deployed: Deployed) -> None:
    answer = deployed.run(Context(remaining_ms=NO_TIME_TO_WAIT_MS))
    deployed.wait()
    assert deployed.held() == [answer["snapshot"]]


def test_a_repository_that_takes_nothing_fails_the_run(deployed: Deployed) -> None:
    deployed.repository.register("fs", {"location": deployed.names.base, "readonly": True})
    with pytest.raises(IndexRefused):
        deployed.run()


@pytest.mark.parametrize("kept", ["0", "-1", "many"])
def test_how_many_are_kept_is_checked(deployed: Deployed, kept: str) -> None:
    deployed.configure(snapshots_kept=kept)
    with pytest.raises(ConfigurationError, match="COGNIS_SNAPSHOTS_KEPT"):
        deployed.run()


def test_the_bucket_is_registered_before_a_snapshot_is_taken(deployed: Deployed) -> None:
    gate, role = AmazonGate(deployed.node), "arn:aws:iam::123456789012:role/snapshots"
    with listening(gate) as url:
        bucket = {"snapshot_bucket": deployed.names.base, "snapshot_role_arn": role}
        deployed.configure(opensearch_endpoint=url, **bucket)
        assert deployed.run()["state"] == "SUCCESS"
    assert gate.registered == [
        {
            "bucket": deployed.names.base,
            "region": "eu-central-1",
            "role_arn": role,
            "server_side_encryption": True,
        }
    ]
