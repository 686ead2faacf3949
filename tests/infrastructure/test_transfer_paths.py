"""Every path through the synthesised state machines of exports and imports, run by the emulator."""

from __future__ import annotations

import json

import pytest
from assemblies import Assembly
from emulated import Emulated
from scripted_machine import Execution, ScriptedMachine

from cognis_memory.errors import SUPERSEDED_ERRORS
from cognis_memory.models.event import EventReference
from cognis_memory.runtime.states import FailedState
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.transfer.state import UploadState

FOUND, ACQUIRED = {"upload": "FOUND"}, {"lease": "ACQUIRED", "lease_token": 1}
DONE = {"lease": "NOT_NEEDED"}
SCRIPT = {
    "FindUpload": [FOUND],
    "CheckUpload": [{"takes_out": ["upload", "polls", "wait_seconds"]}],
    "AcquireUserLease": [ACQUIRED],
    "ImportUser": [DONE],
}

TO_LEASE = ["FindUpload", "IsUploadThere", "CheckUpload", "AcquireUserLease", "IsLeaseAcquired"]
IMPORT = ["ImportUser", "IsLeaseAcquired"]
END = ["ReleaseUserLease", "ImportSucceeded"]
TASKS = ["FindUpload", "CheckUpload", "AcquireUserLease", "ImportUser"]

INPUTS = {
    "FindUpload": UploadState,
    "CheckUpload": UploadState,
    "UndoImport": EventReference,
    "RecordFailure": FailedState,
}
"""What understands the input of a state; of all others an IngestionState."""


@pytest.fixture(scope="module")
def machine(
    emulated: Emulated, assemblies: dict[str, Assembly], tmp_path_factory: pytest.TempPathFactory
) -> ScriptedMachine:
    definition = assemblies["prod"].definition("Import")
    return ScriptedMachine(emulated, definition, tmp_path_factory.mktemp("import"))


@pytest.fixture(scope="module")
def exporting(
    emulated: Emulated, assemblies: dict[str, Assembly], tmp_path_factory: pytest.TempPathFactory
) -> ScriptedMachine:
    definition = assemblies["prod"].definition("Export")
    return ScriptedMachine(emulated, definition, tmp_path_factory.mktemp("export"))


def _assert_states_understand_their_inputs(execution: Execution) -> None:
    """The states' models forbid what they do not know."""
    for state, inputs in execution.inputs.items():
        for given in inputs:
            INPUTS.get(state, IngestionState).model_validate(given)


def test_an_import_goes_through_its_states(machine: ScriptedMachine) -> None:
    execution = machine.run(SCRIPT)
    assert (execution.status, execution.states) == ("SUCCEEDED", [*TO_LEASE, *IMPORT, *END])
    _assert_states_understand_their_inputs(execution)


def test_it_waits_for_the_file_and_for_the_lease(machine: ScriptedMachine) -> None:
    upload = {"upload": "WAITING", "polls": 1, "wait_seconds": 1}
    lease = {"lease": "WAITING", "lease_polls": 1, "wait_seconds": 1}
    found = {"upload": "FOUND", "polls": 0, "wait_seconds": None}
    execution = machine.run(
        {
            **SCRIPT,
            "FindUpload": [upload, {**upload, "polls": 2}, found],
            "AcquireUserLease": [lease, ACQUIRED],
        }
    )
    assert execution.status == "SUCCEEDED"
    assert (execution.states.count("WaitForUpload"), execution.states.count("WaitForLease")) == (2, 1)
    assert [given.get("polls") for given in execution.inputs["FindUpload"]] == [None, 1, 2]
    _assert_states_understand_their_inputs(execution)


def test_a_large_file_comes_run_by_run_under_one_lease(machine: ScriptedMachine) -> None:
    execution = machine.run({**SCRIPT, "ImportUser": [ACQUIRED, ACQUIRED, DONE]})
    assert execution.states == [*TO_LEASE, *IMPORT * 3, *END]


def test_what_an_earlier_run_ended_is_not_done_again(machine: ScriptedMachine) -> None:
    execution = machine.run({"FindUpload": [{"upload": "NOT_NEEDED"}]})
    assert execution.states == ["FindUpload", "IsUploadThere", "ImportSucceeded"]


@pytest.mark.parametrize("error", SUPERSEDED_ERRORS)
def test_who_was_overtaken_acquires_the_lease_again(machine: ScriptedMachine, error: str) -> None:
    execution = machine.run({**SCRIPT, "ImportUser": [{"raises": error}, DONE]})
    assert execution.states == [*TO_LEASE, "ImportUser", *TO_LEASE[3:], *IMPORT, *END]
    _assert_states_understand_their_inputs(execution)


@pytest.mark.parametrize("state", TASKS)
def test_what_cannot_succeed_is_undone_and_recorded_with_its_reason(
    machine: ScriptedMachine, state: str
) -> None:
    execution = machine.run({**SCRIPT, state: [{"raises": "InvalidInput"}]})
    assert (execution.status, execution.error) == ("FAILED", "InvalidInput")
    assert execution.states[-4:] == [state, "UndoImport", "RecordFailure", "ImportFailed"]
    assert execution.inputs["UndoImport"][0].keys() == {"tenant_id", "event_id"}
    (recorded,) = execution.inputs["RecordFailure"]
    assert json.loads(recorded["error"]["Cause"])["errorMessage"] == "as the script says"
    _assert_states_understand_their_inputs(execution)


def test_what_cannot_be_undone_is_recorded_with_the_first_reason(machine: ScriptedMachine) -> None:
    script = {**SCRIPT, "ImportUser": [{"raises": "EmbeddingFailed"}], "UndoImport": [{"raises": "NotFound"}]}
    execution = machine.run(script)
    assert (execution.status, execution.error) == ("FAILED", "EmbeddingFailed")


@pytest.mark.parametrize("state", TASKS)
def test_what_passes_is_repeated(machine: ScriptedMachine, state: str) -> None:
    passing = [{"raises": "LedgerUnavailable"}, {"raises": "PayloadUnavailable"}]
    execution = machine.run({**SCRIPT, state: [*passing, *SCRIPT[state]]})
    assert (execution.status, len(execution.inputs[state])) == ("SUCCEEDED", 3)


def test_an_export_succeeds_or_is_repeated_or_recorded(exporting: ScriptedMachine) -> None:
    repeated = exporting.run({"ExportUser": [{"raises": "RevisionConflict"}, {}]})
    assert (repeated.status, repeated.states) == ("SUCCEEDED", ["ExportUser", "ExportSucceeded"])
    failed = exporting.run({"ExportUser": [{"raises": "CorruptData"}]})
    assert (failed.error, failed.states) == ("CorruptData", ["ExportUser", "RecordFailure", "ExportFailed"])
