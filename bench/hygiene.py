"""Scores what is kept out of the memory against texts labelled by hand, English and Japanese.

    python bench/hygiene.py [--misses]

Half of `data/hygiene_dev.jsonl` and `data/hygiene_holdout.jsonl` is harmless, each text like one of the
kinds that are caught: secrets, which are masked, instructions to the memory, which are put in quarantine, and
recalled context, of which no fact is made. The hold-out was first scored when the rules stood.
Letters of tokens and keys are escaped in the files, so that nobody takes them for real ones.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cognis_local.extraction import RulesExtractor
from cognis_memory.domain.prompt_injection import is_injection
from cognis_memory.domain.recalled_context import without_recalled_context
from cognis_memory.domain.secrets import mask_secrets
from cognis_memory.models.extraction import ExtractionRequest
from cognis_memory.models.message import Message
from cognis_memory.models.values import Role

DATA = Path(__file__).parent / "data"
HARMLESS = "harmless"
Row = dict[str, Any]


@dataclass
class Score:
    """Texts by kind, and those treated as their label says; harmless ones under what they are like."""

    texts: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    wrong: list[Row] = field(default_factory=list)

    def recall(self) -> float:
        """The share that was caught of what is not harmless."""
        return _share(self.right, self.texts, like=False)

    def false_positives(self) -> float:
        """The share of the harmless texts that were taken for something else."""
        return 1.0 - _share(self.right, self.texts, like=True)


def _share(right: Counter[str], texts: Counter[str], *, like: bool) -> float:
    kinds = [kind for kind in texts if kind.startswith(HARMLESS) is like]
    return sum(right[kind] for kind in kinds) / max(1, sum(texts[kind] for kind in kinds))


def load(*parts: str) -> list[Row]:
    """The labelled texts of the named parts, "dev" and "holdout"."""
    lines = [
        line for part in parts for line in (DATA / f"hygiene_{part}.jsonl").read_text("utf-8").splitlines()
    ]
    return [json.loads(line) for line in lines]


def score(rows: Iterable[Row], extractor: RulesExtractor) -> Score:
    total = Score()
    for row in rows:
        kind = f"{HARMLESS}, like {row['like']}" if row["kind"] == HARMLESS else row["kind"]
        total.texts[kind] += 1
        if is_right(row, extractor):
            total.right[kind] += 1
        else:
            total.wrong.append(row)
    return total


def is_right(row: Row, extractor: RulesExtractor) -> bool:
    """Whether the text is treated as its label says."""
    text = row["text"]
    if row["kind"] == "instruction":
        return is_injection(text)
    if row["kind"] == "recalled":
        return is_injection(text) or not _facts(text, extractor)
    masked = mask_secrets(text, row.get("before", ""))
    if row["kind"] != HARMLESS:
        return not any(secret in masked for secret in row["secrets"])
    return masked == text and not is_injection(text) and without_recalled_context(text) == text


def _facts(text: str, extractor: RulesExtractor) -> int:
    moment = datetime(2026, 7, 15, tzinfo=UTC)
    message = Message(
        id="msg_0",
        tenant_id="bench",
        user_id="bench",
        event_id="evt",
        position=0,
        role=Role.USER,
        speaker="user",
        content=without_recalled_context(text) or " ",
        timestamp=moment,
        created_at=moment,
    )
    return len(extractor.extract(ExtractionRequest((message,))).facts)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--misses", action="store_true", help="list what is wrong in the dev part")
    options = parser.parse_args()
    extractor = RulesExtractor()
    for name, parts in (("dev", ["dev"]), ("holdout", ["holdout"]), ("all", ["dev", "holdout"])):
        for language in ("en", "ja"):
            total = score((row for row in load(*parts) if row["lang"] == language), extractor)
            texts = sum(total.texts.values())
            print(
                f"{name:8}{language:4}{texts:4} texts  "
                f"recall {total.recall():.3f}  false positives {total.false_positives():.3f}"
            )
            if name == "all":
                for kind in sorted(total.texts):
                    print(f"    {kind:32}{total.right[kind]:4} of {total.texts[kind]}")
            if options.misses and name == "dev":
                for row in total.wrong:
                    print(f"    {row['id']}: {row['text']!r}")


if __name__ == "__main__":
    main()
