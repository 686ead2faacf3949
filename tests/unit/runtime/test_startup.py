"""The collector of cyclic garbage while a process starts, and afterwards."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from cognis_memory.runtime.startup import without_collections


class Knot:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """As it was, for the tests that follow."""
    thresholds = gc.get_threshold()
    yield
    gc.enable()
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_nothing_is_collected_while_a_process_starts() -> None:
    with without_collections():
        knot = weakref.ref(Knot())
        several = [Knot() for _ in range(100_000)]
        del several

        assert knot() is not None


def test_what_was_made_then_is_never_looked_at_again_and_what_comes_later_is_collected() -> None:
    with without_collections():
        early = weakref.ref(Knot())
    late = weakref.ref(Knot())
    gc.collect()

    assert early() is not None
    assert late() is None
    assert gc.isenabled()


def test_a_failed_start_leaves_the_collector_on() -> None:
    with pytest.raises(ImportError), without_collections():
        raise ImportError("no such module")

    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    with without_collections():
        pass

    assert not gc.isenabled()
