"""How much time the work under way has left: one deadline per invocation, seen by all that waits below it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from cognis_memory.errors import DeadlineExceeded

_P = ParamSpec("_P")
_T = TypeVar("_T")

_ENDS: Final[ContextVar[float | None]] = ContextVar("deadline", default=None)
"""By `time.monotonic`; None where nothing limits the work, as outside Lambda."""


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """The work inside ends after so many seconds, or with the work around it if that is sooner."""
    own = None if seconds is None else time.monotonic() + seconds
    limits = [ends for ends in (_ENDS.get(), own) if ends is not None]
    token = _ENDS.set(min(limits, default=None))
    try:
        yield
    finally:
        _ENDS.reset(token)


def remaining() -> float | None:
    """Seconds that are left, 0 when the time is over; None where nothing limits them."""
    ends = _ENDS.get()
    return None if ends is None else max(0.0, ends - time.monotonic())


def at_most(seconds: float) -> float:
    """So many seconds, or those that are left if they are fewer."""
    left = remaining()
    return seconds if left is None else min(seconds, left)


def fits(seconds: float) -> bool:
    """Whether something that may take so long still ends in time."""
    left = remaining()
    return left is None or (left > 0 and seconds <= left)


def pause(seconds: float) -> None:
    """Sleeps. Raises DeadlineExceeded at once when the time would be over before it wakes."""
    if not fits(seconds):
        raise DeadlineExceeded("no time is left for another attempt")
    time.sleep(seconds)


def carried(call: Callable[_P, _T]) -> Callable[_P, _T]:
    """`call` for other threads, where it then sees the deadline of this one."""
    context = copy_context()

    @wraps(call)
    def run(*arguments: _P.args, **named: _P.kwargs) -> _T:
        return context.copy().run(call, *arguments, **named)

    return run
