"""A part of the questions that stands for all."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from qa_bench.cases import Case


def stratified_sample(cases: Sequence[Case], size: int) -> list[Case]:
    """At most `size` cases, each category in proportion to its number, in the order that they came in.

    Which ones is decided by their ids alone: the same questions give the same sample whatever their order
    and on every machine.
    """
    by_category: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_category[case.category].append(case)
    shares = allotted({name: len(members) for name, members in by_category.items()}, size)
    chosen = {
        case.id
        for name, members in by_category.items()
        for case in sorted(members, key=lambda case: _rank(case.id))[: shares[name]]
    }
    return [case for case in cases if case.id in chosen]


def allotted(counts: Mapping[str, int], size: int) -> dict[str, int]:
    """How many of each category make up `size`, by largest remainders (Hamilton's method).

    Where there is room for it, a category that would go empty gets one from the share that is most too large.
    """
    total = sum(counts.values())
    size = min(size, total)
    exact = {name: size * count / total for name, count in counts.items()}
    shares = Counter({name: int(quota) for name, quota in exact.items()})
    by_remainder = sorted(exact, key=lambda name: (int(exact[name]) - exact[name], name))
    shares.update(by_remainder[: size - shares.total()])
    for name in sorted(name for name in counts if not shares[name]):
        donors = [other for other in counts if shares[other] > 1]
        if donors:
            shares[max(donors, key=lambda other: (shares[other] - exact[other], other))] -= 1
            shares[name] += 1
    return {name: shares[name] for name in counts}


def _rank(case_id: str) -> bytes:
    return hashlib.sha256(case_id.encode()).digest()
