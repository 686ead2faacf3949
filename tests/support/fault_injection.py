"""Faults at the calls that leave a trace: a run is recorded first, then each call of it is struck.

Nothing lists the calls: all that a process asks of a port, or of AWS, is one unless it is known to read only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from botocore.exceptions import ClientError, ReadTimeoutError
from machines import Killed

from cognis_memory.errors import (
    CognisError,
    EmbeddingUnavailable,
    ExecutionUnavailable,
    ExtractionUnavailable,
    IndexUnavailable,
    LedgerUnavailable,
    PayloadUnavailable,
)

_READS: Final = (
    *("get", "list_", "iterate_", "recent_", "unfinished_", "failed_", "pending_marks", "all_pending_marks"),
    *("erasure_epoch", "owners", "exists", "count", "owner_keys", "revisions", "differing", "leftovers"),
    *("nearest", "rescore", "match", "candidates", "execution_of"),
)
"""Beginnings of the names of what changes nothing, in ports."""

_AWS_READS: Final = ("Get", "List", "Head", "Query", "Scan", "Describe", "BatchGet", "TransactGet")

_UNAVAILABLE: Final[dict[str, type[CognisError]]] = {
    "ledger": LedgerUnavailable,
    "payloads": PayloadUnavailable,
    "index": IndexUnavailable,
    "starter": ExecutionUnavailable,
    "embedder": EmbeddingUnavailable,
    "extractor": ExtractionUnavailable,
}
_THROTTLES: Final = {"dynamodb": "ThrottlingException", "s3": "SlowDown"}

THROTTLED_CALLS: Final = 3
"""A throttle refuses so many calls of that name in a row; a timeout, or an unforeseen error, one."""


class When(StrEnum):
    """Before the write, or between the write and its answer."""

    BEFORE = "before"
    AFTER = "after"


class Kind(StrEnum):
    """What goes wrong; KILL is the end of the process, which no code of it sees."""

    KILL = "kill"
    THROTTLE = "throttle"
    TIMEOUT = "timeout"
    UNFORESEEN = "unforeseen"


class Unforeseen(Exception):
    """An error of a kind that the code does not know; its words are a user's."""


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """The n-th call of that name in a stage, such as the second `ledger.commit` of StoreMessages."""

    stage: str
    call: str
    number: int


@dataclass(frozen=True, slots=True)
class Fault:
    site: Site
    when: When
    kind: Kind

    def __str__(self) -> str:
        return f"{self.kind} {self.when} {self.site.stage} {self.site.call} {self.site.number}"


@dataclass(frozen=True, slots=True)
class Errors:
    """How a call says that it timed out, and that it was refused for the moment."""

    timeout: Exception
    throttle: Exception


@dataclass(slots=True)
class FaultLine:
    """Stands between processes and what outlives them; `stage` says who is at work.

    `sites` are the calls since the last `arm`, each once. `struck` counts how often the armed fault was met.
    `on_death` is called when a process is killed; calls of that process that come later, as from its
    `finally` blocks, do nothing but raise `Killed`.
    """

    on_death: Callable[[], None] = lambda: None
    stage: str = ""
    sites: list[Site] = field(default_factory=list)
    struck: int = 0
    generation: int = 0
    _armed: Fault | None = None
    _watching: bool = True
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def arm(self, fault: Fault | None = None) -> None:
        """From now on calls are counted anew, and that fault waits for its call."""
        self._armed, self.struck = fault, 0
        self.sites = []
        self._counts.clear()

    @contextmanager
    def disarmed(self) -> Iterator[None]:
        """Within it calls are neither counted nor struck."""
        self._watching = False
        try:
            yield
        finally:
            self._watching = True

    def before(self, generation: int, name: str, errors: Errors) -> Fault | None:
        self.alive(generation)
        if not self._watching:
            return None
        fault = self._due(name)
        if fault is not None and fault.when is When.BEFORE:
            self._strike(fault, errors)
        return fault

    def after(self, fault: Fault | None, errors: Errors) -> None:
        if fault is not None and fault.when is When.AFTER:
            self._strike(fault, errors)

    def alive(self, generation: int) -> None:
        if generation != self.generation:
            raise Killed

    def _due(self, name: str) -> Fault | None:
        self._counts[self.stage, name] += 1
        site = Site(self.stage, name, self._counts[self.stage, name])
        self.sites.append(site)
        fault = self._armed
        if fault is None or (fault.site.stage, fault.site.call) != (site.stage, site.call):
            return None
        lasts = THROTTLED_CALLS if fault.kind is Kind.THROTTLE else 1
        return fault if 0 <= site.number - fault.site.number < lasts else None

    def _strike(self, fault: Fault, errors: Errors) -> None:
        self.struck += 1
        if fault.kind is Kind.KILL:
            self.generation += 1
            self.on_death()
            raise Killed
        if fault.kind is Kind.UNFORESEEN:
            raise Unforeseen("My home is Tokyo.")
        raise errors.throttle if fault.kind is Kind.THROTTLE else errors.timeout


def reads_only(call: str) -> bool:
    """Whether a call of a port, such as `ledger.get_event`, changes nothing."""
    return call.partition(".")[2].startswith(_READS)


class Line(Protocol):
    """What a process's calls go over. `generation` is the present process's number."""

    generation: int

    def before(self, generation: int, name: str, errors: Errors) -> Any:
        """To be called before a call is done; what it answers goes to `after`, once that is done."""

    def after(self, fault: Any, errors: Errors) -> None: ...

    def alive(self, generation: int) -> None:
        """Raises Killed in a process that is no more."""


class FaultyPort:
    """A port of one process, each write of which goes over the line, and with `reads` every call."""

    def __init__(self, line: Line, name: str, port: object, *, reads: bool = False) -> None:
        self._line = line
        self._reads = reads
        self._name = name
        self._port = port
        self._generation = line.generation

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._port, name)
        if not callable(attribute):
            return attribute

        def call(*arguments: Any, **options: Any) -> Any:
            called, unavailable = f"{self._name}.{name}", _UNAVAILABLE[self._name]
            if reads_only(called) and not self._reads:
                self._line.alive(self._generation)
                return attribute(*arguments, **options)
            errors = Errors(unavailable(f"{called} timed out"), unavailable(f"{called} is throttled"))
            fault = self._line.before(self._generation, called, errors)
            answer = attribute(*arguments, **options)
            self._line.after(fault, errors)
            return answer

        return call


def watch_requests(line: FaultLine, client: Any) -> None:
    """Has every writing request of that client of AWS go over the line, as one of the present process."""
    generation, service = line.generation, client.meta.service_model.service_name

    def before(model: Any, context: dict[str, Any], **_: Any) -> None:
        line.alive(generation)
        if not model.name.startswith(_AWS_READS):
            context["fault"] = line.before(
                generation, f"{service}.{model.name}", _aws_errors(service, model.name)
            )

    def after(model: Any, context: dict[str, Any], **_: Any) -> None:
        line.after(context.get("fault"), _aws_errors(service, model.name))

    client.meta.events.register(f"before-call.{service}", before)
    client.meta.events.register(f"after-call.{service}", after)


def _aws_errors(service: str, operation: str) -> Errors:
    told: Any = {"Error": {"Code": _THROTTLES.get(service, "Throttling"), "Message": "slow down"}}
    return Errors(ReadTimeoutError(endpoint_url=service), ClientError(told, operation))
