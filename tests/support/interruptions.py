"""Stops the work of a deployment at a chosen step: by an exception in this process, or by SIGKILL in another.

A step is a call that leaves a trace: a write to a store, or a call of a model. Reads come in between.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from itertools import count
from typing import Any

from deployment import Deployment
from engines import Description, open_deployment

from cognis_memory.services.ingestion.state import IngestionState

STEPS = {
    "ledger": (
        *("commit", "update_event", "add_charge"),
        *("acquire_lease", "renew_lease", "release_lease", "clear_pending"),
    ),
    "payloads": ("put", "delete"),
    "index": ("apply", "replace"),
    "embedder": ("embed",),
    "extractor": ("extract",),
}

PRELOADED = [
    "pytest",
    "hypothesis",
    "cognis_local.pipeline",
    "cognis_memory.adapters.files",
    "cognis_memory.adapters.shards",
    "cognis_memory.adapters.sqlite",
    "cognis_memory.services.events",
    "cognis_memory.services.memories.changing",
    "cognis_memory.services.retrieval.context",
]
"""What takes long to import, loaded once in the server that the processes to be killed are forked from."""

AfterStep = Callable[[str], None]


class Watched:
    """A port that calls `after("method")` whenever one of its steps is done."""

    def __init__(self, port: object, steps: tuple[str, ...], after: AfterStep) -> None:
        self._port = port
        self._steps = steps
        self._after = after

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._port, name)
        if name not in self._steps:
            return attribute

        def call(*arguments: Any, **options: Any) -> Any:
            answer = attribute(*arguments, **options)
            self._after(name)
            return answer

        return call


def watched(deployment: Deployment, after: AfterStep) -> Deployment:
    """The same deployment; `after` is called with the name of each step that is done."""
    ports = {name: Watched(getattr(deployment, name), steps, after) for name, steps in STEPS.items()}
    return deployment.with_(**ports)


class Intrusion:
    """Runs an action once, after the first step of that name; its own steps do not count."""

    def __init__(self, step: str, action: Callable[[], object]) -> None:
        self._step = step
        self._action: Callable[[], object] | None = action

    def __call__(self, step: str) -> None:
        if step == self._step and self._action is not None:
            action, self._action = self._action, None
            action()


class Died(Exception):
    """The process that did the work is no more."""


class Dying(Watched):
    """A port that is gone after so many of its steps."""

    def __init__(self, port: object, steps: tuple[str, ...], survived: int) -> None:
        super().__init__(port, steps, self._count)
        self._left = survived

    def _count(self, _: str) -> None:
        self._left -= 1
        if self._left == 0:
            raise Died


class Deleting:
    """An extractor during whose work the user `ana` deletes a memory."""

    def __init__(self, deployment: Deployment, memory_id: str) -> None:
        self._deployment = deployment
        self._memory_id: str | None = memory_id

    @property
    def chunk_messages(self) -> int:
        return 1

    def extract(self, request: Any) -> Any:
        extraction = self._deployment.extractor.extract(request)
        if self._memory_id:
            memory_id, self._memory_id = self._memory_id, None
            self._deployment.delete("ana", memory_id)
        return extraction


def run_until(deployment: Deployment, state: IngestionState, step: str, times: int = 1) -> None:
    """Runs an ingestion that ends as if its process had died, once that step is done so many times."""
    done = count(1)

    def die_when_done(name: str) -> None:
        if name == step and next(done) >= times:
            raise Died

    try:
        watched(deployment, die_when_done).run(state)
    except Died:
        return
    raise AssertionError(f"the ingestion ended before {step} was done {times} times")


def steps_of(deployment: Deployment, state: IngestionState) -> list[str]:
    """Runs an ingestion and lists its steps."""
    done: list[str] = []
    watched(deployment, done.append).run(state)
    return done


def run_and_kill(description: Description, state: IngestionState, steps: int) -> None:
    """Runs an ingestion in a process that is killed (SIGKILL) once so many steps are done."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    process = context.Process(target=_run_until, args=(description, state.model_dump_json(), steps))
    process.start()
    process.join(timeout=60)
    if process.exitcode != -signal.SIGKILL:
        raise AssertionError(f"the process ended with {process.exitcode} before {steps} steps were done")


def _run_until(description: Description, state: str, steps: int) -> None:
    done = count(1)

    def kill_when_done(_: str) -> None:
        if next(done) == steps:
            os.kill(os.getpid(), signal.SIGKILL)

    deployment = watched(open_deployment(description), kill_when_done)
    deployment.run(IngestionState.model_validate_json(state))
