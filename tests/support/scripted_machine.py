"""A synthesised state machine on the emulator, whose functions do what a script says."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emulated import ROLE, Emulated

Json = dict[str, Any]
Script = Mapping[str, Sequence[Json]]
"""For each state what its calls do, one after the other, the last again and again: `{"raises": name}` raises
an error of that name; anything else is added to the input, the fields that `takes_out` lists are taken out of
it, and it is returned."""

_SOURCE = """
import json
from pathlib import Path

FOLDER, NAME = Path({folder!r}), {name!r}


def handle(event, context):
    event_id = event["event_id"] if "event_id" in event else event["state"]["event_id"]
    calls = FOLDER / f"{{event_id}}-{{NAME}}.jsonl"
    with calls.open("a") as file:
        file.write(json.dumps(event) + "\\n")
    script = json.loads((FOLDER / f"{{event_id}}.json").read_text()).get(NAME, [{{}}])
    step = script[min(len(calls.read_text().splitlines()), len(script)) - 1]
    if "raises" in step:
        raise type(step["raises"], (Exception,), {{}})("as the script says")
    answer = {{**event, **step}}
    for name in answer.pop("takes_out", ()):
        answer.pop(name, None)
    return answer
"""


@dataclass(frozen=True, slots=True)
class Execution:
    """How one ended: the states it went through, and what each was called with."""

    status: str
    states: list[str]
    inputs: dict[str, list[Json]]
    error: str | None
    cause: str | None
    output: Json


class ScriptedMachine:
    """`definition` names a function for each task, as `Assembly.definition` does."""

    def __init__(self, emulated: Emulated, definition: Json, folder: Path) -> None:
        self._emulated = emulated
        self._folder = folder
        self._tasks = [name for name, state in definition["States"].items() if state["Type"] == "Task"]
        for name in self._tasks:
            source = _SOURCE.format(folder=str(folder), name=name)
            definition["States"][name]["Resource"] = emulated.function(source)
        made = emulated.account.states().create_state_machine(
            name=f"m-{uuid.uuid4().hex[:12]}", definition=json.dumps(definition), roleArn=ROLE
        )
        self._arn = made["stateMachineArn"]

    def run(self, script: Script | None = None) -> Execution:
        """Carries out the script from the input that executions are started with."""
        event_id = f"evt_{uuid.uuid4().hex}"
        (self._folder / f"{event_id}.json").write_text(json.dumps(script or {}))
        started = {"tenant_id": "acme", "event_id": event_id}
        client = self._emulated.account.states()
        arn = client.start_execution(stateMachineArn=self._arn, name=event_id, input=json.dumps(started))
        ended = self._emulated.ended(arn["executionArn"])
        return Execution(
            status=ended["status"],
            states=self._states(arn["executionArn"]),
            inputs={name: self._inputs(event_id, name) for name in self._tasks},
            error=ended.get("error"),
            cause=ended.get("cause"),
            output=json.loads(ended.get("output") or "{}"),
        )

    def _states(self, execution: str) -> list[str]:
        pages = self._emulated.account.states().get_paginator("get_execution_history")
        history = pages.paginate(executionArn=execution).build_full_result()["events"]
        entered = (event.get("stateEnteredEventDetails") for event in history)
        return [details["name"] for details in entered if details]

    def _inputs(self, event_id: str, state: str) -> list[Json]:
        calls = self._folder / f"{event_id}-{state}.jsonl"
        return [json.loads(line) for line in calls.read_text().splitlines()] if calls.exists() else []
