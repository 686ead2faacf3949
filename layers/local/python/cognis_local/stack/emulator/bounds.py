"""Keeps what the emulator remembers of the past bounded; MiniStack lets it grow for as long as it runs."""

from __future__ import annotations

import time
from collections.abc import Iterable, MutableMapping
from typing import Any, Final

from cognis_local.stack.emulator.patching import module

KEPT_EXECUTIONS: Final = 1_000
"""Of all state machines together; AWS keeps those of 90 days."""

KEPT_LOG_STREAMS: Final = 1_000
"""Of each function, a call each; AWS keeps what the log group's retention says."""

_KEPT_BUS_EVENTS: Final = 1_000
_KEPT_METRIC_SECONDS: Final = 24 * 3600


def forget_the_past() -> None:
    """Drops the oldest of what exceeds the bounds. Other threads may be adding at the same time."""
    _forget_executions(module("services.stepfunctions")._executions._data)
    for group in list(module("services.cloudwatch_logs")._log_groups._data.values()):
        _drop(group["streams"], list(group["streams"])[:-KEPT_LOG_STREAMS])
    for events in list(module("services.eventbridge")._events_log._data.values()):
        del events[:-_KEPT_BUS_EVENTS]
    _forget_metrics(module("services.cloudwatch")._metrics._data, time.time() - _KEPT_METRIC_SECONDS)


def _forget_executions(executions: MutableMapping[Any, Any]) -> None:
    ended = [key for key, held in list(executions.items()) if held["status"] != "RUNNING"]
    _drop(executions, ended[:-KEPT_EXECUTIONS])


def _forget_metrics(metrics: MutableMapping[Any, Any], since: float) -> None:
    """Points stand in the order in which they came."""
    for points in list(metrics.values()):
        old = sum(point["Timestamp"] < since for point in points)
        del points[:old]


def _drop(entries: MutableMapping[Any, Any], keys: Iterable[Any]) -> None:
    for key in keys:
        entries.pop(key, None)
