"""Cuts messages to what one call of a model takes: between turns, and only a longer turn within itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.models.message import Message

LEAST_CHARACTERS: Final = 200
"""A text as short is not cut any further."""

TOKENS_AROUND: Final = 60
"""Of a message's line in the prompt beside its text: time, speaker, role and their names."""

_BORDER: Final = re.compile(r"\n\s*\n|\n|(?<=[.!?])\s|(?<=[。！？])|\s")
"""Where a text may be cut; a paragraph's end before a line's, a sentence's, a word's."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of the message at `index`, all of it unless the message was cut."""

    index: int
    text: str

    @property
    def tokens(self) -> int:
        """An estimate, see `domain.tokens`."""
        return estimate_tokens(self.text) + TOKENS_AROUND


def pieces_of(messages: Sequence[Message]) -> list[Piece]:
    return [Piece(index, message.content) for index, message in enumerate(messages)]


def chunks(pieces: Sequence[Piece], budget: int) -> Iterator[list[Piece]]:
    """The pieces in order, in lists of at most `budget` tokens; one that is longer is cut."""
    chunk: list[Piece] = []
    taken = 0
    for piece in _within(pieces, budget):
        if chunk and taken + piece.tokens > budget:
            yield chunk
            chunk, taken = [], 0
        chunk.append(piece)
        taken += piece.tokens
    if chunk:
        yield chunk


def halves(pieces: Sequence[Piece]) -> tuple[list[Piece], list[Piece]] | None:
    """Two parts of about the same number of tokens; None for one short piece."""
    if len(pieces) == 1:
        cut = _cut(pieces[0])
        return None if cut is None else ([cut[0]], [cut[1]])
    half = sum(piece.tokens for piece in pieces) / 2
    taken, first = 0, 0
    while first < len(pieces) - 1 and (first == 0 or taken + pieces[first].tokens <= half):
        taken += pieces[first].tokens
        first += 1
    return list(pieces[:first]), list(pieces[first:])


def _within(pieces: Sequence[Piece], budget: int) -> Iterator[Piece]:
    waiting = list(reversed(pieces))
    while waiting:
        piece = waiting.pop()
        cut = _cut(piece) if piece.tokens > budget else None
        if cut is None:
            yield piece
        else:
            waiting += reversed(cut)


def _cut(piece: Piece) -> tuple[Piece, Piece] | None:
    """Both halves of a text, cut at the best border in its middle half, or else in the middle."""
    text = piece.text
    if len(text) <= LEAST_CHARACTERS:
        return None
    quarter, middle = len(text) // 4, len(text) // 2
    borders = list(_BORDER.finditer(text, quarter, len(text) - quarter))
    at = min(borders, key=lambda b: (_rank(b.group()), abs(b.end() - middle))).end() if borders else middle
    return Piece(piece.index, text[:at]), Piece(piece.index, text[at:])


def _rank(border: str) -> int:
    """Paragraphs, then lines, then sentences and words alike: nothing between them tells which it was."""
    return -border.count("\n")
