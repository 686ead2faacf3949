"""Texts that mean something to a parser, a script engine, a path or an encoder somewhere."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Final

SYNTAX: Final = (
    "*", "?", "*:*", "_all", "_id:*", "owner:*", "tenant_id:acme", "NOT place", "place AND Ana",
    "place OR *", "+place -Ana", "pl?ce", "pla*", "/pla.*/", "place~2", "place^10", "\"place",
    "'place", "(place", "place)", "[a TO z]", "{* TO *}", "<1", ">=0", "!place", "&&", "||", "\\",
    "\\\\", "\\*", "\\u0000", "%00", "%2e%2e/", "../", "..\\", "/_search", "/_cat/indices?v",
    "{{place}}", "${place}", "#{place}", "`place`", "$(place)", "; DROP TABLE documents; --",
    "' OR '1'='1", "\" OR \"\" = \"", "<script>alert(1)</script>", "<!-- -->", "&lt;",
)  # fmt: skip
BODIES: Final = (
    {"query": {"match_all": {}}},
    {"query": {"query_string": {"query": "*"}}},
    {"script": {"source": "ctx._source.owner = 'x'", "lang": "painless"}},
    {"terms": {"generation": {"index": "x", "id": "y", "path": "z"}}},
    {"delete": {"_id": "x"}},
    {"index": {"_index": "y"}},
)
SCRIPTS: Final = (
    "doc['owner'].value == params.x",
    "while (true) { }",
    "Runtime.getRuntime().exec('id')",
    "params._source.content",
    "return 1; } catch (Exception e) {",
)
MARKS: Final = (
    "\0", "\x01", "\x1b[31m", "\x7f", "\ud800", "\udfff", "\ufffe", "\uffff", "\ufeff", "\u200b",
    "\u200d", "\u202e", "\u2066", "\u0301" * 40, "\U000e0001", "\U0010ffff",
    "👩\u200d👩\u200d👧\u200d👦", "🏳️\u200d🌈", "🇯🇵", "ﷺ", "ß", "İ", "ſ", "\r\n", "\u2028", "\x85",
)  # fmt: skip
WORDS: Final = (
    "place", "Ana", "been", "places", "PLACE", "ｐｌａｃｅ", "場所", "東京", "ひらがな",
    "カタカナ", "ﾊﾝｶｸ", "서울", "北京", "مكان", "מקום", "место", "τόπος", "स्थान", "สถานที่",
    "e-mail", "1,200", "2026", "NaN", "null", "true", "Infinity",
)  # fmt: skip


class HostileTexts:
    """Texts of up to 10,000 characters, the same for the same seed; most have a word that is common."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self) -> str:
        kinds: tuple[tuple[int, Callable[[], str]], ...] = (
            (50, self._mixed),
            (15, self._json),
            (10, self._glued),
            (12, self._any_characters),
            (3, self._long),
        )
        kind = self._random.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0]
        return kind()[:10_000]

    def _mixed(self) -> str:
        return " ".join(self._part() for _ in range(self._random.randint(1, 12)))

    def _glued(self) -> str:
        return "".join(self._part() for _ in range(self._random.randint(2, 12)))

    def _json(self) -> str:
        text = json.dumps(self._random.choice(BODIES))
        whole = self._random.random() < 0.5
        return f"{text}\n{self._part()}" if whole else text[: self._random.randrange(40)]

    def _any_characters(self) -> str:
        last = self._random.choice((0x7F, 0x24F, 0xFFFF, 0x10FFFF))
        return "".join(chr(self._random.randint(0, last)) for _ in range(self._random.randint(1, 80)))

    def _long(self) -> str:
        part = self._part() or "x"
        if self._random.random() < 0.5:
            return "".join(chr(self._random.randint(0x4E00, 0x9FFF)) for _ in range(10_000))
        return part * (10_000 // len(part))

    def _part(self) -> str:
        return self._random.choice(self._random.choice((SYNTAX, SCRIPTS, MARKS, WORDS, WORDS)))
