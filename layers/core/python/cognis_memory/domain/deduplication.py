"""Near duplicates among ranked documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cognis_memory.domain.matryoshka import normalise
from cognis_memory.models.values import FloatVector


def deduplicate(ranked: Sequence[str], vectors: Mapping[str, FloatVector], *, threshold: float) -> list[str]:
    """The ids that remain, best first, when each id too similar to a better ranked remaining one goes.

    `vectors` are of shape (768,) and of any length; two are duplicates at a cosine of `threshold` (above 0)
    or more. An id without a vector, or with a zero vector, is nobody's duplicate; a repeated id is its own.
    """
    unique = list(dict.fromkeys(ranked))
    compared = [found for found in unique if found in vectors]
    if not compared:
        return unique
    directions = normalise(np.stack([vectors[found] for found in compared]))
    similar = directions @ directions.T >= threshold
    kept: list[int] = []
    removed: set[str] = set()
    for place, found in enumerate(compared):
        if similar[place, kept].any():
            removed.add(found)
        else:
            kept.append(place)
    return [found for found in unique if found not in removed]
