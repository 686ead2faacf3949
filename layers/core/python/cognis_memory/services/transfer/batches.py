"""Streams taken a few at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

_T = TypeVar("_T")


def in_batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch
