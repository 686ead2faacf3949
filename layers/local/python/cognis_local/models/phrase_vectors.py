"""Vectors of texts and of their phrases, for scripts that MiniLM cannot read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cognis_local.models.universal import UniversalSentenceEncoder
from cognis_local.models.vector_cache import PackedVectors, VectorCache

_KIND = "phrases"
_MAX_CHARACTERS = 1_000
_PHRASE = re.compile(r"(?:(?![ぁ-ゖ])\w)+[ぁ-ゖ]*|[ぁ-ゖ]+")


def phrases(text: str) -> list[str]:
    """A text's phrases, of its first 1,000 characters; the text itself when it has no word.

    A Japanese phrase is a stem in kanji, katakana, Latin letters or digits with the hiragana after it
    (particles, endings), close to a bunsetsu. Elsewhere a phrase is a run of letters: a word.
    """
    return _PHRASE.findall(text[:_MAX_CHARACTERS]) or [text]


class PhraseVectors:
    """Encodes texts as their own vector (row 0) and one of each phrase (the other rows)."""

    def __init__(self, model: UniversalSentenceEncoder, cache: VectorCache) -> None:
        self._model = model
        self._cache = cache

    def packed(self, texts: Sequence[str]) -> list[PackedVectors]:
        """Shape (1 + phrases, 512) each, from the cache where it has them."""
        return self._cache.get_or_make(_KIND, texts, self._encode)

    def _encode(self, texts: Sequence[str]) -> list[PackedVectors]:
        rows = [[text, *phrases(text)] for text in texts]
        distinct = list(dict.fromkeys(piece for row in rows for piece in row))
        vectors = self._model.encode(distinct)
        position = {piece: index for index, piece in enumerate(distinct)}
        return [PackedVectors.pack(vectors[[position[piece] for piece in row]]) for row in rows]
