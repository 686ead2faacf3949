"""A circuit breaker: spares callers the wait for a cluster that does not answer."""

from __future__ import annotations

import threading
import time


class Circuit:
    """Opens after `limit` requests in a row without an answer; then one request every `seconds` may try.

    For any number of threads; unlike pybreaker's it holds no lock while a request is under way, which would
    have the requests of all threads wait for each other.
    """

    def __init__(self, limit: int, seconds: float) -> None:
        self._limit = limit
        self._seconds = seconds
        self._failures = 0
        self._next_try = 0.0
        self._lock = threading.Lock()

    def lets_pass(self) -> bool:
        """Whether a request may be sent now; its end is then told by `failed` or `answered`."""
        with self._lock:
            now = time.monotonic()
            if self._failures >= self._limit:
                if now < self._next_try:
                    return False
                self._next_try = now + self._seconds
            return True

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            self._next_try = time.monotonic() + self._seconds

    def answered(self) -> None:
        with self._lock:
            self._failures = 0
