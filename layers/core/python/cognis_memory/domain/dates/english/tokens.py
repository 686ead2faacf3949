"""English text as tokens: words, numbers, compounds such as 2021-03-05 or 8:30, and single signs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from cognis_memory.domain.dates.terms import Chain

Kind = Literal["word", "number", "ordinal", "compound", "sign", "end"]

_TOKEN = re.compile(
    r"(?P<compound>\d{4}-\d\d-\d\d(?=T\d\d:\d\d)|\d+(?:[.:/-]\d+)+)"
    r"|(?P<ordinal>\d+(?:st|nd|rd|th)(?![a-z]))"
    r"|(?P<number>\d+)"
    r"|(?P<word>[ap]\.m\b\.?|[a-z]+(?:['’][a-z]+)?)"
    r"|(?P<sign>[^\s\w]|_)",
    re.IGNORECASE | re.ASCII,
)
_NUMBER_RANGE = re.compile(r"(\d+)(-)(\d+)|(\d+/\d+(?:/\d+)?)(-)(\d+/\d+(?:/\d+)?)")
_ISO_MONTH = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])")


class Token(NamedTuple):
    """`text` is lower case, without a possessive 's; `is_capital` tells how it was written."""

    text: str
    kind: Kind
    start: int
    end: int
    is_capital: bool = False


MOST_NESTED = 6  # "two days after the week of the Friday before last"
END = Token("", "end", -1, -1)


def tokenize(text: str) -> list[Token]:
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        word = match[0]
        if match.lastgroup == "word":
            tokens.append(Token(_plain(word), "word", start, end, word[0].isupper()))
        elif match.lastgroup == "compound":
            tokens += _compound(word, start)
        elif match.lastgroup == "ordinal":
            tokens.append(Token(word[:-2], "ordinal", start, end))
        else:
            tokens.append(Token(word, "number" if match.lastgroup == "number" else "sign", start, end))
    return tokens


def _plain(word: str) -> str:
    lower = word.lower().replace("’", "'").replace(".", "")
    return lower.removesuffix("'s")


def _compound(word: str, start: int) -> list[Token]:
    """The ends of a range apart ("13-15", "3/5-3/8"); dates, clock times and longer compounds stay whole."""
    pair = _NUMBER_RANGE.fullmatch(word)
    if pair is None or _ISO_MONTH.fullmatch(word):
        return [Token(word, "compound", start, start + len(word))]
    kind: Kind = "number" if pair[1] else "compound"
    return [
        Token(part, "sign" if part == "-" else kind, start + pair.start(group), start + pair.end(group))
        for group, part in enumerate(pair.groups(), 1)
        if part is not None
    ]


class Piece(NamedTuple):
    """What a rule of the grammar recognised, and the index of the token after it."""

    chain: Chain
    stop: int


class Words:
    """The tokens of a text, safe to read past both ends, and the rule for a whole chain.

    The rules of single terms need the rule for chains ("two days after <chain>"), which is built from them;
    it is handed in here.
    """

    def __init__(self, text: str, chain: Callable[[Words, int], Piece | None]) -> None:
        self.tokens = tokenize(text)
        self._read_chain = chain
        self._chains: dict[int, Piece | None] = {}
        self._depth = 0

    def __len__(self) -> int:
        return len(self.tokens)

    def at(self, index: int) -> Token:
        return self.tokens[index] if 0 <= index < len(self.tokens) else END

    def text(self, index: int) -> str:
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def chain(self, index: int) -> Piece | None:
        """The chain that starts at a token, read once; anchors in anchors are followed a few steps only."""
        if index in self._chains:
            return self._chains[index]
        if self._depth == MOST_NESTED:
            return None
        self._depth += 1
        self._chains[index] = self._read_chain(self, index)
        self._depth -= 1
        return self._chains[index]

    def skip(self, index: int, *texts: str) -> int:
        """The index after an optional word."""
        return index + 1 if self.text(index) in texts else index

    def touches(self, index: int) -> bool:
        """Whether token `index` follows the one before it without a space."""
        return index > 0 and self.at(index - 1).end == self.at(index).start
