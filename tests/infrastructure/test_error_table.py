"""docs/errors.md says of every error what HTTP answers and the state machines do with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from assemblies import Assembly

from cognis_memory import errors
from cognis_memory.errors import PERMANENT_ERRORS, RETRYABLE_ERRORS, SUPERSEDED_ERRORS, CognisError
from cognis_memory.runtime.http.problems import kind_of

DOCUMENT = Path(__file__).parents[2] / "docs" / "errors.md"
ROW = re.compile(r"^\| `(\w+)` \| (\d{3}) \| (.+) \|$", re.MULTILINE)
FATES = {
    **dict.fromkeys(PERMANENT_ERRORS, "ends the event"),
    **dict.fromkeys(RETRYABLE_ERRORS, "is repeated"),
    **dict.fromkeys(SUPERSEDED_ERRORS, "starts again from the lease"),
    "LeaseHeld": "waits in `WaitForLease`",
    "AlreadyExists": "is not met there",
    "BudgetExceeded": "is not met there",
    "UnexpectedError": "fails the execution as it is",
}
GROUPS = {"CognisError", "Conflict", "TransientError", "PermanentError"}


def below(root: type[CognisError]) -> Iterator[type[CognisError]]:
    for child in root.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from below(child)


def test_the_table_is_the_tree() -> None:
    rows = {name: (int(status), fate) for name, status, fate in ROW.findall(DOCUMENT.read_text())}
    expected = {
        error.__name__: (kind_of(error("why")).status.value, FATES[error.__name__])
        for error in below(CognisError)
        if error.__name__ not in GROUPS
    }

    assert rows == expected


def test_repeats_are_as_many_and_as_far_apart_as_it_says(assembly: Assembly) -> None:
    repeated = re.search(
        r"up to (\d+) more times, after up to ([\d, ]+) and (\d+) seconds", DOCUMENT.read_text()
    )
    assert repeated is not None
    times = int(repeated[1])
    delays = [*(int(delay) for delay in repeated[2].split(", ")), int(repeated[3])]
    states = assembly.definition("Ingestion")["States"].values()
    for (retry,) in (state["Retry"] for state in states if state["Type"] == "Task"):
        longest = [retry["IntervalSeconds"] * retry["BackoffRate"] ** n for n in range(retry["MaxAttempts"])]
        assert (retry["MaxAttempts"], [min(d, retry["MaxDelaySeconds"]) for d in longest]) == (times, delays)
