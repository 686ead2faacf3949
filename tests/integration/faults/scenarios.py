"""What is done undisturbed once, and then with one fault after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from fakes import NOW, Failing, SentenceExtractor
from fault_injection import Fault, Site
from faulty_functions import TENANT, FunctionProcesses
from machines import Run
from user_states import differences, user_state

from cognis_memory.errors import ExtractionFailed
from cognis_memory.models.values import Owner
from cognis_memory.ports import ExecutionStatus

REQUESTS: Final = {
    "ADD": ("Note: likes snow. I went there last week.", "メモ：雪が好き。"),
    "UPDATE": ("My home is Osaka. I went there last week.", "私の仕事は教師です。"),
    "DELETE": ("Forget my home. I went there last week.", "私の仕事は忘れて。"),
}
"""By the operation that its facts are, in English and in Japanese."""

ANA: Final = Owner(TENANT, "ana")

_BEFORE: Final = ("My home is Tokyo. Note: likes rain.", "私の仕事は医者です。")
_EVENT: Final = re.compile(r"evt_[0-9A-Z]{26}")

State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What Ana holds at each point where nothing more moves by itself; the last is the end.

    `sites` are the calls on the way, `struck` says how often the fault was met. `orphans` are payloads of
    requests that were never accepted.
    """

    states: tuple[State, ...]
    sites: tuple[Site, ...]
    struck: int
    orphans: int

    def unlike(self, undisturbed: Outcome) -> Iterator[str]:
        for state, other in zip(self.states, undisturbed.states, strict=True):
            yield from differences(state, other)


Scenario = Callable[[FunctionProcesses, str, Fault | None], Outcome]


def prepare(functions: FunctionProcesses) -> None:
    """Has Ana hold something, for each scenario to start from."""
    functions.tell(ANA.user_id, _said(*_BEFORE, days_ago=30), key="before")
    functions.save()


def ingest(functions: FunctionProcesses, operation: str, fault: Fault | None = None) -> Outcome:
    """A request is accepted and carried out; the client repeats it until it is answered."""
    functions.restore()
    functions.line.arm(fault)
    event_id = functions.post(ANA.user_id, _said(*REQUESTS[operation]))
    assert event_id is not None
    functions.carry_out(event_id)
    return _outcome(functions, event_id)


def ingest_unasked(functions: FunctionProcesses, operation: str, fault: Fault | None = None) -> Outcome:
    """The client asks once and never again: what was accepted all the same is left to the schedule."""
    functions.restore()
    functions.line.arm(fault)
    functions.post(ANA.user_id, _said(*REQUESTS[operation]), repeats=1)
    event_id = _accepted(functions)
    if event_id is not None:
        functions.carry_out(event_id)
    return _outcome(functions, event_id)


def fail_for_good(functions: FunctionProcesses, operation: str, fault: Fault | None = None) -> Outcome:
    """The model's answer cannot be used, which the event says; it is replayed with one that works."""
    functions.restore()
    functions.use(Failing(SentenceExtractor(), ExtractionFailed("the answer is no JSON")))
    functions.line.arm(fault)
    event_id = functions.post(ANA.user_id, _said(*REQUESTS[operation]))
    assert event_id is not None
    functions.carry_out(event_id)
    failed = _state(functions, event_id)
    functions.use(SentenceExtractor())
    functions.replay(event_id)
    functions.carry_out(event_id)
    return _outcome(functions, event_id, failed)


def die_noticed(functions: FunctionProcesses, operation: str, fault: Fault | None = None) -> Outcome:
    """The execution is stopped while it holds the lease, which EventBridge tells; the event is replayed."""
    return _die(functions, operation, fault, functions.report_end)


def die_unnoticed(functions: FunctionProcesses, operation: str, fault: Fault | None = None) -> Outcome:
    """As `die_noticed`, but nobody tells: the schedule finds it, and documents that miss in the index."""
    return _die(functions, operation, fault, lambda run: functions.sweep_later())


def do_nothing(functions: FunctionProcesses) -> Outcome:
    functions.restore()
    functions.line.arm()
    return _outcome(functions, None)


def _die(
    functions: FunctionProcesses, operation: str, fault: Fault | None, discover: Callable[[Run], None]
) -> Outcome:
    functions.restore()
    functions.line.arm(fault)
    event_id = functions.post(ANA.user_id, _said(*REQUESTS[operation]))
    assert event_id is not None
    run = functions.carry_until(functions.machines.runs[event_id], "ExtractMemories")
    discover(run.end(ExecutionStatus.ABORTED))
    failed = _state(functions, event_id)
    functions.replay(event_id)
    functions.carry_out(event_id)
    return _outcome(functions, event_id, failed)


def _said(*texts: str, days_ago: int = 0) -> list[dict[str, Any]]:
    moment = NOW - timedelta(days=days_ago)
    return [
        {"role": "user", "content": text, "timestamp": (moment + timedelta(minutes=minute)).isoformat()}
        for minute, text in enumerate(texts)
    ]


def _accepted(functions: FunctionProcesses) -> str | None:
    """The event that the client may not have been told of, if there is one."""
    waiting = functions.opened.ledger.unfinished_events(functions.clock() + timedelta(days=1), 10)
    return next((event.id for event in waiting), None)


def _outcome(functions: FunctionProcesses, event_id: str | None, *before: State) -> Outcome:
    """After one more sweep, by which everything must have come to rest."""
    functions.sweep_later()
    sites, struck = tuple(functions.line.sites), functions.line.struck
    functions.line.arm()
    return Outcome((*before, _state(functions, event_id)), sites, struck, len(_orphans(functions)))


def _state(functions: FunctionProcesses, event_id: str | None) -> State:
    with functions.line.disarmed():
        opened = functions.opened
        event = None if event_id is None else functions.event(event_id)
        state = user_state(opened.ledger, opened.index, ANA, event, functions.clock())
        payloads = len(functions.stores.payload_keys()) - len(_orphans(functions))
    return {**state, "payloads": payloads}


def _orphans(functions: FunctionProcesses) -> list[str]:
    """Payloads whose event does not exist."""
    ids = [found[0] for key in functions.stores.payload_keys() if (found := _EVENT.search(key))]
    return [id_ for id_ in ids if functions.opened.ledger.get_event(TENANT, id_) is None]
