"""What the functions log, oldest first, as lines to read."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from cognis_local.stack.errors import StackError

if TYPE_CHECKING:
    from mypy_boto3_logs import CloudWatchLogsClient

    from cognis_local.stack.aws import EmulatedAccount

_SERVICE: Final = "POWERTOOLS_SERVICE_NAME"
_PLATFORM: Final = ("START RequestId:", "END RequestId:", "REPORT RequestId:", "INIT_START ")
_FOLLOW_SECONDS: Final = 1.0
_OVERLAP_MILLISECONDS: Final = 5_000
"""A line may appear in the log some time after the moment that it names."""

_SHOWN_ELSEWHERE: Final = frozenset(
    {"level", "location", "message", "timestamp", "service", "cold_start", "exception", "xray_trace_id"}
    | {"function_name", "function_memory_size", "function_arn", "function_request_id", "_aws"}
)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event of a function's log; `id` tells it from all others."""

    id: str
    time: datetime
    function: str
    message: str


def log_groups(account: EmulatedAccount) -> dict[str, str]:
    """The log group of each function, by the function's folder under `functions/`."""
    groups = dict[str, str]()
    for page in account.functions().get_paginator("list_functions").paginate():
        for function in page["Functions"]:
            name = function.get("Environment", {}).get("Variables", {}).get(_SERVICE)
            if name:
                default = f"/aws/lambda/{function['FunctionName']}"
                groups[name] = function.get("LoggingConfig", {}).get("LogGroup", default)
    return groups


def chosen_groups(groups: Mapping[str, str], function: str | None) -> Mapping[str, str]:
    """The group of that function, or all. Raises StackError, which names all, for an unknown function."""
    if function is None:
        return groups
    if function not in groups:
        raise StackError(f"There is no function {function}; there are {', '.join(sorted(groups))}.")
    return {function: groups[function]}


def lines_since(account: EmulatedAccount, groups: Mapping[str, str], start: datetime) -> list[LogLine]:
    """Every line from `start` on, in order of time."""
    client = account.logs()
    lines = [line for name, group in groups.items() for line in _lines(client, name, group, start)]
    return sorted(lines, key=lambda line: line.time)


def followed(account: EmulatedAccount, groups: Mapping[str, str], start: datetime) -> Iterator[LogLine]:
    """Every line from `start` on, and those to come, for as long as it is asked."""
    seen = dict[str, datetime]()
    while True:
        lines = lines_since(account, groups, start)
        for line in lines:
            if line.id not in seen:
                seen[line.id] = line.time
                yield line
        if lines:
            newest = lines[-1].time.timestamp() - _OVERLAP_MILLISECONDS / 1_000
            start = max(start, datetime.fromtimestamp(newest, UTC))
            seen = {id_: moment for id_, moment in seen.items() if moment >= start}
        time.sleep(_FOLLOW_SECONDS)


def _lines(client: CloudWatchLogsClient, name: str, group: str, start: datetime) -> Iterator[LogLine]:
    pages = client.get_paginator("filter_log_events").paginate(
        logGroupName=group, startTime=int(start.timestamp() * 1_000)
    )
    lines = Counter[str]()
    try:
        for page in pages:
            for event in page["events"]:
                stream = event["logStreamName"]  # of one call, at the emulator, and written at once
                lines[stream] += 1
                moment = datetime.fromtimestamp(event["timestamp"] / 1_000, UTC)
                yield LogLine(f"{stream} {lines[stream]}", moment, name, event["message"].rstrip())
    except client.exceptions.ResourceNotFoundException:
        return  # it has not run yet


def is_routine(line: LogLine) -> bool:
    """Whether it says of a call only that it was, how long it took and what it counted."""
    return line.message.startswith(_PLATFORM) or _is_metrics(_fields(line.message))


def readable(message: str) -> str:
    """A structured line as level, message and the rest as `key=value`; any other line as it is."""
    fields = _fields(message)
    if not fields:
        return message
    if _is_metrics(fields):
        return f"METRICS {_pairs(fields)}"
    head = f"{fields.get('level', 'INFO')} {fields.get('message', '')}"
    tail = f"\n{fields['exception']}" if fields.get("exception") else ""
    return f"{head} {_pairs(fields)}".rstrip() + tail


def _fields(message: str) -> dict[str, Any]:
    """Of a structured line; none for any other."""
    try:
        fields = json.loads(message)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


def _is_metrics(fields: Mapping[str, Any]) -> bool:
    """CloudWatch's embedded metric format."""
    return "_aws" in fields


def _pairs(fields: Mapping[str, Any]) -> str:
    shown = {name: value for name, value in fields.items() if name not in _SHOWN_ELSEWHERE}
    return " ".join(f"{name}={_value(value)}" for name, value in shown.items())


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
