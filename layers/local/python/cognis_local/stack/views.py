"""How executions and log lines look on a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from rich.text import Text

from cognis_local.cli.output import plain
from cognis_local.stack.executions import Execution, StateRun
from cognis_local.stack.function_logs import LogLine, readable

_STATUS_STYLES = {"SUCCEEDED": "green", "RUNNING": "cyan"}
_NAME_WIDTH = 26


def execution_view(execution: Execution) -> Text:
    """The execution in a line, and below it each state with its input, output and failed attempts."""
    text = Text(f"{execution.name}  {execution.machine}  ", style="bold")
    text.append(execution.status, style=_STATUS_STYLES.get(execution.status, "red"))
    text.append(f"  {execution.started:%Y-%m-%d %H:%M:%S}{_took(execution.started, execution.stopped)}")
    if execution.error:
        text.append(f"\n  {failure_line(execution.error, execution.cause or '')}", style="red")
    for state in execution.states:
        text.append(_state(state))
    return text


def _state(state: StateRun) -> Text:
    text = Text(f"\n  {state.name:<{_NAME_WIDTH}}{_took(state.entered, state.left) or '  under way'}")
    text.append(f"\n    in   {plain(state.input)}", style="dim")
    for error, cause in state.failures:
        text.append(f"\n    failed attempt: {failure_line(error, cause)}", style="red")
    if state.output is not None:
        text.append(f"\n    out  {plain(state.output)}", style="dim")
    return text


def failure_line(error: str, cause: str) -> str:
    """The error's name and its message, which a function's cause holds as JSON."""
    try:
        details = json.loads(cause)
    except ValueError:
        details = cause
    message = details.get("errorMessage", cause) if isinstance(details, dict) else cause
    return f"{error}: {plain(str(message))}" if message else error


def _took(start: datetime, end: datetime | None) -> str:
    return f"  {(end - start).total_seconds():.2f} s" if end else ""


def log_line_view(line: LogLine) -> Iterator[str]:
    """The line with its time and function; further lines of a stack trace indented below."""
    first, *rest = readable(line.message).splitlines() or [""]
    yield f"{line.time.astimezone():%H:%M:%S.%f}"[:-3] + f" {line.function:<{_NAME_WIDTH}} {plain(first)}"
    for further in rest:
        yield f"    {plain(further)}"
