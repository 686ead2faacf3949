"""Log lines as a person reads them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from cognis_local.stack.errors import StackError
from cognis_local.stack.function_logs import LogLine, chosen_groups, is_routine, readable

METRICS = {"_aws": {"Timestamp": 1, "CloudWatchMetrics": []}, "service": "retrieve", "SearchLatency": [12.5]}


def structured(**fields: Any) -> str:
    always = {"level": "INFO", "location": "x:1", "timestamp": "t", "service": "retrieve", "cold_start": True}
    return json.dumps({**always, **fields}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("plain words", "plain words"),
        ("[1, 2]", "[1, 2]"),
        ("{cut off", "{cut off"),
        (structured(message="ready"), "INFO ready"),
        (
            structured(level="ERROR", message="検索", n=3, user="東"),
            "ERROR 検索 n=3 user=東",
        ),
        (structured(message="x", d={"a_ms": 1.5}), 'INFO x d={"a_ms": 1.5}'),
        (structured(level="ERROR", message="x", exception="Traceback\n  y"), "ERROR x\nTraceback\n  y"),
        (json.dumps(METRICS), "METRICS SearchLatency=[12.5]"),
    ],
)
def test_a_line_is_readable(message: str, shown: str) -> None:
    assert readable(message) == shown


@pytest.mark.parametrize(
    ("message", "routine"),
    [
        ("START RequestId: 1 Version: $LATEST", True),
        ("END RequestId: 1", True),
        ("REPORT RequestId: 1\tDuration: 2 ms", True),
        (json.dumps(METRICS), True),
        (structured(message="memory_retrieval"), False),
        ("[ERROR] Traceback", False),
    ],
)
def test_what_every_call_says_is_routine(message: str, routine: bool) -> None:
    assert is_routine(LogLine("1", datetime.now(UTC), "retrieve", message)) is routine


def test_an_unknown_function_is_answered_with_those_there_are() -> None:
    groups = {"sweep": "/aws/lambda/s", "retrieve": "/aws/lambda/r"}
    assert chosen_groups(groups, None) == groups
    assert chosen_groups(groups, "sweep") == {"sweep": "/aws/lambda/s"}
    with pytest.raises(StackError, match="no function serach; there are retrieve, sweep"):
        chosen_groups(groups, "serach")
