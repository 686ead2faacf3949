"""Every write of every stage is struck once, before and after, in every way: the end is the undisturbed one.

The writes are those that an undisturbed run makes. On SQLite and folders they are calls of ports, on DynamoDB
and S3 requests of AWS.
"""

from __future__ import annotations

from collections.abc import Collection

import pytest
from fault_injection import Fault, Kind, When
from fault_report import Recorder, Tried, record
from faulty_functions import FunctionProcesses

from .scenarios import (
    REQUESTS,
    Outcome,
    Scenario,
    die_noticed,
    die_unnoticed,
    do_nothing,
    fail_for_good,
    ingest,
    ingest_unasked,
    prepare,
)

ALL_STAGES = (
    *("Accept", "StoreMessages", "ResolveSpeakersAndDates", "AcquireUserLease", "ExtractMemories"),
    *("EmbedAndCommitMemories", "ReleaseUserLease"),
)
AS_UNDISTURBED = "as undisturbed"
NOT_ACCEPTED = "as if it had not been asked"

operations = pytest.mark.parametrize("operation", REQUESTS)
kinds = pytest.mark.parametrize("kind", Kind)


@pytest.fixture
def local(local_functions: FunctionProcesses) -> FunctionProcesses:
    prepare(local_functions)
    return local_functions


@pytest.fixture
def aws(aws_functions: FunctionProcesses) -> FunctionProcesses:
    prepare(aws_functions)
    return aws_functions


@operations
@kinds
def test_ingestion(local: FunctionProcesses, operation: str, kind: Kind, record_property: Recorder) -> None:
    undisturbed = ingest(local, operation)
    assert {site.stage for site in undisturbed.sites} >= set(ALL_STAGES)
    assert undisturbed.states[-1]["event"]["status"] == "SUCCEEDED"
    assert {done["operation"] for done in undisturbed.states[-1]["event"]["operations"]} == {operation}

    tried = strike(local, "local", ingest, operation, kind, undisturbed)
    record(record_property, tried)
    assert failures(tried) == []


@operations
def test_ingestion_replayed_where_its_execution_failed(
    local: FunctionProcesses, operation: str, record_property: Recorder
) -> None:
    """Where an operator replays the event instead of redriving the execution."""
    local.replays = True
    tried = strike(local, "local", ingest, operation, Kind.UNFORESEEN, ingest(local, operation))
    record(record_property, tried)
    assert failures(tried) == []


@operations
@kinds
def test_failure_that_is_recorded_and_replayed(
    local: FunctionProcesses, operation: str, kind: Kind, record_property: Recorder
) -> None:
    undisturbed = fail_for_good(local, operation)
    assert undisturbed.states[0]["event"]["error"]["type"] == "ExtractionFailed"
    assert undisturbed.states[-1] == ingest(local, operation).states[-1]

    stages = ("RecordFailure", "Replay")
    tried = strike(local, "local", fail_for_good, operation, kind, undisturbed, stages)
    record(record_property, tried)
    assert {each.stage for each in tried} == set(stages)
    assert failures(tried) == []


@operations
@kinds
@pytest.mark.parametrize(
    ("scenario", "stage"), [(die_noticed, "RecordEndedExecution"), (die_unnoticed, "Sweep")]
)
def test_execution_that_ended_otherwise_and_is_replayed(
    local: FunctionProcesses,
    operation: str,
    kind: Kind,
    scenario: Scenario,
    stage: str,
    record_property: Recorder,
) -> None:
    undisturbed = scenario(local, operation, None)
    assert undisturbed.states[0]["event"]["error"]["type"] == "ExecutionAborted"
    assert undisturbed.states[-1] == ingest(local, operation).states[-1]

    tried = strike(local, "local", scenario, operation, kind, undisturbed, (stage,))
    record(record_property, tried)
    assert tried
    assert failures(tried) == []


@kinds
def test_acceptance_that_the_client_does_not_repeat(
    local: FunctionProcesses, kind: Kind, record_property: Recorder
) -> None:
    """Nothing was accepted, or all of it."""
    nothing, undisturbed = do_nothing(local), ingest_unasked(local, "UPDATE")
    tried = strike(local, "local", ingest_unasked, "UPDATE", kind, undisturbed, ("Accept",), nothing)
    record(record_property, tried)
    assert failures(tried) == []
    assert {each.outcome for each in tried} == {AS_UNDISTURBED, NOT_ACCEPTED}


@operations
@pytest.mark.parametrize(
    "kind", [Kind.KILL, *(pytest.param(k, marks=pytest.mark.long) for k in list(Kind)[1:])]
)
def test_ingestion_on_dynamodb_and_s3(
    aws: FunctionProcesses, operation: str, kind: Kind, record_property: Recorder
) -> None:
    undisturbed = ingest(aws, operation)
    assert {site.stage for site in undisturbed.sites} >= set(ALL_STAGES)
    tried = strike(aws, "aws", ingest, operation, kind, undisturbed)
    record(record_property, tried)
    assert failures(tried) == []


def strike(
    functions: FunctionProcesses,
    engines: str,
    scenario: Scenario,
    operation: str,
    kind: Kind,
    undisturbed: Outcome,
    stages: Collection[str] = ALL_STAGES,
    nothing: Outcome | None = None,
) -> list[Tried]:
    """The scenario once for each write of those stages, and each side of it.

    `nothing` is how it may end as well, where no request was accepted.
    """
    tried = []
    for site in undisturbed.sites:
        for when in When if site.stage in stages else ():
            fault = Fault(site, when, kind)
            outcome = scenario(functions, operation, fault)
            assert outcome.struck, f"{fault} was not met"
            assert outcome.orphans <= (outcome.struck if site.stage == "Accept" else 0), fault
            found = "; ".join(outcome.unlike(undisturbed)) or AS_UNDISTURBED
            if nothing is not None and outcome.states == nothing.states:
                found = NOT_ACCEPTED
            tried.append(Tried.of(engines, scenario.__name__, operation, fault, found))
    return tried


def failures(tried: list[Tried]) -> list[Tried]:
    return [each for each in tried if each.outcome not in (AS_UNDISTURBED, NOT_ACCEPTED)]
