"""The state machines' definitions: the errors they name exist, and people can read them."""

from __future__ import annotations

import pytest
from assemblies import Assembly, Json, resolved
from machines import AFTER_EXTRACTION, AFTER_LEASE, AFTER_LEDGER, AFTER_VERIFICATION, HANDLERS, LEASED, NEXT

from cognis_memory import errors
from cognis_memory.errors import PERMANENT_ERRORS, RETRYABLE_ERRORS, SUPERSEDED_ERRORS, CognisError

MACHINES = ("Ingestion", "Erasure", "Export", "Import")

LOST_CALLS = {
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
    "Lambda.Unknown",
    "Runtime.ExitError",
    "Sandbox.Timedout",
    "States.Timeout",
}
"""AWS's names, which have a dot, for calls of a function that came to nothing."""


def _tasks(definition: Json) -> dict[str, Json]:
    return {name: state for name, state in definition["States"].items() if state["Type"] == "Task"}


def _retried(state: Json) -> set[str]:
    return {name for retry in state["Retry"] for name in retry["ErrorEquals"]}


def _caught(state: Json) -> dict[str, str]:
    """Where each error leads."""
    return {name: catch["Next"] for catch in state.get("Catch", ()) for name in catch["ErrorEquals"]}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_error_that_is_named_exists(assembly: Assembly, machine: str) -> None:
    for state in _tasks(assembly.definition(machine)).values():
        for name in (_retried(state) | _caught(state).keys()) - LOST_CALLS:
            assert issubclass(getattr(errors, name), CognisError)


@pytest.mark.parametrize("machine", MACHINES)
def test_what_may_help_is_repeated_everywhere_and_nothing_hopeless(assembly: Assembly, machine: str) -> None:
    for state in _tasks(assembly.definition(machine)).values():
        assert _retried(state) >= {*RETRYABLE_ERRORS, *LOST_CALLS}
        assert _retried(state).isdisjoint(PERMANENT_ERRORS)


@pytest.mark.parametrize("machine", MACHINES)
def test_repeats_wait_longer_each_time_and_not_all_at_once(assembly: Assembly, machine: str) -> None:
    for state in _tasks(assembly.definition(machine)).values():
        (retry,) = state["Retry"]
        assert (retry["BackoffRate"], retry["JitterStrategy"], retry["MaxAttempts"]) == (2, "FULL", 6)


@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_catches_what_nobody_foresaw(assembly: Assembly, machine: str) -> None:
    """An execution that fails as it is can be redriven."""
    for state in _tasks(assembly.definition(machine)).values():
        assert _caught(state).keys() <= {*PERMANENT_ERRORS, *SUPERSEDED_ERRORS}


def test_what_cannot_succeed_leads_to_its_record(assembly: Assembly) -> None:
    for name, state in _tasks(assembly.definition("Ingestion")).items():
        leads = {error: target for error, target in _caught(state).items() if error in PERMANENT_ERRORS}
        recorded = {} if name == "RecordFailure" else dict.fromkeys(PERMANENT_ERRORS, "RecordFailure")
        assert leads == recorded


@pytest.mark.parametrize("machine", MACHINES)
def test_each_task_runs_the_function_of_its_name(assembly: Assembly, machine: str) -> None:
    assert all(state["Resource"] == name for name, state in _tasks(assembly.definition(machine)).items())


@pytest.mark.parametrize("machine", MACHINES)
def test_each_state_says_what_it_does(assembly: Assembly, machine: str) -> None:
    definition = assembly.definition(machine)
    assert all(state["Comment"] for state in (definition, *definition["States"].values()))


@pytest.mark.parametrize("machine", MACHINES)
def test_a_state_outwaits_its_function(assembly: Assembly, machine: str) -> None:
    """Else the state would time out first, and a second call would run beside the one before."""
    for name, state in _tasks(assembly.definition(machine)).items():
        assert state["TimeoutSeconds"] > assembly.functions[name].properties["Timeout"]


def test_machines_are_named_after_the_stage_and_log_every_step(assemblies: dict[str, Assembly]) -> None:
    for stage, assembly in assemblies.items():
        machines = [m.properties for m in assembly.resources("AWS::StepFunctions::StateMachine")]
        names = {m["StateMachineName"] for m in machines}
        assert names == {f"cognis-{stage}-{machine.lower()}" for machine in MACHINES}
        assert {m["LoggingConfiguration"]["Level"] for m in machines} == {"ALL"}
        assert {m["StateMachineType"] for m in machines} == {"STANDARD"}


def test_the_simulated_machines_of_other_tests_are_these(assembly: Assembly) -> None:
    """`machines.py` steps through the same states in the same order."""
    states = {**assembly.definition("Ingestion")["States"], **assembly.definition("Erasure")["States"]}
    tasks = {name for name, state in states.items() if state["Type"] == "Task"}
    choices = {
        name: {choice["StringEquals"]: choice["Next"] for choice in states[name]["Choices"]}
        for name in ("IsLeaseAcquired", "IsLedgerErased", "IsEverythingErased")
    }
    followed = {name: state["Next"] for name, state in states.items() if name in NEXT}
    assert tasks == HANDLERS.keys()
    assert followed == NEXT
    assert choices == {
        "IsLeaseAcquired": AFTER_LEASE,
        "IsLedgerErased": AFTER_LEDGER,
        "IsEverythingErased": AFTER_VERIFICATION,
    }
    left = states["IsExtractionLeft"]
    ((variable, present, following),) = (
        (choice["Variable"], choice["IsPresent"], choice["Next"]) for choice in left["Choices"]
    )
    assert states["ExtractMemories"]["Next"] == "IsExtractionLeft"
    assert (variable, present) == ("$.extraction_left", True)
    assert {True: following, False: left["Default"]} == AFTER_EXTRACTION
    assert {name for name in tasks if "AcquireUserLease" in _caught(states[name]).values()} == set(LEASED)


def test_executions_that_died_and_the_clock_call_their_functions(assembly: Assembly) -> None:
    rules = {rule.name: rule.properties for rule in assembly.resources("AWS::Events::Rule")}
    called = {
        name: [resolved(target["Arn"])[:-8] for target in rule["Targets"]] for name, rule in rules.items()
    }
    called.pop("SnapshotSchedule", None)  # of stages with a search domain
    assert called == {"ExecutionEnded": ["RecordEndedExecution"], "SweepSchedule": ["Sweep"]}
    pattern = rules["ExecutionEnded"]["EventPattern"]
    assert pattern["source"] == ["aws.states"]
    assert pattern["detail-type"] == ["Step Functions Execution Status Change"]
    assert set(pattern["detail"]["status"]) == {"FAILED", "TIMED_OUT", "ABORTED"}
    watched = {resolved(arn)[:-8] for arn in pattern["detail"]["stateMachineArn"]}
    assert watched == set(MACHINES)


def test_the_sweep_comes_often(assemblies: dict[str, Assembly]) -> None:
    rates = {
        stage: [
            r.properties["ScheduleExpression"]
            for r in a.resources("AWS::Events::Rule")
            if r.name == "SweepSchedule"
        ]
        for stage, a in assemblies.items()
    }
    assert rates == {
        "prod": ["rate(5 minutes)"],
        "payperuse": ["rate(5 minutes)"],
        "local": ["rate(1 minute)"],
    }
