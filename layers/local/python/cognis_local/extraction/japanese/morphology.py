"""Words of Japanese text, as Sudachi sees them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sudachipy import Dictionary, SplitMode, Tokenizer

_NOUNS: Final = frozenset({"名詞", "代名詞", "接尾辞", "接頭辞", "形状詞"})


@dataclass(frozen=True, slots=True)
class Token:
    """A word: its surface, part of speech in three steps, inflected form and dictionary forms."""

    surface: str
    pos: tuple[str, str, str]
    form: str
    lemma: str
    normal: str
    start: int
    end: int

    @property
    def is_nominal(self) -> bool:
        return self.pos[0] in _NOUNS

    @property
    def is_verb(self) -> bool:
        return self.pos[0] == "動詞"

    @property
    def is_name(self) -> bool:
        return self.pos[1] == "固有名詞" and self.pos[2] == "人名"


@lru_cache(maxsize=1)
def _dictionary() -> Dictionary:
    return Dictionary(dict="small")


class _Local(threading.local):
    """A Sudachi tokenizer must not be shared between threads."""

    tokenizer: Tokenizer | None = None


_local = _Local()


def tokenize(text: str) -> list[Token]:
    """The words of one sentence; the offsets count characters of `text`."""
    if _local.tokenizer is None:
        _local.tokenizer = _dictionary().tokenizer(mode=SplitMode.C)
    found = []
    for m in _local.tokenizer.tokenize(text):
        pos = m.part_of_speech()
        found.append(
            Token(
                m.surface(),
                (pos[0], pos[1], pos[2]),
                pos[5],
                m.dictionary_form(),
                m.normalized_form(),
                m.begin(),
                m.end(),
            )
        )
    return found
