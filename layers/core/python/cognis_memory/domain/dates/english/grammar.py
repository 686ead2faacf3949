"""Chains of terms in English, and the walk over a text that finds time expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import chain
from typing import NamedTuple

from cognis_memory.domain.dates.details import Rank, Weekday
from cognis_memory.domain.dates.english import clock, digits, distances, modifiers, named, parts
from cognis_memory.domain.dates.english.amounts import COLLECTIVES, amount
from cognis_memory.domain.dates.english.day_lists import Listed, day_list
from cognis_memory.domain.dates.english.lexicon import (
    ADJECTIVE_THIRDS,
    HOLIDAY_STARTS,
    MODIFIERS,
    MONTHS,
    NAMED_CLOCKS,
    NOUN_THIRDS,
    PARTS_OF_DAY,
    RECURRENCE,
    SEASONS,
    UNITS,
    VERB_MONTHS,
    VERB_SEASONS,
    WEEKDAYS,
)
from cognis_memory.domain.dates.english.numbers import ONES, ORDINALS, TENS
from cognis_memory.domain.dates.english.ranges import range_of, sides_of
from cognis_memory.domain.dates.english.tokens import Piece, Token, Words
from cognis_memory.domain.dates.terms import Body, Chain, Expression, Inside, Lasting, Range

Rule = Callable[[Words, int], Piece | None]

_CARDINALS = ONES.keys() | TENS.keys() | {"a", "an"} | COLLECTIVES.keys()
_ORDINALS = ORDINALS.keys() | TENS.keys()
_NAMES = MONTHS.keys() | WEEKDAYS.keys() | SEASONS.keys() | HOLIDAY_STARTS
_APOSTROPHES = frozenset({"'", "’"})

# A rule, and the words or kinds of token (in capitals) with which what it reads can begin.
_DATES: tuple[tuple[Rule, Set[str]], ...] = (
    (modifiers.day_word, modifiers.DAY_WORDS.keys()),
    (modifiers.same_time, {"this", "same"}),
    (digits.day_before_month, _ORDINALS | {"NUMBER", "ORDINAL"}),
    (digits.year_before_month, {"NUMBER"}),
    (parts.numbered_day, {"NUMBER"}),
    (parts.nth, _ORDINALS | {"last", "final", "latter", "ORDINAL"}),
    (distances.beside, _NAMES | UNITS.keys() | {"night"}),
    (distances.unit_around, {"week", "weekend"}),
    (modifiers.modified, MODIFIERS.keys() | {"these"}),
    (modifiers.window_count_first, _CARDINALS | {"NUMBER"}),
    (distances.ahead, {"in"}),
    (distances.distance, _CARDINALS | {"half", "NUMBER"}),
    (digits.numeric_date, {"COMPOUND"}),
    (named.named, _NAMES | {"q", "h", "weekend", "NUMBER"}),
    (digits.lone_day, _ORDINALS | {"NUMBER", "ORDINAL"}),
    (parts.third, ADJECTIVE_THIRDS.keys() | NOUN_THIRDS.keys()),
    (parts.remainder, UNITS.keys() | {"rest", "remainder", "earlier", "later"}),
    (parts.decade, parts.DECADES.keys() | _APOSTROPHES | {"NUMBER"}),
    (digits.lone_year, _CARDINALS | _APOSTROPHES | {"NUMBER"}),
)
_TIMES: tuple[tuple[Rule, Set[str]], ...] = (
    (clock.part_of_day, PARTS_OF_DAY.keys() | {"in", "during", "early", "late"}),
    (
        clock.clock,
        _CARDINALS
        | NAMED_CLOCKS.keys()
        | {"at", "around", "about", "by", "half", "quarter", "NUMBER", "COMPOUND"},
    ),
)
# Only beside other terms: "summer 2019", "Tuesday the 4th"
_BESIDE: tuple[tuple[Rule, Set[str]], ...] = (
    (digits.year_beside, _CARDINALS | _APOSTROPHES | {"NUMBER"}),
    (digits.day_beside, _ORDINALS | {"ORDINAL"}),
)


def _by_start(*tables: tuple[tuple[Rule, Set[str]], ...]) -> dict[str, tuple[Rule, ...]]:
    rules: dict[str, tuple[Rule, ...]] = {}
    for rule, starts in chain.from_iterable(tables):
        for start in starts:
            rules[start] = (*rules.get(start, ()), rule)
    return rules


_FIRST = _by_start(_DATES, _TIMES)
_FURTHER = _by_start(_DATES, _TIMES, _BESIDE)
_RANGE_STARTS = frozenset({"from", "between", "since", "until", "till", "til", "for"})
_CONNECTORS = frozenset({",", "(", "of", "in", "on", "at", "the", "from", "during", "around", "about", "t"})
_MOST_CONNECTORS = 3
_VERBS = VERB_MONTHS | VERB_SEASONS


def _rules(rules: dict[str, tuple[Rule, ...]], token: Token) -> tuple[Rule, ...]:
    return rules.get(token.text if token.kind in ("word", "sign") else token.kind.upper(), ())


def parse(text: str) -> Iterator[Expression]:
    """The time expressions of a text from left to right, none overlapping."""
    words = Words(text, _chain)
    index = 0
    while index < len(words):
        token = words.tokens[index]
        starts = token.text in _RANGE_STARTS or _rules(_FIRST, token)
        found = _expressions(words, index) if starts else []
        for one in found:
            if not _recurs(words, one.first, one.stop):
                yield Expression(words.at(one.first).start, words.at(one.stop - 1).end, one.body)
        index = found[-1].stop if found else index + 1


def _expressions(words: Words, index: int) -> list[Listed]:
    """The days of a list that starts here, or the one expression that does."""
    listed = day_list(words, index)
    if listed:
        return listed
    found = _expression(words, index)
    return [Listed(found.body, index, found.stop)] if found else []


def _recurs(words: Words, index: int, stop: int) -> bool:
    """Whether it is no date but a habit: "every Monday", "every other week", "the 1st of each month"."""
    before = words.text(index - 2) if words.text(index - 1) in ("other", "single") else words.text(index - 1)
    return before in RECURRENCE or (words.text(stop) == "of" and words.text(stop + 1) in RECURRENCE)


class Found(NamedTuple):
    body: Body
    stop: int


def _expression(words: Words, index: int) -> Found | None:
    text = words.text(index)
    if text in ("from", "between"):
        span = range_of(words, index + 1)
        return Found(*span) if span else None
    if text in ("since", "until", "till", "til"):
        return _open_range(words, index, is_start=text == "since")
    if text == "for":
        return _lasting_first(words, index)
    span = range_of(words, index)
    if span is not None:
        return Found(*span)
    piece = words.chain(index)
    return _with_tail(words, piece) if piece and piece.chain.is_dated else None


def _open_range(words: Words, index: int, *, is_start: bool) -> Found | None:
    """As "since last March", "until Friday"."""
    span = range_of(words, index + 1)
    if span is not None:
        return Found(*span)
    piece = words.chain(words.skip(index + 1, "the"))
    if piece is None or not piece.chain.is_dated:
        return None
    return Found(Range(piece.chain, None) if is_start else Range(None, piece.chain), piece.stop)


def _lasting_first(words: Words, index: int) -> Found | None:
    """As "for ten days from 18 December"."""
    length = amount(words, index + 1)
    if length is None or words.text(length[1]) not in ("from", "starting"):
        return None
    piece = words.chain(words.skip(length[1] + 1, "on", "from", "the"))
    return Found(Lasting(piece.chain, length[0]), piece.stop) if piece and piece.chain.is_dated else None


def _with_tail(words: Words, piece: Piece) -> Found:
    """A chain, and what may follow: times "from 3 to 8pm", days "between Wednesday and Friday", a length."""
    outer, stop = piece
    if words.text(stop) in ("from", "between"):
        tail = sides_of(words, stop + 1, outer)
        if tail is not None and outer.joined(tail.left) and outer.joined(tail.right):
            return Found(Inside(outer, tail.left, tail.right), tail.stop)
    if words.text(stop) == "for" and outer.finest is Rank.DAY:
        length = amount(words, stop + 1)
        if length is not None and not length[0].minutes:
            return Found(Lasting(outer, length[0]), length[1])
    return Found(outer, stop)


# Chains


def _chain(words: Words, index: int) -> Piece | None:
    """Terms side by side, each of which narrows or frames the others: "Wednesday evening next week"."""
    for rule in _rules(_FIRST, words.at(index)):
        piece = rule(words, index)
        if piece is not None:
            return _continued(words, piece)
    return _framed_name(words, index)


def _framed_name(words: Words, index: int) -> Piece | None:
    """As "Christmas last year": a name too vague alone, made a date by the frame after it."""
    token = words.at(index)
    if token.text not in _NAMES:
        return None
    if token.text in _VERBS and not token.is_capital:
        return None
    name = named.named(words, index, sure=True)
    piece = _continued(words, name) if name else None
    return piece if piece and piece.chain.frame is not None else None


def _continued(words: Words, piece: Piece) -> Piece:
    more: Piece | None = piece
    while more is not None:
        piece, more = more, _continuation(words, more)
    return piece


def _continuation(words: Words, piece: Piece) -> Piece | None:
    """The piece with one more term, reached over at most a few connecting words."""
    index = piece.stop
    rules = _FURTHER if piece.chain.is_dated else _FIRST
    for _ in range(_MOST_CONNECTORS + 1):
        for rule in _rules(rules, words.at(index)):
            more = rule(words, index)
            together = _together(piece.chain, more.chain) if more else None
            if more is not None and together is not None:
                return Piece(together, more.stop)
        text = words.text(index)
        if text not in _CONNECTORS or (text == "from" and sides_of(words, index + 1)):
            return None
        index += 1
    return None


def _together(first: Chain, more: Chain) -> Chain | None:
    """Both in one; "a Friday in May" says no more than May."""
    vague = isinstance(first.terms[0], Weekday) and first.which is None and more.finest is Rank.MONTH
    return more if vague else first.joined(more)
