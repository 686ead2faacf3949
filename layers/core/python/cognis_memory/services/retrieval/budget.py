"""How long a search waits for its models before it goes on without them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ModelBudget:
    """Seconds for each model; None waits for as long as its client does.

    A call that is given up goes on in a thread of `executor` until its client's own timeout, which should
    not be much longer: a thread that waits keeps later calls from theirs.
    """

    executor: Executor
    embedding: float | None = None
    reranking: float | None = None

    def spend(self, seconds: float | None, call: Callable[[], _T]) -> _T:
        """The call's answer, or its error. Raises TimeoutError when it takes longer."""
        if seconds is None:
            return call()
        waiting = self.executor.submit(call)
        try:
            return waiting.result(seconds)
        except TimeoutError:
            waiting.cancel()
            raise
