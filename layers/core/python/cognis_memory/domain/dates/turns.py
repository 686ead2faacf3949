"""Which turn is meant of what comes round again: "on Friday", "last March", "the 5th", "this summer"."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice

from cognis_memory.domain.dates.details import Detail, Weekday, narrowed
from cognis_memory.domain.dates.scene import Scene, Tense
from cognis_memory.domain.dates.spans import ONE_DAY, Span, midnight, unit_span

Details = tuple[Detail, ...]

# How many turns are tried: 29 February on a given weekday comes round within 40 years.
MOST_TURNS = 42
FAR_AWAY = 2 * 366  # days
TICK = timedelta(microseconds=1)


def turn(details: Details, which: int | None, scene: Scene) -> Span | None:
    """The turn picked by `which` (as in `Chain`) or, where it is None, by the tense."""
    if which is None:
        return _nearest(details, scene)
    if which == 0:
        return _running(details, scene)
    return nth_beyond(details, scene.today, 1 if which > 0 else -1, abs(which))


def nth_beyond(details: Details, base: date, sign: int, nth: int) -> Span | None:
    """The `nth` turn that lies wholly before (`sign` -1) or after the day `base`."""
    start, end = midnight(base), midnight(base) + ONE_DAY
    beyond = (
        span for span in _turns(details, base, sign) if (span.end <= start if sign < 0 else span.start >= end)
    )
    return next(islice(beyond, nth - 1, None), None)


def _turns(details: Details, pivot: date, step: int) -> Iterator[Span]:
    """The turns in the direction of `step`, beginning with one on the other side of the pivot."""
    cycle = details[0].cycle
    if cycle is None:
        return
    for distance in range(-1, MOST_TURNS):
        try:
            container = unit_span(cycle, pivot, distance * step)
        except (OverflowError, ValueError):
            return  # the calendar ends here
        span = narrowed(container, details)
        if span is not None:
            yield span


def _nearest(details: Details, scene: Scene) -> Span | None:
    span = _nearest_in_tense(details, scene)
    if span is None or abs((span.first_day - scene.today).days) <= FAR_AWAY or len(details) == 1:
        return span
    # "Sunday, 2 October" fits few years: the nearest is meant rather than that of the tense
    opposite = Tense.PAST if scene.step > 0 else Tense.FUTURE
    return _nearest_in_tense(details, scene.in_tense(opposite)) or span


def _nearest_in_tense(details: Details, scene: Scene) -> Span | None:
    """The latest turn for the past, the next for the future.

    Today's weekday means another week's day (one would have said "today"); today's date means today.
    """
    today, tomorrow = midnight(scene.today), midnight(scene.today) + ONE_DAY
    other_day = isinstance(details[0], Weekday) and not scene.counts_today
    for span in _turns(details, scene.today, scene.step):
        if scene.step < 0:
            fits = span.start < (today if other_day else tomorrow)
        else:
            fits = span.start >= tomorrow if other_day else max(span.start, span.end - TICK) >= today
        if fits:
            return span
    return None


def _running(details: Details, scene: Scene) -> Span | None:
    """That of the running year or week, unless the tense shows that it must be a neighbour's."""
    for span in islice(_turns(details, scene.today, 1), 3):
        if span.start <= scene.now < span.end:
            return span
    cycle = details[0].cycle
    current = narrowed(unit_span(cycle, scene.today), details) if cycle else None
    if current is None:
        return None
    if scene.tense is Tense.PAST and current.start > scene.now:
        return nth_beyond(details, scene.today, -1, 1)
    if scene.tense is Tense.FUTURE and current.end <= scene.now:
        return nth_beyond(details, scene.today, 1, 1)
    return current
