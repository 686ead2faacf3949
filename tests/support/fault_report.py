"""What the fault matrix tried, at the end of a run: counts on the terminal, and every fault in a file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

import pytest
from fault_injection import Fault, Kind

Recorder = Callable[[str, object], None]
"""pytest's `record_property`, which reaches the controller from every worker."""

OPTION: Final = "--fault-table"
VARIABLE: Final = "COGNIS_FAULT_TABLE"
_PROPERTY: Final = "faults"
_HEADER: Final = ("engines", "scenario", "operation", "stage", "call", "number", "when", "kind", "outcome")


@dataclass(frozen=True, slots=True)
class Tried:
    """One fault and what came of it; `outcome` is `as undisturbed`, or where the end differs."""

    engines: str
    scenario: str
    operation: str
    stage: str
    call: str
    number: int
    when: str
    kind: str
    outcome: str

    @classmethod
    def of(cls, engines: str, scenario: str, operation: str, fault: Fault, outcome: str) -> Tried:
        site = fault.site
        return cls(
            engines,
            scenario,
            operation,
            site.stage,
            site.call,
            site.number,
            fault.when.value,
            fault.kind.value,
            outcome,
        )


def record(recorder: Recorder, tried: Iterable[Tried]) -> None:
    recorder(_PROPERTY, [list(astuple(each)) for each in tried])


def add_option(parser: pytest.Parser) -> None:
    parser.addoption(
        OPTION,
        metavar="FILE",
        default=os.environ.get(VARIABLE),
        help=f"every fault tried, as TSV (or {VARIABLE})",
    )


def write_summary(terminal: pytest.TerminalReporter) -> None:
    """How many faults struck each stage, by kind; nothing where no test tried any."""
    tried = list(_tried(terminal))
    if not tried:
        return
    terminal.section("fault matrix")
    counts = Counter((each.engines, each.stage, each.kind) for each in tried)
    terminal.write_line(f"{'engines':8}{'stage':26}" + "".join(f"{kind:>12}" for kind in Kind))
    for engines, stage in dict.fromkeys((each.engines, each.stage) for each in tried):
        numbers = (counts[engines, stage, kind] for kind in Kind)
        terminal.write_line(f"{engines:8}{stage:26}" + "".join(f"{number:>12}" for number in numbers))
    for outcome, count in Counter(each.outcome[:60] for each in tried).most_common():
        terminal.write_line(f"{count:6} of {len(tried)} ended {outcome}")
    if path := terminal.config.getoption(OPTION):
        lines = ["\t".join(map(str, row)) for row in (_HEADER, *map(astuple, tried))]
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
        terminal.write_line(f"each of them: {path}")


def _tried(terminal: pytest.TerminalReporter) -> Iterator[Tried]:
    for outcome in ("passed", "failed"):
        for report in terminal.stats.get(outcome, ()):
            if getattr(report, "when", None) != "call":
                continue
            for name, value in report.user_properties:
                if name == _PROPERTY:
                    yield from (Tried(*row) for row in value)
