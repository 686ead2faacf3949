"""Models that are asked again where they are busy: a bench of thousands of calls waits rather than ends."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

import numpy as np

from cognis_memory.errors import TransientError
from cognis_memory.models.values import FloatMatrix
from cognis_memory.ports import Embedder, Reranker

ATTEMPTS: Final = 10
FIRST_SECONDS: Final = 1.0
MOST_SECONDS: Final = 30.0

Pause = Callable[[float], None]
_T = TypeVar("_T")


class PatientEmbedder:
    """The `Embedder` port over another, which is asked up to ATTEMPTS times."""

    def __init__(self, embedder: Embedder, pause: Pause = time.sleep) -> None:
        self._embedder = embedder
        self._pause = pause

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One text a call: where many are refused, hardly a batch would go through, and all be paid again."""
        each = [[text] for text in texts] or [texts]
        return np.concatenate([patiently(partial(self._embedder.embed, one), self._pause) for one in each])


class PatientReranker:
    """The `Reranker` port over another, which is asked up to ATTEMPTS times."""

    def __init__(self, reranker: Reranker, pause: Pause = time.sleep) -> None:
        self._reranker = reranker
        self._pause = pause

    @property
    def model_id(self) -> str:
        return self._reranker.model_id

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        return patiently(partial(self._reranker.rerank, query, texts), self._pause)


def patiently(call: Callable[[], _T], pause: Pause) -> _T:
    """The call's answer; a TransientError is told and repeated after an exponential pause with full jitter.

    Raises the last attempt's error. Source: aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter
    """
    for attempt in range(ATTEMPTS - 1):
        try:
            return call()
        except TransientError as error:
            seconds = random.uniform(0, min(MOST_SECONDS, FIRST_SECONDS * 2**attempt))
            print(f"{error.code}: {error}; again in {seconds:.1f} s", file=sys.stderr, flush=True)
            pause(seconds)
    return call()
