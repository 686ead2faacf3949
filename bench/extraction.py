"""Scores the rules extractor against turns labelled by hand, English and Japanese.

    python bench/extraction.py [--misses] [--locomo PATH]

`data/extraction_dev.jsonl` was used while the rules were written, `data/extraction_holdout.jsonl` was not.
A fact is found when its content holds all of a label's key words. Facts marked optional may be stated or not:
they count neither as wrong nor as missed. A tombstone, which makes no memory, does not count. `--locomo`
reports on conversations in LoCoMo's format: the share of turns which give a fact among those that the data
set's observations name as evidence, and the share of the others which give none.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from cognis_local.extraction import RulesExtractor
from cognis_memory.models.extraction import ExtractedFact, ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Operation, Role

DATA = Path(__file__).parent / "data"
Row = dict[str, Any]


@dataclass
class Score:
    """Counts over labelled turns; every ratio is 1.0 where there was nothing to count."""

    stated: int = 0
    right: int = 0
    expected: int = 0
    found: int = 0
    operation: int = 0
    subject: int = 0
    category: int = 0
    dated: int = 0
    date: int = 0
    silent: int = 0
    silent_right: int = 0
    misses: list[str] = field(default_factory=list)

    def ratios(self) -> dict[str, float]:
        """Precision, recall, and the shares of the found facts whose details are right."""
        pairs = {
            "precision": (self.right, self.stated),
            "recall": (self.found, self.expected),
            "operation": (self.operation, self.right),
            "subject": (self.subject, self.right),
            "category": (self.category, self.right),
            "event_days": (self.date, self.dated),
            "silence": (self.silent_right, self.silent),
        }
        return {name: part / whole if whole else 1.0 for name, (part, whole) in pairs.items()}


def load(*parts: str) -> list[Row]:
    """The labelled turns of the named parts, "dev" and "holdout"."""
    lines = [
        line for part in parts for line in (DATA / f"extraction_{part}.jsonl").read_text("utf-8").splitlines()
    ]
    return [json.loads(line) for line in lines]


def message(turn: Row, position: int = 0) -> Message:
    """A message of the role, speaker, content and time of a labelled turn."""
    moment = datetime.fromisoformat(turn.get("timestamp", "2026-03-18T10:00:00Z"))
    return Message(
        id=f"msg_{position}",
        tenant_id="bench",
        user_id="bench",
        event_id="evt",
        position=position,
        role=Role(turn["role"]),
        speaker=turn["speaker"],
        content=turn["content"],
        timestamp=moment,
        timezone=turn.get("timezone", "UTC"),
        created_at=moment,
    )


def request(row: Row) -> ExtractionRequest:
    similar = tuple(
        LabelledMemory(m["label"], m["content"], Category(m["category"]), slot=m.get("slot"))
        for m in row.get("similar", ())
    )
    before = tuple(message(turn, i) for i, turn in enumerate(row.get("before", ())))
    return ExtractionRequest((message(row["turn"], len(before)),), before, similar)


def score(rows: Iterable[Row], extractor: RulesExtractor) -> Score:
    total = Score()
    for row in rows:
        facts = extractor.extract(request(row)).facts
        _score_row(row, [fact for fact in facts if not _is_tombstone(fact)], total)
    return total


def _is_tombstone(fact: ExtractedFact) -> bool:
    return fact.operation is Operation.DELETE and fact.label is None


def _score_row(row: Row, facts: list[ExtractedFact], total: Score) -> None:
    labels = row["facts"]
    if not labels:
        total.silent += 1
        total.silent_right += not facts
    pairs, spare = _matched(labels, facts)
    for label, fact in pairs:
        if label.get("optional"):
            continue
        total.stated += 1
        total.right += 1
        _score_details(row, label, fact, total)
    total.stated += len(spare)
    total.misses += [
        f"{row['id']} EXTRA   {fact.operation} {fact.content!r} <- {row['turn']['content']!r}"
        for fact in spare
    ]
    wanted = [label for label in labels if not label.get("optional")]
    matched = [label for label, _ in pairs]
    total.expected += len(wanted)
    for label in wanted:
        hit = label in matched
        total.found += hit
        if not hit:
            total.misses.append(
                f"{row['id']} MISSING {label['content_keywords']} <- {row['turn']['content']!r}"
            )


def _matched(
    labels: list[Row], facts: list[ExtractedFact]
) -> tuple[list[tuple[Row, ExtractedFact]], list[ExtractedFact]]:
    """Each label with the fact that holds its key words, required labels first; the facts left over."""
    spare = list(facts)
    pairs = []
    for label in sorted(labels, key=lambda one: bool(one.get("optional"))):
        candidates = [fact for fact in spare if _holds(fact, label)]
        if candidates:
            best = max(candidates, key=lambda fact: fact.operation in label["operation"])
            spare.remove(best)
            pairs.append((label, best))
    return pairs, spare


def _holds(fact: ExtractedFact, label: Row) -> bool:
    content = fact.content.casefold()
    return all(word.casefold() in content for word in label["content_keywords"])


def _score_details(row: Row, label: Row, fact: ExtractedFact, total: Score) -> None:
    needs_label = fact.operation != "ADD"
    operation = fact.operation in label["operation"] and (not needs_label or fact.label == label.get("label"))
    subject = fact.subject in label["subject"]
    category = fact.category in label["category"]
    total.operation += operation
    total.subject += subject
    total.category += category
    wrong = [
        name
        for name, right in (("operation", operation), ("subject", subject), ("category", category))
        if not right
    ]
    if "event_days" in label:
        total.dated += 1
        right = _days(fact, row["turn"].get("timezone", "UTC")) == label["event_days"]
        total.date += right
        wrong += [] if right else ["event_days"]
    if wrong:
        total.misses.append(
            f"{row['id']} WRONG {','.join(wrong)}: {fact.operation} {fact.label} {fact.subject!r} "
            f"{fact.category} {fact.slot} {_days(fact, row['turn'].get('timezone', 'UTC'))} {fact.content!r}"
        )


def _days(fact: ExtractedFact, zone: str) -> str:
    if fact.event_time is None:
        return ""
    first = fact.event_time.astimezone(ZoneInfo(zone))
    last = (
        (fact.event_end - timedelta(microseconds=1)).astimezone(ZoneInfo(zone)) if fact.event_end else first
    )
    return f"{first.date()}/{last.date()}"


def locomo_turns(path: Path) -> Iterator[tuple[Message, tuple[Message, ...], bool]]:
    """Each turn of each conversation with the two turns before it, and whether an observation names it."""
    for conversation in json.loads(path.read_text("utf-8")):
        evidence = {
            dia_id
            for session in conversation["observation"].values()
            for observations in session.values()
            for _, source in observations
            for dia_id in ([source] if isinstance(source, str) else source)
        }
        for name, turns in conversation["conversation"].items():
            if isinstance(turns, list):
                moment = _session_time(conversation["conversation"][f"{name}_date_time"])
                yield from _session(turns, moment, evidence)


def _session(
    turns: list[Row], moment: datetime, evidence: set[str]
) -> Iterator[tuple[Message, tuple[Message, ...], bool]]:
    before: tuple[Message, ...] = ()
    for i, turn in enumerate(turns):
        spoken = message(
            {
                "role": "user",
                "speaker": turn["speaker"],
                "content": turn["text"],
                "timestamp": moment.isoformat(),
            },
            i,
        )
        yield spoken, before[-2:], turn["dia_id"] in evidence
        before = (*before, spoken)


def _session_time(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def report_locomo(path: Path, extractor: RulesExtractor, show: bool) -> None:
    evidence = evidence_found = others = others_silent = facts = 0
    started = time.perf_counter()
    for spoken, before, is_evidence in locomo_turns(path):
        found = extractor.extract(ExtractionRequest((spoken,), before)).facts
        facts += len(found)
        evidence += is_evidence
        evidence_found += is_evidence and bool(found)
        others += not is_evidence
        others_silent += not is_evidence and not found
        if show:
            print("E" if is_evidence else "-", spoken.speaker, ":", spoken.content)
            for fact in found:
                print("      =>", fact.category, fact.slot, "|", fact.content)
    seconds = time.perf_counter() - started
    turns = evidence + others
    print(
        f"LoCoMo: {turns} turns, {facts} facts; of {evidence} evidence turns "
        f"{evidence_found / evidence:.3f} give a fact, of {others} others "
        f"{others_silent / others:.3f} give none; {turns / seconds:.0f} turns/s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--misses", action="store_true", help="list what is wrong in the dev part")
    parser.add_argument("--locomo", type=Path, help="conversations in LoCoMo's format")
    parser.add_argument("--show", action="store_true", help="with --locomo: print every turn and its facts")
    options = parser.parse_args()
    extractor = RulesExtractor()
    for name, parts in (("dev", ["dev"]), ("holdout", ["holdout"]), ("all", ["dev", "holdout"])):
        for language in ("en", "ja", "both"):
            rows = [row for row in load(*parts) if language in (row["lang"], "both")]
            result = score(rows, extractor)
            print(
                f"{name:8}{language:5}{len(rows):4} turns  "
                + "  ".join(f"{k} {v:.3f}" for k, v in result.ratios().items())
            )
            if options.misses and name == "dev" and language == "both":
                print("\n".join(result.misses))
    if options.locomo:
        report_locomo(options.locomo, extractor, options.show)


if __name__ == "__main__":
    main()
