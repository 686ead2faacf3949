"""Functions, state machines and schedule on each pair of engines, with a line at which faults strike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cloud import Cloud
from faulty_functions import AwsStores, FunctionProcesses, LocalStores
from moto import mock_aws

from cognis_memory.runtime import metrics, observability
from cognis_memory.runtime.wiring import deployment


@pytest.fixture
def quiet_functions(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    """The environment of functions that log nothing but what is beyond an error."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", request.node.nodeid)  # a logger of the test's own
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Cognis/Memory")
    monkeypatch.setenv("POWERTOOLS_TRACE_DISABLED", "true")
    monkeypatch.setenv("COGNIS_STAGE", "test")
    monkeypatch.setenv("COGNIS_SEARCH", "shards")
    _forget()
    yield
    _forget()


@pytest.fixture
def local_functions(tmp_path: Path, quiet_functions: None) -> FunctionProcesses:
    """SQLite and folders; faults strike at the ports."""
    return FunctionProcesses(LocalStores(tmp_path))


@pytest.fixture
def aws_functions(monkeypatch: pytest.MonkeyPatch, quiet_functions: None) -> Iterator[FunctionProcesses]:
    """DynamoDB and S3; faults strike at the requests."""
    with mock_aws():
        cloud = Cloud()
        for name, value in cloud.environment.items():
            if not name.startswith("POWERTOOLS"):
                monkeypatch.setenv(name, value)
        yield FunctionProcesses(AwsStores(cloud))


@pytest.fixture(params=["local_functions", "aws_functions"], ids=["local", "aws"])
def functions(request: pytest.FixtureRequest) -> FunctionProcesses:
    """One after the other."""
    opened: FunctionProcesses = request.getfixturevalue(request.param)
    return opened


def _forget() -> None:
    caches: tuple[Callable[[], object], ...] = (
        deployment.cache_clear,
        observability.logger.cache_clear,
        observability.tracer.cache_clear,
        metrics._metrics.cache_clear,
    )
    for clear in caches:
        clear()
