"""Timeouts and retries of urllib3 that keep to the deadline of the invocation they work in."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from urllib3.util import Retry, Timeout

from cognis_memory.deadline import at_most, fits

_SHORTEST_SECONDS = 0.001
"""urllib3 takes no timeout of 0."""


class TimeoutInTime(Timeout):
    """For each attempt its seconds, or what is left of the invocation's."""

    def __init__(self, connect_seconds: float, read_seconds: float) -> None:
        super().__init__(connect=connect_seconds, read=read_seconds)
        self._seconds = (connect_seconds, read_seconds)

    def clone(self) -> Timeout:
        """What urllib3 calls for every attempt."""
        connect, read = (max(_SHORTEST_SECONDS, at_most(seconds)) for seconds in self._seconds)
        return Timeout(connect=connect, read=read)


class _RetryInTime(Retry):
    def increment(self, *arguments: Any, **named: Any) -> Any:
        """The next attempts; after the deadline there are none, as after the last."""
        left = self if fits(0) else self.new(total=0)
        return super(_RetryInTime, left).increment(*arguments, **named)


def retries_in_time(retries: int, statuses: Collection[int]) -> Retry:
    """Failures to connect and these statuses are tried `retries` more times before the deadline.

    With growing pauses and jitter; a lost or late answer once more. For requests that bear repetition.
    """
    return _RetryInTime(
        total=retries,
        read=min(1, retries),
        redirect=0,
        allowed_methods=None,
        status_forcelist=statuses,
        backoff_factor=0.1,
        backoff_jitter=0.1,
        raise_on_status=False,
        respect_retry_after_header=False,  # it may ask for longer than a search can wait
    )
