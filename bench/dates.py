"""Measures the resolution of time expressions on a folder of labelled sentences.

    python bench/dates.py FOLDER [--predictions FILE]

The folder holds two files of JSON Lines. `expressions_dev.jsonl`: `id`, `lang`, `text`, `reference` (the
local time of the message), `expression` (null where no date is named), `start` and `end` (the first and last
day meant, inclusive). `locomo_relative_dev.jsonl`: `id`, `turn_text`, `session_date`, `expected_start`,
`expected_end`, and `alternatives`, a list of `start` and `end` that count as right too.

Printed: the share of dates found exactly and of false positives by language, the share of relative dates
resolved, and the time a text takes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cognis_memory.domain.dates import main_date

Days = tuple[str | None, str | None]
NOTHING: Days = (None, None)


def predicted_days(text: str, reference: str) -> Days:
    """First and last day of the main date, ISO and inclusive."""
    mention = main_date(text, datetime.fromisoformat(reference).replace(tzinfo=UTC))
    if mention is None:
        return NOTHING
    last = max(mention.start, mention.end - timedelta(microseconds=1))
    return mention.start.date().isoformat(), last.date().isoformat()


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def measure(folder: Path) -> tuple[dict[str, list[bool]], dict[str, Days], list[float]]:
    """Outcomes by measure, predictions by id, seconds a text."""
    outcomes: dict[str, list[bool]] = defaultdict(list)
    predictions: dict[str, Days] = {}
    seconds: list[float] = []

    def predict(row: dict[str, Any], text: str, reference: str) -> Days:
        started = time.perf_counter()
        days = predictions[row["id"]] = predicted_days(text, reference)
        seconds.append(time.perf_counter() - started)
        return days

    for row in rows_of(folder / "expressions_dev.jsonl"):
        days = predict(row, row["text"], row["reference"])
        if row["expression"] is None:
            outcomes[f"false positives {row['lang']}"].append(days != NOTHING)
        else:
            outcomes[f"exact {row['lang']}"].append(days == (row["start"], row["end"]))
    for row in rows_of(folder / "locomo_relative_dev.jsonl"):
        right = {(row["expected_start"], row["expected_end"])}
        right |= {(other["start"], other["end"]) for other in row["alternatives"]}
        outcomes["relative dates"].append(predict(row, row["turn_text"], row["session_date"]) in right)
    return outcomes, predictions, seconds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--predictions", type=Path, help="write them here as JSON Lines: id, start, end")
    arguments = parser.parse_args()

    predicted_days("yesterday, 昨日", "2024-01-01T00:00:00")  # compiles what is compiled on first use
    outcomes, predictions, seconds = measure(arguments.folder)
    for name, results in sorted(outcomes.items()):
        print(f"{name}: {sum(results)} of {len(results)} = {sum(results) / len(results):.3f}")
    seconds.sort()
    mean, p95 = sum(seconds) / len(seconds), seconds[int(len(seconds) * 0.95)]
    print(f"time a text: mean {mean * 1e6:.0f} µs, p95 {p95 * 1e6:.0f} µs")
    if arguments.predictions:
        lines = (
            json.dumps({"id": key, "start": days[0], "end": days[1]}) for key, days in predictions.items()
        )
        arguments.predictions.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
