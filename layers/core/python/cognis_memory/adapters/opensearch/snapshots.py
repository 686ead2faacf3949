"""Snapshots of a deployment's indexes, in a repository that the cluster writes to by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from cognis_memory.adapters.opensearch.connection import Missing, OpenSearchConnection
from cognis_memory.adapters.opensearch.names import IndexNames
from cognis_memory.errors import IndexRefused, IndexUnavailable

_SLOW_SECONDS: Final = 120.0
"""To verify a repository, and to delete from one, which goes through its lists of files."""


class SnapshotState(StrEnum):
    """As OpenSearch names them. PARTIAL: some shards could not be written."""

    IN_PROGRESS = "IN_PROGRESS"
    SUCCESS = "SUCCESS"
    PARTIAL = "PARTIAL"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One snapshot of a repository, and the indexes that it holds."""

    name: str
    state: SnapshotState
    started_at: datetime
    indexes: tuple[str, ...]

    @property
    def ended(self) -> bool:
        return self.state is not SnapshotState.IN_PROGRESS

    @property
    def order(self) -> tuple[datetime, str]:
        """The cluster's clock moves in steps of 200 ms; the name has the time, too."""
        return self.started_at, self.name


class SnapshotRepository:
    """The snapshots of one deployment in the repository called `name`.

    A snapshot holds all of the deployment's indexes and what their aliases stand before, nothing else of the
    cluster, and what the last one holds already is not written again. Every method raises IndexUnavailable
    while the cluster does not answer, IndexRefused when it cannot do what it is asked for, Missing when the
    repository is not registered.
    """

    def __init__(self, connection: OpenSearchConnection, name: str, names: IndexNames) -> None:
        self._connection = connection
        self._path = f"/_snapshot/{name}"
        self._names = names

    def register(self, kind: str, settings: Mapping[str, object]) -> None:
        """Has the cluster know the repository, as often as one likes; it tries whether it can write there.

        `kind`: fs, whose settings have `location`, or s3, whose settings have `bucket` and, on Amazon
        OpenSearch Service, `region` and `role_arn`.
        """
        body = {"type": kind, "settings": dict(settings)}
        self._connection.request("PUT", self._path, body, seconds=_SLOW_SECONDS)

    def start(self, now: datetime) -> str:
        """Begins a snapshot, which the cluster completes by itself; its name, made of the time."""
        name = f"{self._names.base}-{now.astimezone(UTC):%Y%m%dt%H%M%S%fz}"
        body = {"indices": f"{self._names.base}-*", "include_global_state": False}
        try:
            self._connection.request(
                "PUT", f"{self._path}/{name}", body, params={"wait_for_completion": "false"}
            )
        except IndexRefused:  # also when the answer to a first try was lost
            if name not in {snapshot.name for snapshot in self.snapshots()}:
                raise
        return name

    def get(self, name: str) -> Snapshot:
        """Raises Missing when it is gone."""
        answer = self._connection.request("GET", f"{self._path}/{name}")
        return _snapshot(answer["snapshots"][0])

    def snapshots(self) -> list[Snapshot]:
        """This deployment's snapshots, the oldest first."""
        path = f"{self._path}/{self._names.base}-*"
        answer = self._connection.request("GET", path, params={"ignore_unavailable": "true"})
        return sorted(map(_snapshot, answer["snapshots"]), key=lambda snapshot: snapshot.order)

    def restore(self, name: str, index: str, *, into: str) -> None:
        """Begins to bring an index of a snapshot back under another name, behind no alias and free to be
        written to; see `is_restored`. Raises Missing for a snapshot that is not there."""
        body = {
            "indices": index,
            "include_global_state": False,
            "include_aliases": False,
            "rename_pattern": ".+",
            "rename_replacement": into,
            "ignore_index_settings": ["index.blocks.write"],
        }
        try:
            self._connection.request("POST", f"{self._path}/{name}/_restore", body, seconds=_SLOW_SECONDS)
        except IndexRefused:  # also when the answer to a first try was lost
            if not self._exists(into):
                raise

    def is_restored(self, index: str) -> bool:
        """Whether all of a restored index is there; its health says so too early."""
        answer = self._connection.request("GET", f"/_cluster/health/{index}", params={"level": "indices"})
        health = answer["indices"][index]
        return bool(health["active_primary_shards"] == health["number_of_shards"])

    def _exists(self, index: str) -> bool:
        try:
            self._connection.request("GET", f"/{index}/_mapping")
        except IndexUnavailable:
            return False
        return True

    def keep_last(self, kept: int) -> list[str]:
        """Deletes what is older than the last `kept` (from 1) that succeeded; returns the names."""
        held = self.snapshots()
        succeeded = [each for each in held if each.state is SnapshotState.SUCCESS]
        if len(succeeded) <= kept:
            return []
        oldest_kept = succeeded[-kept]
        dropped = [each.name for each in held if each.ended and each.order < oldest_kept.order]
        for name in dropped:
            self._delete(name)
        return dropped

    def _delete(self, name: str) -> None:
        try:
            self._connection.request("DELETE", f"{self._path}/{name}", seconds=_SLOW_SECONDS)
        except Missing:
            return


def _snapshot(answer: Mapping[str, Any]) -> Snapshot:
    started_at = datetime.fromtimestamp(answer["start_time_in_millis"] / 1_000, UTC)
    state = SnapshotState(answer["state"])
    return Snapshot(answer["snapshot"], state, started_at, tuple(sorted(answer["indices"])))
