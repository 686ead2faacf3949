"""How many texts go into one request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

MAX_TEXT_BYTES: Final = 1_000_000
"""Of the texts of one request as JSON: TEI's `payload-limit` is 2,000,000 unless it was started otherwise."""


def batches(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """The texts in order, at most `size` and MAX_TEXT_BYTES at a time; a longer text goes alone."""
    start = taken = 0
    for position, text in enumerate(texts):
        length = len(json.dumps(text, ensure_ascii=False).encode(errors="replace"))
        if position > start and (position - start == size or taken + length > MAX_TEXT_BYTES):
            yield texts[start:position]
            start, taken = position, 0
        taken += length
    if start < len(texts):
        yield texts[start:]
