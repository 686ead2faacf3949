"""The state machines of exports and imports, and what their functions may do with the files."""

from __future__ import annotations

import pytest
from assemblies import Assembly, Json, as_list, resolved
from transfer_machines import CHOICES, FIRST, NEXT, ON_FAILURE, SUPERSEDED_TO, TASKS

from cognis_memory.errors import PERMANENT_ERRORS, SUPERSEDED_ERRORS
from cognis_memory.models.event import EventKind

EXPORTS, UPLOADS, BUCKET = "/*/exports/*", "/*/imports/*", ""

ALLOWED = {
    "Ingest": {UPLOADS: {"s3:PutObject"}, EXPORTS: {"s3:DeleteObject"}},
    "Retrieve": {EXPORTS: {"s3:GetObject"}},
    "ExportUser": {EXPORTS: {"s3:PutObject", "s3:AbortMultipartUpload", "s3:DeleteObject"}},
    "FindUpload": {UPLOADS: {"s3:GetObject"}},
    "CheckUpload": {UPLOADS: {"s3:GetObject"}},
    "ImportUser": {UPLOADS: {"s3:GetObject", "s3:DeleteObject"}},
    "UndoImport": {UPLOADS: {"s3:GetObject", "s3:DeleteObject"}},
    "Sweep": {EXPORTS: {"s3:DeleteObject"}},
    "ErasePayloads": {EXPORTS: {"s3:DeleteObject"}, UPLOADS: {"s3:DeleteObject"}},
    "VerifyErasure": {},
}
"""Beside listing, what each function may do with which objects of the bucket; all others nothing."""


def _states(assembly: Assembly) -> dict[str, Json]:
    export, import_ = (assembly.definition(name)["States"] for name in ("Export", "Import"))
    return {**export, **import_}


def test_the_simulated_machines_of_other_tests_are_these(assembly: Assembly) -> None:
    states = _states(assembly)
    assert {name for name, state in states.items() if state["Type"] == "Task"} == TASKS.keys()
    assert {name: states[name]["Next"] for name in NEXT} == NEXT
    for name, (field, targets) in CHOICES.items():
        choices = states[name]["Choices"]
        assert {choice["Variable"] for choice in choices} == {f"$.{field}"}
        assert {choice["StringEquals"]: choice["Next"] for choice in choices} == targets
    for kind, machine in ((EventKind.EXPORT, "Export"), (EventKind.IMPORT, "Import")):
        assert assembly.definition(machine)["StartAt"] == FIRST[kind]


def test_errors_lead_where_they_should(assembly: Assembly) -> None:
    for name, state in _states(assembly).items():
        caught = {error: catch["Next"] for catch in state.get("Catch", ()) for error in catch["ErrorEquals"]}
        expected = dict.fromkeys(PERMANENT_ERRORS, ON_FAILURE[name]) if name in ON_FAILURE else {}
        if name in SUPERSEDED_TO:
            expected |= dict.fromkeys(SUPERSEDED_ERRORS, SUPERSEDED_TO[name])
        assert caught == expected, name


@pytest.mark.parametrize("machine", ["Export", "Import"])
def test_a_failed_execution_ends_with_the_error_of_its_event(assembly: Assembly, machine: str) -> None:
    failed = assembly.definition(machine)["States"][f"{machine}Failed"]
    assert (failed["ErrorPath"], failed["CausePath"]) == ("$.error.Error", "$.error.Cause")


def _transfers(assembly: Assembly, function: str) -> dict[str, set[str]]:
    """What a function may do with the bucket of transfers, by the part of the key it may do that with."""
    found: dict[str, set[str]] = {}
    for statement in assembly.policies(function):
        for resource in map(resolved, as_list(statement["Resource"])):
            name, slash, keys = resource.partition("/")
            if "Transfers" in name:
                found.setdefault(slash + keys, set()).update(as_list(statement["Action"]))
    return found


def test_each_function_may_do_with_the_files_what_it_must(assembly: Assembly) -> None:
    for function in assembly.functions:
        allowed = _transfers(assembly, function)
        if function in ALLOWED:
            assert allowed.pop(BUCKET) == {"s3:ListBucket"}, function
        assert allowed == ALLOWED.get(function, {}), function


def test_the_bucket_of_the_files_forgets(assembly: Assembly) -> None:
    (bucket,) = (b.properties for b in assembly.resources("AWS::S3::Bucket") if b.name == "Transfers")
    (rule,) = bucket["LifecycleConfiguration"]["Rules"]
    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", 1)
    assert rule["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 1}
    assert "VersioningConfiguration" not in bucket
