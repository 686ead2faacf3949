"""Numbers as English writes and spells them."""

from __future__ import annotations

from cognis_memory.domain.dates.english.tokens import Words


def _numbered(text: str, first: int) -> dict[str, int]:
    return {word: value for value, word in enumerate(text.split(), first)}


ONES = _numbered(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""",
    0,
)
TENS = {
    word: value * 10
    for word, value in _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 2).items()
}
ORDINALS = _numbered(
    """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""",
    1,
) | {"thirtieth": 30}

FIRST_YEAR, LAST_YEAR = 1000, 2999

Number = tuple[int, int]  # value, index after it


def below_hundred(words: Words, index: int) -> Number | None:
    """As "seven", "nineteen", "thirty", "thirty two", "thirty-two"."""
    text = words.text(index)
    if text in ONES:
        return ONES[text], index + 1
    if text not in TENS:
        return None
    ones = words.skip(index + 1, "-")
    if 1 <= ONES.get(words.text(ones), 0) <= 9:
        return TENS[text] + ONES[words.text(ones)], ones + 1
    return TENS[text], index + 1


def cardinal(words: Words, index: int) -> Number | None:
    """A whole number to 9999, in digits or words."""
    token = words.at(index)
    if token.kind == "number":
        return (int(token.text), index + 1) if len(token.text) <= 4 else None
    found = below_hundred(words, index)
    if found is None:
        return None
    value, stop = found
    if words.text(stop) == "hundred" and value < 10:
        rest = below_hundred(words, words.skip(stop + 1, "and"))
        return (value * 100 + rest[0], rest[1]) if rest else (value * 100, stop + 1)
    return found


def ordinal(words: Words, index: int) -> Number | None:
    """As "15th", "fifteenth", "twenty-first"."""
    token = words.at(index)
    if token.kind == "ordinal":
        return (int(token.text), index + 1) if len(token.text) <= 3 else None
    if token.text in ORDINALS:
        return ORDINALS[token.text], index + 1
    if token.text in TENS:
        ones = words.skip(index + 1, "-")
        if ORDINALS.get(words.text(ones), 10) < 10:
            return TENS[token.text] + ORDINALS[words.text(ones)], ones + 1
    return None


def year(words: Words, index: int) -> Number | None:
    """As "2015", "two thousand and thirty two", "nineteen ninety-five", "twenty oh nine", "'95"."""
    token = words.at(index)
    if token.kind == "number":
        glued = words.touches(index + 1) and words.at(index + 1).kind == "word"  # "2018Q4", "1990s"
        value = int(token.text) if len(token.text) == 4 and not glued else 0
        return (value, index + 1) if FIRST_YEAR <= value <= LAST_YEAR else None
    if token.text in ("'", "’") and words.at(index + 1).kind == "number" and words.touches(index + 1):
        digits = words.text(index + 1)
        return (full_year(int(digits)), index + 2) if len(digits) == 2 else None
    return _spelled_year(words, index)


def _spelled_year(words: Words, index: int) -> Number | None:
    first = below_hundred(words, index)
    if first is None:
        return None
    value, stop = first
    if words.text(stop) == "thousand" and value in (1, 2):
        rest = below_hundred(words, words.skip(stop + 1, "and"))
        return (value * 1000 + rest[0], rest[1]) if rest else (value * 1000, stop + 1)
    if value not in (19, 20):
        return None
    if words.text(stop) in ("oh", "o"):
        rest = below_hundred(words, stop + 1)
        return (value * 100 + rest[0], rest[1]) if rest and rest[0] < 10 else None
    rest = below_hundred(words, stop)
    return (value * 100 + rest[0], rest[1]) if rest and rest[0] >= 10 else None


def full_year(two_digits: int) -> int:
    """The POSIX pivot: 69 to 99 are of the 1900s, 0 to 68 of the 2000s."""
    return two_digits + (1900 if two_digits >= 69 else 2000)
