"""The dates of a text: the grammars of all languages over it, then the resolution of what they found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Literal, NamedTuple

from cognis_memory.domain.dates.chains import frame_around
from cognis_memory.domain.dates.mention import DateMention
from cognis_memory.domain.dates.resolution import resolve
from cognis_memory.domain.dates.scene import Scene, Tense
from cognis_memory.domain.dates.spans import Span
from cognis_memory.domain.dates.terms import Body, Chain, Expression, Range, Window
from cognis_memory.domain.lazy_patterns import lazy_pattern

Preference = Literal["past", "future", "auto"]

_JAPANESE_TEXT = lazy_pattern(r"[぀-ヿ㐀-鿿]")
_LATIN_TEXT = re.compile(r"[A-Za-z]{2}|^[\x00-\x7f]*$")
_SENTENCE_END = re.compile(r"[.!?;\n](?=\s|$)|[。！？]")
_LONGEST_REST = 500  # characters in which a question mark is looked for
_PREFERRED: dict[Preference, Tense | None] = {"past": Tense.PAST, "future": Tense.FUTURE, "auto": None}


class _Language(NamedTuple):
    parse: Callable[[str], Iterator[Expression]]
    tense_at: Callable[[str, int, int], Tense | None]


@cache
def _english() -> _Language:
    from cognis_memory.domain.dates.english import grammar, tense  # noqa: PLC0415 - see `_japanese`

    return _Language(grammar.parse, tense.tense_at)


@cache
def _japanese() -> _Language:
    """Imported with the first text in its script: many a process meets one language only."""
    from cognis_memory.domain.dates.japanese import grammar, tense  # noqa: PLC0415

    return _Language(grammar.parse, tense.tense_at)


class Found(NamedTuple):
    """A mention with what it was made of."""

    mention: DateMention
    body: Body


def find_dates(text: str, reference: datetime, *, prefer: Preference = "auto") -> list[DateMention]:
    """Every date, period and range that a text means, in the order of the text.

    `reference` is the aware time of the message in the zone of its user; the results are in that zone.
    `prefer` decides which turn of something that comes round again is meant ("on Friday", "in March"):
    the latest, the next, or by the tense of the sentence, and the next where it shows none. Durations,
    recurrences and clock times alone are no dates. Raises ValueError for a naive `reference`.
    """
    return [found.mention for found in found_dates(text, reference, _PREFERRED[prefer], Tense.FUTURE)]


def main_date(text: str, reference: datetime, *, prefer: Preference = "auto") -> DateMention | None:
    """The date at which what a text tells of happened or will happen; arguments as for `find_dates`.

    It is the first of those that are told, not asked, and that are a date rather than a stretch up to now
    ("since May", "the last few weeks"); failing that, the first of all.
    """
    found = found_dates(text, reference, _PREFERRED[prefer], Tense.FUTURE)
    return main_of(text, found)


def main_of(text: str, found: list[Found]) -> DateMention | None:
    if not found:
        return None
    return min(found, key=lambda one: (_is_asked(text, one.mention), _is_stretch(one.body))).mention


def _is_asked(text: str, mention: DateMention) -> bool:
    end = _SENTENCE_END.search(text, mention.end_index, mention.end_index + _LONGEST_REST)
    return end is not None and end[0] in "?？"


def _is_stretch(body: Body) -> bool:
    if isinstance(body, Range):
        return body.left is None or body.right is None
    return isinstance(body, Chain) and isinstance(body.frame, Window)


def found_dates(text: str, reference: datetime, tense: Tense | None, default: Tense) -> list[Found]:
    """What `find_dates` finds; `tense` overrides that of the sentences, `default` serves where none shows."""
    if reference.utcoffset() is None:
        raise ValueError("the reference time has no zone")
    found: list[Found] = []
    span = around = None
    previous_end = 0
    for expression, language in _expressions(text):
        if around is not None and _SENTENCE_END.search(text, previous_end, expression.start):
            around = None
        read_tense = _tense_reader(text, expression, language, tense)
        scene = Scene(reference, read_tense, default, mention=span, around=around)
        resolved = resolve(expression.body, scene)
        mention = _mention(text, expression, resolved, reference) if resolved else None
        if mention is None:
            continue
        found.append(Found(mention, expression.body))
        span, previous_end = resolved, expression.end
        if isinstance(expression.body, Chain):
            around = frame_around(expression.body, scene) or around
    return found


def _tense_reader(
    text: str, expression: Expression, language: _Language, given: Tense | None
) -> Callable[[], Tense | None]:
    """The tense is read only where something depends on it, and then once."""
    return cache(lambda: given or language.tense_at(text, expression.start, expression.end))


def _expressions(text: str) -> Iterator[tuple[Expression, _Language]]:
    """The expressions of all languages, left to right; where two overlap, the longer stays."""
    every: list[tuple[Expression, _Language]] = []
    if not text.isascii() and _JAPANESE_TEXT().search(text):
        every += [(expression, _japanese()) for expression in _japanese().parse(text)]
    if _LATIN_TEXT.search(text):
        every += [(expression, _english()) for expression in _english().parse(text)]
    every.sort(key=lambda one: (one[0].start, -one[0].end))
    end = 0
    for expression, language in every:
        if expression.start >= end:
            yield expression, language
            end = expression.end


def _mention(text: str, expression: Expression, span: Span, reference: datetime) -> DateMention | None:
    try:
        start, end = _aware(span.start, reference), _aware(span.end, reference)
    except OverflowError:
        return None  # at the very ends of the calendar
    if end.astimezone(UTC) < start.astimezone(UTC):
        end = start  # both wall times fall into the hour that a clock change leaves out
    words = text[expression.start : expression.end]
    return DateMention(words, expression.start, expression.end, start, end, span.granularity)


def _aware(moment: datetime, reference: datetime) -> datetime:
    """The wall time in the zone of the reference; one that a clock change leaves out moves past it."""
    zone = reference.tzinfo
    return moment.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
