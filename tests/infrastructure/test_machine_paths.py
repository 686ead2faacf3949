"""Every path through the synthesised state machines, run by the emulator."""

from __future__ import annotations

import json

import pytest
from assemblies import Assembly
from emulated import Emulated
from scripted_machine import Execution, ScriptedMachine

from cognis_memory.errors import SUPERSEDED_ERRORS
from cognis_memory.runtime.states import FailedState
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.memories.erasing import ErasureState

ACQUIRED = {"lease": "ACQUIRED", "lease_token": 1}
WAITING = {"lease": "WAITING", "lease_polls": 1, "wait_seconds": 1}

TO_LEASE = ["StoreMessages", "ResolveSpeakersAndDates", "AcquireUserLease", "IsLeaseAcquired"]
LEASED = ["ExtractMemories", "EmbedAndCommitMemories"]
EXTRACTION = ["ExtractMemories", "IsExtractionLeft"]
UNDER_LEASE = [*EXTRACTION, "EmbedAndCommitMemories", "ReleaseUserLease"]
TASKS = [state for state in [*TO_LEASE, *UNDER_LEASE] if not state.startswith("Is")]

LAST_REPEAT = 7
"""The first call and six more."""


@pytest.fixture(scope="module")
def ingestion(
    emulated: Emulated, assemblies: dict[str, Assembly], tmp_path_factory: pytest.TempPathFactory
) -> ScriptedMachine:
    definition = assemblies["prod"].definition("Ingestion")
    return ScriptedMachine(emulated, definition, tmp_path_factory.mktemp("ingestion"))


@pytest.fixture(scope="module")
def erasure(
    emulated: Emulated, assemblies: dict[str, Assembly], tmp_path_factory: pytest.TempPathFactory
) -> ScriptedMachine:
    definition = assemblies["prod"].definition("Erasure")
    return ScriptedMachine(emulated, definition, tmp_path_factory.mktemp("erasure"))


def _assert_states_understand_their_inputs(execution: Execution) -> None:
    """The states' models forbid what they do not know."""
    for state, inputs in execution.inputs.items():
        model = FailedState if state == "RecordFailure" else IngestionState
        for given in inputs:
            model.model_validate(given)


def test_an_ingestion_goes_through_its_stages(ingestion: ScriptedMachine) -> None:
    execution = ingestion.run({"AcquireUserLease": [ACQUIRED]})
    assert execution.status == "SUCCEEDED"
    assert execution.states == [*TO_LEASE, *UNDER_LEASE, "IngestionSucceeded"]
    assert execution.inputs["ExtractMemories"][0]["lease_token"] == 1
    _assert_states_understand_their_inputs(execution)


def test_a_long_extraction_goes_on_until_nothing_is_left(ingestion: ScriptedMachine) -> None:
    left = {**ACQUIRED, "extraction_left": True}
    done = {"proposals_key": "p", "takes_out": ["extraction_left"]}
    execution = ingestion.run({"AcquireUserLease": [ACQUIRED], "ExtractMemories": [left, left, done]})
    assert execution.states == [*TO_LEASE, *EXTRACTION, *EXTRACTION, *UNDER_LEASE, "IngestionSucceeded"]
    assert execution.inputs["ExtractMemories"][2]["extraction_left"] is True
    assert execution.inputs["EmbedAndCommitMemories"][0]["proposals_key"] == "p"
    _assert_states_understand_their_inputs(execution)


def test_who_has_to_wait_asks_again_until_the_lease_is_free(ingestion: ScriptedMachine) -> None:
    execution = ingestion.run({"AcquireUserLease": [WAITING, {**WAITING, "lease_polls": 2}, ACQUIRED]})
    again = ["WaitForLease", "AcquireUserLease", "IsLeaseAcquired"]
    assert execution.states == [*TO_LEASE, *again, *again, *UNDER_LEASE, "IngestionSucceeded"]
    assert execution.inputs["AcquireUserLease"][2]["lease_polls"] == 2
    _assert_states_understand_their_inputs(execution)


def test_what_an_earlier_run_ended_needs_no_lease(ingestion: ScriptedMachine) -> None:
    execution = ingestion.run({"AcquireUserLease": [{"lease": "NOT_NEEDED"}]})
    assert (execution.status, execution.states) == ("SUCCEEDED", [*TO_LEASE, "IngestionSucceeded"])


def test_an_answer_that_nobody_knows_is_not_taken_for_another(ingestion: ScriptedMachine) -> None:
    execution = ingestion.run({"AcquireUserLease": [{"lease": "PERHAPS"}]})
    assert (execution.status, execution.error) == ("FAILED", "States.NoChoiceMatched")


@pytest.mark.parametrize("state", LEASED)
@pytest.mark.parametrize("error", SUPERSEDED_ERRORS)
def test_who_was_overtaken_acquires_and_extracts_again(
    ingestion: ScriptedMachine, state: str, error: str
) -> None:
    second = {"lease": "ACQUIRED", "lease_token": 2}
    execution = ingestion.run({"AcquireUserLease": [ACQUIRED, second], state: [{"raises": error}, {}]})
    before = [*TO_LEASE, *UNDER_LEASE[: UNDER_LEASE.index(state) + 1]]
    assert execution.states == [*before, *TO_LEASE[2:], *UNDER_LEASE, "IngestionSucceeded"]
    assert execution.inputs["ExtractMemories"][-1]["lease_token"] == 2
    _assert_states_understand_their_inputs(execution)


@pytest.mark.parametrize("state", [task for task in TASKS if task not in LEASED])
def test_other_states_that_were_overtaken_are_repeated(ingestion: ScriptedMachine, state: str) -> None:
    steps = [{"raises": "StaleEvent"}, ACQUIRED if state == "AcquireUserLease" else {}]
    execution = ingestion.run({"AcquireUserLease": [ACQUIRED], state: steps})
    assert execution.status == "SUCCEEDED"
    assert len(execution.inputs[state]) == 2


@pytest.mark.parametrize("state", TASKS)
def test_what_passes_is_repeated(ingestion: ScriptedMachine, state: str) -> None:
    passing = [{"raises": "LedgerUnavailable"}, {"raises": "IndexUnavailable"}]
    end = ACQUIRED if state == "AcquireUserLease" else {}
    execution = ingestion.run({"AcquireUserLease": [ACQUIRED], state: [*passing, end]})
    assert execution.status == "SUCCEEDED"
    assert len(execution.inputs[state]) == 3


@pytest.mark.parametrize("state", TASKS)
def test_what_cannot_succeed_is_recorded_with_its_reason(ingestion: ScriptedMachine, state: str) -> None:
    error = "ExtractionFailed"
    execution = ingestion.run({"AcquireUserLease": [ACQUIRED], state: [{"raises": error}]})
    assert (execution.status, execution.error) == ("FAILED", error)
    assert execution.states[-3:] == [state, "RecordFailure", "IngestionFailed"]
    assert json.loads(execution.cause or "")["errorMessage"] == "as the script says"
    (recorded,) = execution.inputs["RecordFailure"]
    assert recorded["error"]["Error"] == error
    _assert_states_understand_their_inputs(execution)


@pytest.mark.parametrize(
    ("error", "calls"),
    [("LedgerUnavailable", LAST_REPEAT), ("UnexpectedError", 1)],
    ids=["exhausted", "unforeseen"],
)
def test_what_is_left_fails_as_it_is_so_that_it_can_be_redriven(
    ingestion: ScriptedMachine, error: str, calls: int
) -> None:
    execution = ingestion.run({"StoreMessages": [{"raises": error}]})
    assert (execution.status, execution.error) == ("FAILED", error)
    assert execution.states == ["StoreMessages"]
    assert len(execution.inputs["StoreMessages"]) == calls


def test_a_failure_that_cannot_be_recorded_fails_as_it_is(ingestion: ScriptedMachine) -> None:
    script = {
        "StoreMessages": [{"raises": "InvalidInput"}],
        "RecordFailure": [{"raises": "LedgerUnavailable"}],
    }
    execution = ingestion.run(script)
    assert (execution.status, execution.error) == ("FAILED", "LedgerUnavailable")
    assert len(execution.inputs["RecordFailure"]) == LAST_REPEAT


ERASED = {"EraseLedger": [{"ledger": "ERASED"}], "VerifyErasure": [{"stores": "EMPTY"}]}
ERASURE = ["EraseLedger", "IsLedgerErased", "ErasePayloads", "DropIndexes", "VerifyErasure"]
ERASURE_END = ["IsEverythingErased", "ErasureSucceeded"]


def _assert_erasure_understands_its_inputs(execution: Execution) -> None:
    for given in (each for inputs in execution.inputs.values() for each in inputs):
        ErasureState.model_validate(given)


def test_an_erasure_goes_through_every_store_and_looks_again(erasure: ScriptedMachine) -> None:
    execution = erasure.run(ERASED)
    assert (execution.status, execution.states) == ("SUCCEEDED", [*ERASURE, *ERASURE_END])
    _assert_erasure_understands_its_inputs(execution)


def test_the_ledger_is_erased_run_by_run(erasure: ScriptedMachine) -> None:
    left = {"ledger": "LEFT"}
    execution = erasure.run({**ERASED, "EraseLedger": [left, left, {"ledger": "ERASED"}]})
    assert execution.states == [*ERASURE[:2] * 2, *ERASURE, *ERASURE_END]


def test_what_is_found_again_is_erased_again(erasure: ScriptedMachine) -> None:
    steps = [{"stores": "NOT_EMPTY", "rounds": 1}, {"stores": "EMPTY"}]
    execution = erasure.run({"EraseLedger": [{"ledger": "ERASED"}] * 2, "VerifyErasure": steps})
    assert execution.states == [*ERASURE, "IsEverythingErased", "WaitForWriters", *ERASURE, *ERASURE_END]
    assert execution.inputs["VerifyErasure"][1]["rounds"] == 1
    _assert_erasure_understands_its_inputs(execution)


@pytest.mark.parametrize("state", ["EraseLedger", "ErasePayloads", "DropIndexes", "VerifyErasure"])
def test_an_erasure_is_repeated_or_fails_as_it_is(erasure: ScriptedMachine, state: str) -> None:
    end = ERASED.get(state, [{}])
    repeated = erasure.run({**ERASED, state: [{"raises": "IndexUnavailable"}, *end]})
    assert (repeated.status, len(repeated.inputs[state])) == ("SUCCEEDED", 2)
    failed = erasure.run({**ERASED, state: [{"raises": "CorruptData"}]})
    assert (failed.status, failed.error, len(failed.inputs[state])) == ("FAILED", "CorruptData", 1)
