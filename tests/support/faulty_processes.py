"""Processes on shared stores that fail at random: workers that do steps, and start again when killed."""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from deployment import TENANT, Deployment
from engines import Description, open_deployment
from fakes import NOW, SentenceExtractor
from fault_injection import Errors, FaultyPort, Kind, Unforeseen, When, reads_only
from machines import Killed, Machines
from random_work import PATCHED, Patch, RandomWork, Request, Step

from cognis_memory.errors import (
    SUPERSEDED_ERRORS,
    CognisError,
    Conflict,
    NotFound,
    RevisionConflict,
    StaleEvent,
    TransientError,
)
from cognis_memory.models.event import Event, EventReference, EventStatus
from cognis_memory.ports import Execution, ExecutionStatus
from cognis_memory.services.executions import record_end
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.replaying import ReplayPorts, replay_event
from cognis_memory.services.sweep import owners_behind

_T = TypeVar("_T")

_SPEED: Final = 200.0
"""A lease of two minutes is over after 0.6 s: who works longer than that is overtaken."""

_MAX_ROUNDS: Final = 100
_EVENTS: Final = 10_000
_PORTS: Final = ("ledger", "payloads", "index", "embedder", "extractor")


class RunningClock:
    """Runs `speed` times as fast as the wall clock, from the same time on in every test."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._started = time.monotonic()

    def __call__(self) -> datetime:
        return NOW + timedelta(seconds=(time.monotonic() - self._started) * self._speed)


class RandomFaults:
    """A line on which calls of one process fail at random, in any way: `rate` of those that leave a trace,
    and a tenth as many of those that only read."""

    def __init__(self, seed: int, rate: float, counts: Counter[Kind]) -> None:
        self._random = random.Random(seed)
        self._rate = rate
        self._counts = counts
        self.generation = 0

    def before(self, generation: int, name: str, errors: Errors) -> tuple[When, Kind] | None:
        self.alive(generation)
        rate = self._rate / 10 if reads_only(name) else self._rate
        if self._random.random() >= rate:
            return None
        when, kind = self._random.choice(list(When)), self._random.choice(list(Kind))
        if when is When.BEFORE:
            self._strike(kind, errors)
        return when, kind

    def after(self, fault: tuple[When, Kind] | None, errors: Errors) -> None:
        if fault is not None:
            self._strike(fault[1], errors)

    def alive(self, generation: int) -> None:
        if generation != self.generation:
            raise Killed

    def _strike(self, kind: Kind, errors: Errors) -> None:
        self._counts[kind] += 1
        if kind is Kind.KILL:
            self.generation += 1
            raise Killed
        if kind is Kind.UNFORESEEN:
            raise Unforeseen("My home is Tokyo.")
        raise errors.throttle if kind is Kind.THROTTLE else errors.timeout


class Worker:
    """One process at a time; each thread has a worker of its own. `deployment` is the present one's."""

    def __init__(
        self, description: Description, clock: RunningClock, numbers: Iterator[int], faults: RandomFaults
    ) -> None:
        self._description = description
        self._clock: Any = clock
        self._numbers = numbers
        self.faults = faults
        self._opened: Deployment | None = None
        self.deployment = self._start()

    def again(self, step: Callable[[Deployment], _T]) -> _T:
        """Until it is done, as a client does who repeats what was not answered."""
        while True:
            try:
                return step(self.deployment)
            except Killed:
                self.deployment = self._start()
            except (TransientError, RevisionConflict, StaleEvent, Unforeseen):
                continue

    def carry_out(self, event_id: str) -> None:
        """Runs an ingestion as far as it comes; what is left of it is left to a sweep, or to a replay."""
        try:
            self.deployment.run(IngestionState(tenant_id=TENANT, event_id=event_id))
        except Killed:
            self.deployment = self._start()
        except CognisError as error:
            if not error.retryable and error.code not in SUPERSEDED_ERRORS:
                raise
        except Unforeseen as error:
            reference = EventReference(tenant_id=TENANT, event_id=event_id)
            end = Execution(ExecutionStatus.FAILED, type(error).__name__)
            self.again(lambda deployment: record_end(deployment.ingestion, reference, end))

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _start(self) -> Deployment:
        self.close()
        self._opened = opened = open_deployment(self._description)
        opened.extractor = SentenceExtractor(chunk_messages=1)
        ports = {name: FaultyPort(self.faults, name, getattr(opened, name), reads=True) for name in _PORTS}
        return opened.with_(**ports, clock=self._clock, event_numbers=self._numbers)


class Crew:
    """Workers that carry out random work together, and then whatever is left of it.

    `events` are those that clients were told of, by the request's key. `injected` counts the failures,
    `deleted` are users and notes whose deletion was acknowledged. `rounds` says how often sweeps and replays
    had to look for what was left.
    """

    def __init__(self, description: Description, work: RandomWork, *, workers: int, rate: float) -> None:
        self.injected: Counter[Kind] = Counter()
        self.events: dict[str, str] = {}
        self.deleted: list[tuple[str, str]] = []
        self.rounds = 0
        self._told: defaultdict[str, deque[tuple[str, str]]] = defaultdict(deque)
        self._waiting: list[str] = []
        self._work = work
        self.clock, numbers = RunningClock(_SPEED), count()
        self._workers = [
            Worker(description, self.clock, numbers, RandomFaults(seed, rate, self.injected))
            for seed in range(workers)
        ]

    def work_off(self) -> None:
        """Every step, then sweeps and replays until every event has succeeded."""
        self._share([partial(self._carry_out, step) for step in self._work.steps])
        while left := self._workers[0].again(_unfinished):
            self.rounds += 1
            assert self.rounds <= _MAX_ROUNDS, f"{len(left)} events do not end"
            self._share([partial(_resume, event=event) for event in left])
        self._share([partial(self._delete, user) for user in self._waiting])
        self._workers[0].again(_catch_up)

    def close(self) -> None:
        for worker in self._workers:
            worker.close()

    def _share(self, tasks: Sequence[Callable[[Worker], None]]) -> None:
        """Hands the tasks out to whichever worker is free, in order."""
        waiting: SimpleQueue[Callable[[Worker], None]] = SimpleQueue()
        for task in tasks:
            waiting.put(task)

        def work(worker: Worker) -> None:
            with suppress(Empty):
                while True:
                    waiting.get_nowait()(worker)

        with ThreadPoolExecutor(len(self._workers)) as threads:
            list(threads.map(work, self._workers))

    def _carry_out(self, step: Step, worker: Worker) -> None:
        if isinstance(step, Request):
            self._post(step, worker)
        elif isinstance(step, Patch):
            _patch(step, worker)
        else:
            self._delete(step.user, worker)

    def _post(self, request: Request, worker: Worker) -> None:
        def accept(deployment: Deployment) -> str:
            return deployment.accept(request.user, request.messages, idempotency_key=request.key).event_id

        event_id = worker.again(accept)
        self.events[request.key] = event_id
        worker.carry_out(event_id)
        for _ in range(request.repeats):
            assert worker.again(accept) == event_id
            worker.carry_out(event_id)
        self._told[request.user].extend((event_id, note) for note in request.only_here)

    def _delete(self, user: str, worker: Worker) -> None:
        """The oldest such note, once its event is through; a client repeats until it is answered."""
        try:
            event_id, note = self._told[user].popleft()
        except IndexError:
            return
        event = worker.again(lambda deployment: deployment.event(event_id))
        if event.status is not EventStatus.SUCCEEDED:
            self._told[user].append((event_id, note))
            self._waiting.append(user)
            return
        memory_id = next(done.memory_id for done in event.operations if done.memory == note)

        def delete(deployment: Deployment) -> bool:
            with suppress(NotFound):  # an earlier try was done, and its answer lost
                deployment.delete(user, memory_id)
            return True

        worker.again(delete)
        self.deleted.append((user, note))


def _patch(patch: Patch, worker: Worker) -> None:
    """Tried once: who is not answered, or was overtaken, looks again and decides anew."""

    def change(deployment: Deployment) -> None:
        memories = deployment.list(patch.user, limit=100).memories
        held = next((memory for memory in memories if PATCHED in memory.memory), None)
        if held is not None:
            with suppress(Conflict, NotFound, TransientError, Unforeseen):
                deployment.change(patch.user, held.id, content=patch.content)

    worker.again(change)


def _unfinished(deployment: Deployment) -> list[Event]:
    """What the schedule, and whoever lists failed events, finds."""
    ledger, day = deployment.ledger, timedelta(days=1)
    unfinished = ledger.unfinished_events(deployment.clock() + day, _EVENTS)
    return [*unfinished, *ledger.failed_events(NOW - day, _EVENTS)]


def _resume(worker: Worker, event: Event) -> None:
    if event.failed:
        worker.again(partial(_replay, event=event))
    worker.carry_out(event.id)


def _replay(deployment: Deployment, event: Event) -> None:
    ports = ReplayPorts(deployment.ledger, deployment.payloads, Machines(), deployment.clock)
    with suppress(Conflict):  # an earlier try was done, and its answer lost
        replay_event(ports, TENANT, event.id)


def _catch_up(deployment: Deployment) -> None:
    later = deployment.clock() + timedelta(days=1)
    for owner in owners_behind(deployment.ledger, later, idle=timedelta(0)):
        deployment.projector.catch_up(owner)
