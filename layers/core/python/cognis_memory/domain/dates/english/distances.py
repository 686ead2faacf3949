"""Dates told by their distance from now or from another date: "two weeks ago", "the day after Easter"."""

from __future__ import annotations

from cognis_memory.domain.dates.details import Detail, Rank, Season, Weekday, Weekend
from cognis_memory.domain.dates.english.amounts import amount, count
from cognis_memory.domain.dates.english.lexicon import (
    NIGHT,
    PLURAL_AMOUNT_UNITS,
    PLURAL_SEASONS,
    PLURAL_WEEKDAYS,
    UNITS,
    WEEKDAYS,
)
from cognis_memory.domain.dates.english.modifiers import DAY_WORDS
from cognis_memory.domain.dates.english.named import named
from cognis_memory.domain.dates.english.numbers import cardinal
from cognis_memory.domain.dates.english.tokens import Piece, Words
from cognis_memory.domain.dates.lengths import length
from cognis_memory.domain.dates.terms import Amount, Chain, Occurrence, Offset, Term, Unit

_SIDES = {"before": -1, "after": 1, "following": 1}
_TURN_WORDS = {-1: "last", 1: "next"}
# What may come after "the week before" when nothing is named there.
_CLAUSE_ENDS = frozenset({"and", "but", "so", ".", ",", "!", "?", ";", ")"})


def distance(words: Words, index: int) -> Piece | None:
    """As "two weeks ago", "three days from tomorrow", "a week after Easter", "a week on Tuesday"."""
    found = amount(words, index)
    if found is None:
        return _either(words, index) or _turns_away(words, index)
    amount_of, stop = found
    if words.text(stop) == "or" and words.text(stop + 1) in ("so", "two", "more"):
        stop += 2
    text = words.text(stop)
    if text in ("ago", "back"):
        return _ago(words, amount_of, stop + 1)
    if text == "hence" or (text == "from" and words.text(stop + 1) == "now"):
        return Piece(Chain((Offset(amount_of, 1),)), stop + (1 if text == "hence" else 2))
    if text in ("later", "earlier", "afterwards"):
        sign = -1 if text == "earlier" else 1
        return Piece(Chain((Offset(amount_of, sign, from_mention=True),)), stop + 1)
    weeks_on = text == "on" and words.text(stop + 1) in WEEKDAYS
    if amount_of.unit == "week" and (weeks_on or text in ("today", "tomorrow")):
        return _from_anchor(words, amount_of, 1, words.skip(stop, "on"))
    sign = 1 if text == "from" else _SIDES.get(text, 0)
    return _from_anchor(words, amount_of, sign, stop + 1) if sign else None


def _either(words: Words, index: int) -> Piece | None:
    """As "two or three days ago"; "in 5 to 6 weeks" is mostly a duration."""
    fewer = cardinal(words, index)
    if fewer is None or words.text(fewer[1]) not in ("or", "to", "-", "–"):
        return None
    more = cardinal(words, fewer[1] + 1)
    unit = PLURAL_AMOUNT_UNITS.get(words.text(more[1])) if more else None
    if more is None or unit is None or words.text(more[1] + 1) != "ago":
        return None
    near, far = (length(number * unit[1], unit[0]) for number in (fewer[0], more[0]))
    return Piece(Chain((Offset(far, -1, other=near),)), more[1] + 2)


def _ago(words: Words, amount_of: Amount, index: int) -> Piece:
    """As "a week ago", "a week ago yesterday"."""
    shift = DAY_WORDS.get(words.text(index))
    if shift is None:
        return Piece(Chain((Offset(amount_of, -1),)), index)
    return Piece(Chain((Offset(amount_of, -1, Chain((Unit("day", shift),))),)), index + 1)


def _from_anchor(words: Words, amount_of: Amount, sign: int, index: int) -> Piece | None:
    piece = _anchor(words, index)
    if piece is None:
        return None
    anchor, rest = _without_time(piece.chain)
    return Piece(Chain((Offset(amount_of, sign, anchor), *rest)), piece.stop)


def _anchor(words: Words, index: int) -> Piece | None:
    piece = words.chain(words.skip(index, "the"))
    return piece if piece and piece.chain.is_dated else None


def _without_time(chain: Chain) -> tuple[Chain, tuple[Term, ...]]:
    """The date of an anchor, and the time of day, which belongs to the date counted from it."""
    dated = tuple(term for term in chain.terms if term.rank < Rank.PART_OF_DAY)
    return Chain(dated, chain.which), chain.terms[len(dated) :]


def _turns_away(words: Words, index: int) -> Piece | None:
    """As "4 Tuesdays from now", "two weekends ago", "three summers ago"."""
    counted = count(words, index)
    if counted is None or counted.number == 0:
        return None
    detail = _plural_detail(words.text(counted.stop))
    text = words.text(counted.stop + 1)
    if detail is None:
        return None
    if text in ("ago", "back"):
        return Piece(Chain((_turns(counted.number, detail, -1),)), counted.stop + 2)
    if text == "from" and words.text(counted.stop + 2) in ("now", "today"):
        return Piece(Chain((_turns(counted.number, detail, 1),)), counted.stop + 3)
    sign = 1 if text == "from" else _SIDES.get(text, 0)
    piece = _anchor(words, counted.stop + 2) if sign else None
    if piece is None:
        return None
    anchor, rest = _without_time(piece.chain)
    return Piece(Chain((Occurrence(counted.number, detail, sign, anchor), *rest)), piece.stop)


def _plural_detail(text: str) -> Detail | None:
    if text in PLURAL_WEEKDAYS:
        return Weekday(PLURAL_WEEKDAYS[text])
    if text in PLURAL_SEASONS:
        return Season(PLURAL_SEASONS[text])
    return Weekend() if text in ("weekend", "weekends") else None


def _turns(number: int, detail: Detail, sign: int) -> Unit | Occurrence:
    """Weekends are counted by weeks: said on a Sunday, "two weekends ago" leaves out the running one."""
    return Unit("weekend", sign * number) if isinstance(detail, Weekend) else Occurrence(number, detail, sign)


def ahead(words: Words, index: int) -> Piece | None:
    """As "in two weeks", "in about a month", "in three days' time"."""
    if words.text(index) != "in" or words.text(index - 1) in ("once", "twice", "times", "day", "days"):
        return None
    start = words.skip(index + 1, "about", "around", "exactly", "just", "roughly", "like", "another")
    found = amount(words, start)
    if found is None:
        return None
    amount_of, stop = found
    if words.text(stop) in ("'", "’") and words.text(stop + 1) == "time":
        stop += 2
    elif words.text(stop) == "time":
        stop += 1
    elif words.text(stop) == "from" and words.text(stop + 1) == "now":
        stop += 2
    elif words.text(stop) in ("-", "of"):
        return None
    return Piece(Chain((Offset(amount_of, 1, only_ahead=True),)), stop)


def beside(words: Words, index: int) -> Piece | None:
    """As "the week before last", "the day after tomorrow", "the Sunday after Easter"."""
    target = _target(words, index)
    if target is None:
        return None
    subject, stop = target
    sign = _SIDES.get(words.text(stop), 0)
    if not sign:
        return None
    piece = _anchor(words, stop + 1)
    if piece is not None:
        anchor, rest = _without_time(piece.chain)
        return Piece(Chain((_next_to(subject, sign, anchor), *rest)), piece.stop)
    turn = words.skip(stop + 1, "the")
    if words.text(turn) == _TURN_WORDS[sign]:
        return Piece(_second_turn(subject, sign), turn + 1)
    after = words.at(stop + 1)
    if after.kind == "end" or after.text in _CLAUSE_ENDS:
        return _beside_mention(subject, sign, stop + 1)
    return None


_Subject = str | Chain


def _target(words: Words, index: int) -> tuple[_Subject, int] | None:
    """A unit of time, "night", or a day, month or season by name."""
    text = words.text(index)
    if text in UNITS or text == "night":
        return UNITS.get(text, "night"), index + 1
    if words.text(index + 1) not in _SIDES:
        return None
    piece = named(words, index, sure=True)
    return (piece.chain, piece.stop) if piece and len(piece.chain.terms) == 1 else None


def _next_to(subject: _Subject, sign: int, anchor: Chain) -> Term:
    if isinstance(subject, Chain):
        detail = subject.details[0]
        return Occurrence(1, detail, sign, anchor)
    if subject == "weekend":
        return Occurrence(1, Weekend(), sign, anchor)
    return Unit(UNITS.get(subject, "day"), sign, anchor)


def _second_turn(subject: _Subject, sign: int) -> Chain:
    """As "before last", "after next"."""
    if isinstance(subject, Chain):
        return Chain(subject.terms, which=2 * sign)
    if subject == "night":
        return Chain((Unit("day", 2 * sign), NIGHT))
    return Chain((Unit(UNITS[subject], 2 * sign),))


def _beside_mention(subject: _Subject, sign: int, stop: int) -> Piece | None:
    """As "the week before": before the one named last, else before the running one."""
    if isinstance(subject, Chain):
        return None
    if subject == "night":
        return Piece(Chain((Unit("day", sign, after_mention=True, needs_mention=True), NIGHT)), stop)
    unit = UNITS[subject]
    return Piece(Chain((Unit(unit, sign, after_mention=True, needs_mention=unit == "day"),)), stop)


def unit_around(words: Words, index: int) -> Piece | None:
    """As "the week of March 5", "the weekend of the 10th"."""
    unit = words.text(index)
    if unit not in ("week", "weekend") or words.text(index + 1) != "of":
        return None
    piece = _anchor(words, index + 2)
    if piece is None or piece.chain.finest not in (Rank.DAY, Rank.WEEKDAY):
        return None
    return Piece(Chain((Unit(UNITS[unit], 0, piece.chain),)), piece.stop)
