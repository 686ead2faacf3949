"""Errors as problem documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cognis_memory import errors
from cognis_memory.errors import (
    BudgetExceeded,
    CognisError,
    FieldError,
    InvalidInput,
    LedgerUnavailable,
    NotFound,
    RevisionConflict,
)
from cognis_memory.runtime.http import faults
from cognis_memory.runtime.http.problems import KINDS, THROTTLED, problem_headers, problem_of

STATUSES = {
    "InvalidInput": 400,
    "Unauthenticated": 401,
    "NotAllowed": 403,
    "RouteNotFound": 404,
    "NotFound": 404,
    "RevisionConflict": 409,
    "UserErased": 409,
    "InputTooLarge": 413,
    "UnsupportedMediaType": 415,
    "IdempotencyKeyReused": 422,
    "BudgetExceeded": 429,
    "LeaseHeld": 503,
    "LedgerUnavailable": 503,
    "EmbeddingUnavailable": 503,
    "CorruptData": 500,
    "UnexpectedError": 500,
}


def tree(class_: type[CognisError] = CognisError) -> Iterator[type[CognisError]]:
    yield class_
    for below in class_.__subclasses__():
        yield from tree(below)


@pytest.mark.parametrize(("name", "status"), STATUSES.items())
def test_each_error_has_its_status(name: str, status: int) -> None:
    class_ = getattr(errors, name, None) or getattr(faults, name)
    problem = problem_of(class_("why"), "r1")

    assert problem.status == status
    assert problem.request_id == "r1"


def test_every_error_becomes_a_problem_and_retryable_ones_say_when() -> None:
    for class_ in tree():
        assert 400 <= problem_of(class_("why"), "r1").status < 600
        says_when = class_.retryable or class_ is BudgetExceeded
        assert ("Retry-After" in problem_headers(class_("why"))) == says_when


def test_types_are_one_a_kind_and_stable() -> None:
    kinds = {kind.type: kind for kind in (*KINDS.values(), THROTTLED)}

    assert len({(kind.status, kind.title) for kind in kinds.values()}) == len(kinds)
    assert set(kinds) == {
        f"urn:cognis:problem:{name}"
        for name in (
            "invalid-input",
            "unauthenticated",
            "not-allowed",
            "route-not-found",
            "not-found",
            "conflict",
            "too-large",
            "unsupported-media-type",
            "idempotency-key-reused",
            "throttled",
            "budget-exceeded",
            "unavailable",
            "internal-error",
        )
    }


def test_every_type_is_documented_with_its_status() -> None:
    page = Path(__file__).parents[3].joinpath("docs/http-api.md").read_text(encoding="utf-8")
    documented = dict(re.findall(r"^\| `(urn:cognis:problem:[a-z-]+)` \| (\d+) \|", page, re.MULTILINE))

    assert documented == {kind.type: str(int(kind.status)) for kind in (*KINDS.values(), THROTTLED)}


def test_faults_of_the_request_say_where_they_are() -> None:
    problem = problem_of(InvalidInput("two faults", [FieldError("a[0]", "x"), FieldError("b", "y")]), "r1")

    assert problem.detail == "two faults"
    assert problem.errors is not None
    assert [(fault.field, fault.message) for fault in problem.errors] == [("a[0]", "x"), ("b", "y")]
    assert problem_of(NotFound("there is no memory m"), "r1").detail == "there is no memory m"
    assert problem_of(RevisionConflict("at version 2, not 1"), "r1").detail == "at version 2, not 1"


@pytest.mark.parametrize(
    "error",
    [
        ValueError("ana's diagnosis"),
        RecursionError("ana's diagnosis"),
        LedgerUnavailable("GetItem: Throttling"),
        errors.CorruptData("ana's diagnosis"),
    ],
)
def test_faults_of_ours_keep_their_words_inside(error: Exception) -> None:
    said = problem_of(error, "r1").model_dump_json()

    assert "diagnosis" not in said
    assert "GetItem" not in said
    assert type(error).__name__ not in said


def test_hundreds_of_faults_with_endless_names_stay_a_short_answer() -> None:
    error = InvalidInput("x" * 100_000, [FieldError("n" * 100_000, "unknown")] * 600)
    problem = problem_of(error, "r1")

    assert len(problem.model_dump_json()) < 20_000
    assert problem.errors is not None
    assert problem.errors[-1].message == "and 550 faults more"


def test_names_that_are_no_text_can_be_shown() -> None:
    problem = problem_of(InvalidInput("\ud800 is unknown", [FieldError("\ud800", "unknown")]), "r1")

    assert problem.model_dump_json().encode()
