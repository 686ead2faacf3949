"""What the emulator remembers of the past stays bounded, and the newest stays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from cognis_local.stack.emulator import bounds
from cognis_local.stack.emulator.patching import module

STORES = (
    ("services.stepfunctions", "_executions"),
    ("services.cloudwatch_logs", "_log_groups"),
    ("services.eventbridge", "_events_log"),
    ("services.cloudwatch", "_metrics"),
)


@pytest.fixture
def stores(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[Any, Any]]]:
    """The emulator's own stores of executions, log groups, bus events and metrics, empty."""
    for name in ("KEPT_EXECUTIONS", "KEPT_LOG_STREAMS", "_KEPT_BUS_EVENTS"):
        monkeypatch.setattr(bounds, name, 3)
    emptied = [getattr(module(service), name)._data for service, name in STORES]
    yield emptied
    for store in emptied:
        store.clear()


def test_the_newest_stay_and_what_runs_stays(stores: list[dict[Any, Any]]) -> None:
    executions, groups, bus_events, metrics = stores
    executions.update({n: {"status": "RUNNING" if n < 2 else "SUCCEEDED"} for n in range(10)})
    groups["g"] = {"streams": {n: {"events": []} for n in range(10)}}
    bus_events["e"] = list(range(10))
    now = time.time()
    metrics["m"] = [{"Timestamp": now - days * 24 * 3600} for days in (3, 2, 0.5, 0)]
    bounds.forget_the_past()
    assert list(executions) == [0, 1, 7, 8, 9]
    assert list(groups["g"]["streams"]) == [7, 8, 9]
    assert bus_events["e"] == [7, 8, 9]
    assert len(metrics["m"]) == 2
    bounds.forget_the_past()
    assert list(executions) == [0, 1, 7, 8, 9]
