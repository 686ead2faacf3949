"""Weighted reciprocal rank fusion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fused:
    """A document with its fused score and its rank, from 1, in each list that held it."""

    id: str
    score: float
    ranks: Mapping[str, int]


def fuse(rankings: Mapping[str, Sequence[str]], *, weights: Mapping[str, float], k: float) -> list[Fused]:
    """Fuses ranked lists of ids into one, best first.

    The score of a document is the sum over the lists that hold it of weight / (k + rank), rank from 1
    (Cormack, Clarke and Büttcher, SIGIR 2009, with a weight for each list). Of an id's several places in one
    list the first counts. Ties go to the better best rank, then to the lower id, so that the order depends
    on nothing but the lists.

    `weights` has a weight for each name in `rankings`; raises ValueError when one is missing.
    """
    missing = rankings.keys() - weights.keys()
    if missing:
        raise ValueError(f"no weight for the ranked lists {sorted(missing)}")
    ranks: dict[str, dict[str, int]] = {}
    for name, ids in rankings.items():
        for rank, document_id in enumerate(ids, start=1):
            ranks.setdefault(document_id, {}).setdefault(name, rank)
    # fsum: the sum does not depend on the order of the lists.
    fused = [
        Fused(document_id, math.fsum(weights[name] / (k + rank) for name, rank in places.items()), places)
        for document_id, places in ranks.items()
    ]
    return sorted(fused, key=lambda found: (-found.score, min(found.ranks.values()), found.id))
