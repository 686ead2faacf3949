"""Snapshots of the search index, on a schedule."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import boto3
from aws_lambda_powertools.utilities.typing import LambdaContext

from cognis_memory.adapters.opensearch.snapshots import Snapshot, SnapshotRepository, SnapshotState
from cognis_memory.errors import ConfigurationError, IndexUnavailable
from cognis_memory.runtime.invocation import in_time
from cognis_memory.runtime.observability import logger, observed
from cognis_memory.runtime.settings import Settings, variable
from cognis_memory.runtime.wiring import deployment

Json = dict[str, Any]

_POLL_SECONDS: Final = 1.0
_RESERVE_MS: Final = 60_000
"""Left of a run's time when it stops waiting, for what is to be deleted."""


def snapshot_handler(event: Json, context: LambdaContext) -> Json:
    """The handler of the schedule: takes a snapshot and deletes those beyond the number that is kept.

    A snapshot that needs more time than a run has is completed by the cluster alone. Raises IndexUnavailable
    when the last one that ended did not succeed, so that the run counts as an error.
    """
    with in_time(context), observed("SnapshotIndex"):
        opened = deployment()
        repository, kept = opened.snapshots, _kept(opened.settings)
        if opened.settings.snapshot_bucket is not None:  # else an operator has registered it
            repository.register("s3", _s3_settings(opened.settings))
        earlier = repository.snapshots()
        taken = _completed(repository, repository.start(opened.clock()), context)
        deleted = repository.keep_last(kept)
        line = {"snapshot": taken.name, "state": taken.state.value, "deleted": len(deleted)}
        logger().info("snapshot", extra=line)
        _check([*earlier, taken])
        return line


def _kept(settings: Settings) -> int:
    given = settings.required("snapshots_kept")
    if not given.isdecimal() or int(given) < 1:
        raise ConfigurationError(f"{variable('snapshots_kept')} is no number from 1")
    return int(given)


def _s3_settings(settings: Settings) -> Json:
    return {
        "bucket": settings.required("snapshot_bucket"),
        "region": boto3.Session().region_name,
        "role_arn": settings.required("snapshot_role_arn"),
        "server_side_encryption": True,
    }


def _completed(repository: SnapshotRepository, name: str, context: LambdaContext) -> Snapshot:
    """The snapshot once it has ended, or as it is when the run has no more time to wait."""
    while True:
        snapshot = repository.get(name)
        if snapshot.ended or context.get_remaining_time_in_millis() < _RESERVE_MS:
            return snapshot
        time.sleep(_POLL_SECONDS)


def _check(snapshots: Sequence[Snapshot]) -> None:
    for snapshot in reversed(snapshots):
        if snapshot.state is SnapshotState.SUCCESS:
            return
        if snapshot.ended:
            raise IndexUnavailable(f"the snapshot {snapshot.name} ended as {snapshot.state.value}")
