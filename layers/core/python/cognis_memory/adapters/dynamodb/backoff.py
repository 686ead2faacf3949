"""Waits between attempts."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from cognis_memory.errors import LedgerUnavailable

_ATTEMPTS: Final = 6
_FIRST_SECONDS: Final = 0.05


class Backoff:
    """Exponential pauses with full jitter.

    Source: aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter
    """

    def __init__(self, operation: str, pause: Callable[[float], None]) -> None:
        self._operation = operation
        self._pause = pause
        self._attempts = 0

    def wait(self) -> None:
        """Call after an attempt that achieved nothing. Raises LedgerUnavailable after the sixth in a row."""
        self._attempts += 1
        if self._attempts == _ATTEMPTS:
            raise LedgerUnavailable(f"{self._operation}: no progress in {_ATTEMPTS} attempts")
        self._pause(random.uniform(0, _FIRST_SECONDS * 2**self._attempts))  # noqa: S311 - not a secret

    def reset(self) -> None:
        """Call after an attempt that achieved something."""
        self._attempts = 0
