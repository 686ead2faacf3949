"""What a state machine does with each error: the lists are the tree's, whole and without overlap."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from cognis_memory import errors
from cognis_memory.errors import (
    KNOWN_ERRORS,
    PERMANENT_ERRORS,
    RETRYABLE_ERRORS,
    SUPERSEDED_ERRORS,
    CognisError,
)

OF_NO_STATE = {"LeaseHeld", "UnexpectedError", "AlreadyExists", "BudgetExceeded"}
"""An answer of one state, what is left to fail raw, and what only the API meets."""

ONLY_GROUPS = {"CognisError", "Conflict"}

LISTS = (RETRYABLE_ERRORS, SUPERSEDED_ERRORS, PERMANENT_ERRORS)


def tree(root: type[CognisError]) -> Iterator[type[CognisError]]:
    yield root
    for child in root.__subclasses__():
        yield from tree(child)


def of_this_module() -> set[str]:
    return {class_.__name__ for class_ in tree(CognisError) if class_.__module__ == errors.__name__}


def test_every_error_is_in_one_list_or_handled_where_it_arises() -> None:
    listed = [name for names in LISTS for name in names]

    assert len(listed) == len(set(listed))
    assert of_this_module() - set(listed) == ONLY_GROUPS | OF_NO_STATE


def test_retried_are_those_that_say_so() -> None:
    retryable = {class_.__name__ for class_ in tree(CognisError) if class_.retryable}

    assert set(RETRYABLE_ERRORS) == (retryable & of_this_module()) - {"LeaseHeld"}


def test_the_names_are_those_of_classes() -> None:
    assert {name for names in LISTS for name in names} <= KNOWN_ERRORS
    assert all(getattr(errors, name).__name__ == name for name in KNOWN_ERRORS)
    assert set(SUPERSEDED_ERRORS) == {"StaleLease", "StaleEvent", "RevisionConflict"}
    assert {"InvalidInput", "InputTooLarge", "NotFound", "UserErased", "ConfigurationError"} <= set(
        PERMANENT_ERRORS
    )


def test_the_lists_are_had_without_anything_heavy() -> None:
    code = "import sys; from cognis_memory.errors import RETRYABLE_ERRORS; print('numpy' in sys.modules)"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    printed = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)

    assert printed.strip() == "False"
