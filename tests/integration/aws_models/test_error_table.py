"""docs/models.md says of every error of the services what becomes of it: each is provoked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from aws_clients import client
from model_cloud import ModelCloud
from model_operations import SECRET, WAYS

from cognis_local.model_services import Operation
from cognis_local.model_services.faults import failing
from cognis_memory import errors
from cognis_memory.adapters.sagemaker import SageMakerReranker, SageMakerTransport
from cognis_memory.errors import CognisError, EmbeddingFailed, EmbeddingUnavailable, RerankUnavailable

DOCUMENT = Path(__file__).parents[3] / "docs" / "models.md"
ROW = re.compile(r"^\| (\w+) \| `(\w+)` \| (\d{3}) \| `(\w+)` \| (once|repeated) \|$", re.MULTILINE)
ATTEMPTS = 2


class Row(NamedTuple):
    operation: Operation
    error: str
    status: int
    becomes: type[CognisError]
    calls: int


def rows() -> list[Row]:
    found = ROW.findall(DOCUMENT.read_text())
    return [
        Row(
            Operation(operation),
            error,
            int(status),
            getattr(errors, becomes),
            {"once": 1, "repeated": 2}[tries],
        )
        for operation, error, status, becomes, tries in found
    ]


@pytest.mark.parametrize("operation", Operation)
def test_every_error_that_the_service_documents_is_in_the_table(
    cloud: ModelCloud, operation: Operation
) -> None:
    model = client(WAYS[operation].service, cloud.url).meta.service_model.operation_model(operation.value)
    documented = {shape.name: shape.metadata["error"]["httpStatusCode"] for shape in model.error_shapes}

    assert {row.error: row.status for row in rows() if row.operation is operation} == documented


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.operation}-{row.error}")
def test_an_error_becomes_what_the_table_says(cloud: ModelCloud, row: Row) -> None:
    way = WAYS[row.operation]
    cloud.services.plan(row.operation, *[failing(row.status, row.error, f"because of {SECRET}")] * 3)

    with pytest.raises(CognisError) as raised:
        way.call(client(way.service, cloud.url, attempts=ATTEMPTS))

    assert type(raised.value) is row.becomes
    assert len(cloud.services.calls) == row.calls
    assert row.error in str(raised.value) or row.error == "ModelError"
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    ("status", "becomes"),
    [
        (400, EmbeddingFailed),
        (413, EmbeddingFailed),
        (422, EmbeddingFailed),
        (424, EmbeddingUnavailable),
        (429, EmbeddingUnavailable),
        (500, EmbeddingUnavailable),
        (503, EmbeddingUnavailable),
    ],
)
def test_a_fault_of_the_endpoints_model_counts_by_its_own_status(
    cloud: ModelCloud, status: int, becomes: type[CognisError]
) -> None:
    fault = failing(424, "ModelError", OriginalStatusCode=status, OriginalMessage=SECRET)
    cloud.services.plan(Operation.INVOKE_ENDPOINT, fault)

    with pytest.raises(becomes, match=str(status)) as raised:
        WAYS[Operation.INVOKE_ENDPOINT].call(client("sagemaker-runtime", cloud.url))
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    "code", ["ModelError", "ValidationError", "ModelNotReadyException", "InternalFailure"]
)
def test_whatever_the_reranking_endpoint_refuses_is_unavailable(cloud: ModelCloud, code: str) -> None:
    cloud.services.plan(Operation.INVOKE_ENDPOINT, failing(400, code, OriginalStatusCode=422))
    reranker = SageMakerReranker(
        SageMakerTransport(client("sagemaker-runtime", cloud.url), "tei"), model_id="reranker"
    )

    with pytest.raises(RerankUnavailable):
        reranker.rerank("q", ["a"])
