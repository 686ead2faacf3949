"""Answers that never come, come late, in part, or from somebody else."""

from __future__ import annotations

import socket
import time

import pytest
from aws_clients import client
from model_cloud import ModelCloud
from model_operations import WAYS

from cognis_local.model_services import Operation, Step, faults
from cognis_memory.errors import (
    CognisError,
    EmbeddingFailed,
    ExtractionFailed,
    RerankUnavailable,
    TransientError,
)

LOST: dict[str, Step] = {"late": faults.slow(1.0), "cut off": faults.cut_off}


@pytest.mark.parametrize("operation", Operation)
@pytest.mark.parametrize("fault", LOST)
def test_a_lost_answer_is_a_model_that_is_unavailable(
    cloud: ModelCloud, operation: Operation, fault: str
) -> None:
    cloud.services.plan(operation, LOST[fault])
    way = WAYS[operation]

    with pytest.raises(TransientError):
        way.call(client(way.service, cloud.url, read_seconds=0.3))
    assert len(cloud.services.calls) == 1


@pytest.mark.parametrize("operation", Operation)
@pytest.mark.parametrize("fault", [faults.throttled, faults.broken, faults.slow(1.0)])
def test_what_passes_is_not_noticed(cloud: ModelCloud, operation: Operation, fault: Step) -> None:
    cloud.services.plan(operation, fault)
    way = WAYS[operation]

    way.call(client(way.service, cloud.url, attempts=2, read_seconds=0.3))

    assert len(cloud.services.calls) == 2


@pytest.mark.parametrize("operation", Operation)
def test_nobody_there_is_a_model_that_is_unavailable(operation: Operation) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        way = WAYS[operation]
        started = time.monotonic()
        with pytest.raises(TransientError):
            way.call(client(way.service, f"http://127.0.0.1:{taken.getsockname()[1]}"))
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("operation", "becomes"),
    [
        (Operation.CONVERSE, ExtractionFailed),
        (Operation.INVOKE_MODEL, EmbeddingFailed),
        (Operation.RERANK, RerankUnavailable),
        (Operation.INVOKE_ENDPOINT, EmbeddingFailed),
    ],
)
def test_what_is_not_the_services_answer_is_none(
    cloud: ModelCloud, operation: Operation, becomes: type[CognisError]
) -> None:
    cloud.services.plan(operation, *[faults.not_the_protocol] * 2)
    way = WAYS[operation]

    with pytest.raises(becomes):
        way.call(client(way.service, cloud.url))
