"""The deployment's own metrics, in CloudWatch's embedded metric format: a line of the log each time."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from aws_lambda_powertools.metrics import Metrics, MetricUnit

from cognis_memory.runtime.wiring import deployment

NAMESPACE: Final = "Cognis/Memory"


class Metric(StrEnum):
    """Every metric there is, all with the one dimension of `dimensions`: none names tenants or users."""

    SEARCH_LATENCY = "SearchLatency"
    SEARCH_RESULTS = "SearchResults"
    SEARCH_DEGRADED = "SearchDegraded"
    SEARCH_FAILED = "SearchFailed"
    INGESTION_SUCCEEDED = "IngestionSucceeded"
    INGESTION_FAILED = "IngestionFailed"
    INGESTION_DURATION = "IngestionDuration"
    BUDGET_EXCEEDED = "BudgetExceeded"
    MEMORIES_ADDED = "MemoriesAdded"
    MEMORIES_UPDATED = "MemoriesUpdated"
    MEMORIES_RETRACTED = "MemoriesRetracted"
    LEASE_WAITS = "LeaseWaits"
    ERASURE_SUCCEEDED = "ErasureSucceeded"
    ERASURE_FAILED = "ErasureFailed"
    SWEEP_STARTED = "SweepStarted"
    SWEEP_FAILED = "SweepFailed"
    SWEEP_PROJECTED = "SweepProjected"
    SWEEP_EXPIRED = "SweepExpired"
    SWEEP_FAULTS = "SweepFaults"
    UNEXPECTED_ERRORS = "UnexpectedErrors"

    @property
    def unit(self) -> MetricUnit:
        timed = self in (Metric.SEARCH_LATENCY, Metric.INGESTION_DURATION)
        return MetricUnit.Milliseconds if timed else MetricUnit.Count


def dimensions(stage: str) -> dict[str, str]:
    """The dimension of every metric: the deployment, whichever function measured."""
    return {"service": f"cognis-{stage}"}


def emit(values: Mapping[Metric, float]) -> None:
    """Publishes these values together, at once."""
    metrics = _metrics(dimensions(deployment().settings.stage)["service"])
    for metric, value in values.items():
        metrics.add_metric(name=metric, unit=metric.unit, value=value)
    metrics.flush_metrics()


@cache
def _metrics(service: str) -> Metrics:
    return Metrics(namespace=NAMESPACE, service=service)
