"""A few pieces of work side by side."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


def side_by_side(
    work: Callable[[_Item], _Made], items: Sequence[_Item], parallel: int
) -> Generator[Future[_Made], None, None]:
    """What was made of each item, as it comes. Once it is closed, no other item is begun."""
    with ThreadPoolExecutor(parallel) as executor:
        try:
            yield from as_completed([executor.submit(work, item) for item in items])
        finally:
            executor.shutdown(cancel_futures=True)
