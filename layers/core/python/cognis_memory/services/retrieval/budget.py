"""How long a search waits for its models before it goes on without them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypeVar

from cognis_memory.deadline import carried, remaining, within

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ModelBudget:
    """Seconds for each model; None waits for as long as its client does, or the request may take.

    A call that is given up goes on in a thread of `executor` until its client's own timeout, which should
    not be much longer: a thread that waits keeps later calls from theirs.
    """

    executor: Executor
    embedding: float | None = None
    reranking: float | None = None

    def spend(self, seconds: float | None, call: Callable[[], _T]) -> _T:
        """The call's answer, or its error. Raises TimeoutError when it takes longer, or the request would."""
        with within(seconds):
            left = remaining()
            if left is None:
                return call()
            waiting = self.executor.submit(carried(call))
            try:
                return waiting.result(left)
            except TimeoutError:
                waiting.cancel()
                raise
