"""What is told of an execution that ended: our own words, never those of others."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.errors import KNOWN_ERRORS
from cognis_memory.ports import Execution, ExecutionStatus
from cognis_memory.services.executions import failure_of, known_failure

SECRET = "zanzibar"


@given(st.sampled_from(sorted(KNOWN_ERRORS)), st.text())
def test_an_error_of_ours_says_its_words(name: str, words: str) -> None:
    cause = json.dumps({"errorType": name, "errorMessage": words, "requestId": "r", "stackTrace": []})
    failure = known_failure(cause)

    assert failure is not None
    assert (failure.type, failure.detail) == (name, words)


@given(
    st.sampled_from(sorted({*ExecutionStatus} - {ExecutionStatus.RUNNING})),
    st.one_of(st.none(), st.text().map(f"{SECRET} ".__add__)),
    st.one_of(
        st.none(),
        st.text().map(SECRET.__add__),
        st.builds(lambda value: json.dumps({"errorType": value, "errorMessage": SECRET}), st.text()),
        st.sampled_from(["[]", "3", '"text"', "null", f'{{"errorMessage": "{SECRET}"}}']),
    ),
)
def test_of_others_only_a_name_is_told(status: ExecutionStatus, error: str | None, cause: str | None) -> None:
    failure = failure_of(Execution(status, error, cause))

    assert SECRET not in failure.detail
    assert failure.type.startswith("Execution")


@pytest.mark.parametrize("name", ["States.Timeout", "Lambda.Unknown", "Sandbox.Timedout", "ValueError"])
def test_the_name_of_an_error_of_the_infrastructure_is_told(name: str) -> None:
    failure = failure_of(Execution(ExecutionStatus.FAILED, name, ""))

    assert failure.detail == f"the execution failed with {name}"
