"""Measures as tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opensearch_bench.measuring import Measure
from opensearch_bench.ways import WHOLE


def index_table(rows: Sequence[dict[str, Any]]) -> str:
    """What each index took, as a line for each number and a column for each index."""
    lines = [["index", *(row["index"] for row in rows)]]
    lines += [[name, *(f"{row[name]:,.1f}" for row in rows)] for name in list(rows[0])[1:]]
    return _table(lines)


def search_table(measures: Sequence[Measure]) -> str:
    """Of one index: a line for each way, a column for each size of users."""
    sizes = list(dict.fromkeys(measure.size for measure in measures))
    lines = [[f"{measures[0].index}: p50 / p95 / p99 ms; ratio; recall@10", *map(_size, sizes)]]
    for way in dict.fromkeys(measure.way for measure in measures):
        lines.append([way, *(_cell(measure) for measure in measures if measure.way == way)])
    return _table(lines)


def growth_table(first: Sequence[Measure], last: Sequence[Measure]) -> str:
    """How much longer a search takes in the last index than in the first, by size of users in both."""
    before = {measure.size: measure.p50 for measure in first if measure.way == WHOLE and measure.size}
    after = {measure.size: measure.p50 for measure in last if measure.way == WHOLE}
    sizes = [size for size in before if size in after]
    head = f"p50 of a search, {last[0].index} / {first[0].index}"
    return _table(
        [[head, *map(_size, sizes)], ["growth", *(f"{after[size] / before[size]:.2f}" for size in sizes)]]
    )


def _size(size: int | None) -> str:
    return "all" if size is None else f"{size:,}"


def _cell(measure: Measure) -> str:
    recall = "" if measure.recall is None else f"; {measure.recall:.4f}"
    return f"{measure.p50:.1f} / {measure.p95:.1f} / {measure.p99:.1f}; {measure.ratio:.2f}{recall}"


def _table(lines: Sequence[Sequence[str]]) -> str:
    head, *rest = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join((head, "|---" * len(lines[0]) + "|", *rest))
