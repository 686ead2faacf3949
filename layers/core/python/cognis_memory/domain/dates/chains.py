"""The span of a chain of terms: its frame's, narrowed by its details, or a turn of what comes round."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from cognis_memory.domain.dates.details import DayOfMonth, Detail, Rank, Weekday, narrowed
from cognis_memory.domain.dates.scene import Scene, Tense
from cognis_memory.domain.dates.spans import (
    ONE_DAY,
    Span,
    add_months,
    days_span,
    midnight,
    unit_span,
)
from cognis_memory.domain.dates.terms import (
    Amount,
    Chain,
    Clipped,
    FiscalYear,
    Frame,
    Occurrence,
    Offset,
    Unit,
    Window,
    Year,
)
from cognis_memory.domain.dates.turns import nth_beyond, turn


def chain_span(chain: Chain, scene: Scene) -> Span | None:
    """None where the calendar has no such day; dates outside of it raise as in `datetime`."""
    details = chain.details
    span = _terms_span(chain.frame, details, chain.which, scene)
    if span is None and any(isinstance(detail, DayOfMonth) for detail in details):
        # "Friday, 17 July" where the 17th is a Thursday: the number is trusted, not the weekday
        rest = tuple(detail for detail in details if not isinstance(detail, Weekday))
        if len(rest) < len(details):
            return _terms_span(chain.frame, rest, chain.which, scene)
    return span


def _terms_span(
    frame: Frame | None, details: tuple[Detail, ...], which: int | None, scene: Scene
) -> Span | None:
    if frame is not None:
        span = _frame_span(frame, scene, as_container=bool(details) and details[0].rank < Rank.FRACTION)
        return narrowed(span, details) if span else None
    shared = _around_mention(details, scene) if which is None else None
    return shared or turn(details, which, scene)


def _around_mention(details: tuple[Detail, ...], scene: Scene) -> Span | None:
    """As in "next week I am away, on Friday …": the Friday of that week, unless the tense forbids it."""
    if scene.around is None or scene.around.granularity != details[0].cycle:
        return None
    span = narrowed(scene.around, details)
    if span is None or (scene.tense is Tense.PAST and span.start > scene.now):
        return None
    return None if scene.tense is Tense.FUTURE and span.end < scene.now else span


def frame_around(chain: Chain, scene: Scene) -> Span | None:
    """The week, month or year that a chain names outright, for what is said of it afterwards."""
    frame = chain.frame
    return _frame_span(frame, scene, as_container=True) if isinstance(frame, Unit | Year) else None


def _frame_span(frame: Frame, scene: Scene, *, as_container: bool) -> Span | None:
    """`as_container`: wide enough for finer terms ("two weeks ago" + "on Friday" needs the week)."""
    span: Span | None
    match frame:
        case Unit():
            span = _unit_span(frame, scene)
        case Year():
            span = _year_span(frame)
        case FiscalYear(shift):
            span = _year_span(Year(add_months(scene.today, -3).year + shift, "fiscal_year"))
        case Offset():
            span = _offset_span(frame, scene, as_container=as_container)
        case Occurrence():
            base = _base(frame.anchor, frame.sign, scene)
            span = nth_beyond((frame.detail,), base, frame.sign, frame.nth) if base else None
        case Window():
            span = _window_span(frame, scene)
        case Clipped():
            span = _clipped_span(frame, scene)
    return span


def _base(anchor: Chain | None, sign: int, scene: Scene) -> date | None:
    """The day from which one counts: today's, or the near edge of the anchor."""
    if anchor is None:
        return scene.today
    span = chain_span(anchor, scene)
    return _edge(span, sign) if span else None


def _edge(span: Span, sign: int) -> date:
    return span.last_day if sign > 0 else span.first_day


def _unit_span(frame: Unit, scene: Scene) -> Span | None:
    if frame.after_mention and scene.mention is not None:
        return unit_span(frame.unit, _edge(scene.mention, frame.shift), frame.shift)
    base = None if frame.needs_mention else _base(frame.anchor, frame.shift, scene)
    return unit_span(frame.unit, base, frame.shift) if base else None


def _year_span(frame: Year) -> Span:
    if frame.length == "decade":
        return unit_span("decade", date(frame.number, 1, 1))
    first = date(frame.number, 4 if frame.length == "fiscal_year" else 1, 1)
    if frame.length == "century":
        return Span(midnight(first), midnight(add_months(first, 1200)), "range")
    return Span(midnight(first), midnight(add_months(first, 12)), "year")


def _offset_span(frame: Offset, scene: Scene, *, as_container: bool) -> Span | None:
    amount, sign = frame.amount, frame.sign
    if frame.only_ahead and not _is_ahead(amount, scene):
        return None
    if frame.from_mention:
        return _offset_from_mention(frame, scene)
    if amount.minutes and frame.anchor is None:
        return _instant(frame, scene)
    base = _base(frame.anchor, sign, scene)
    if base is None:
        return None
    day = moved(base, amount, sign)
    if as_container:
        return unit_span(amount.calendar_unit, day)
    first, last = sorted((day, moved(base, frame.other or amount, sign)))
    return Span(midnight(first), midnight(last + ONE_DAY), "range" if frame.other else "day")


def _offset_from_mention(frame: Offset, scene: Scene) -> Span | None:
    """As "three years later" after "in 2015": as wide as what was named."""
    mention = scene.mention
    if mention is None:
        return None
    if mention.granularity in ("week", "month", "year"):
        return unit_span(mention.granularity, moved(mention.first_day, frame.amount, frame.sign))
    return days_span(moved(_edge(mention, frame.sign), frame.amount, frame.sign), 1, "day")


def _is_ahead(amount: Amount, scene: Scene) -> bool:
    """Whether "in <amount>" is a date: "in 20 minutes" only where the sentence speaks of the future."""
    return scene.tense is Tense.FUTURE or (scene.tense is None and not amount.minutes)


def moved(day: date, amount: Amount, sign: int) -> date:
    """The day whole days of `amount` before (`sign` -1) or after; months first, clamped to their length."""
    return add_months(day, sign * amount.months) + timedelta(days=sign * amount.days)


def _instant(frame: Offset, scene: Scene) -> Span:
    """Hours and minutes are counted on the time line, so that a clock change does not shift them."""
    amount = frame.amount
    elapsed = scene.reference.astimezone(UTC) + frame.sign * timedelta(minutes=amount.minutes)
    moment = elapsed.astimezone(scene.reference.tzinfo).replace(tzinfo=None)
    if amount.months or amount.days:
        moment = datetime.combine(moved(moment.date(), amount, frame.sign), moment.time())
    return Span(moment, moment, "minute" if amount.unit == "minute" else "hour")


def _window_span(frame: Window, scene: Scene) -> Span:
    if frame.amount.minutes:
        length = timedelta(minutes=frame.amount.minutes)
        start, end = sorted((scene.now, scene.now + frame.sign * length))
        return Span(start, end, "range")
    near = scene.today if frame.sign < 0 else scene.today + ONE_DAY
    first, after = sorted((near, moved(near, frame.amount, frame.sign)))
    return Span(midnight(first), midnight(after), "range")


def _clipped_span(frame: Clipped, scene: Scene) -> Span | None:
    span = chain_span(frame.chain, scene)
    if span is None:
        return None
    today = midnight(scene.today)
    if frame.side == "before":
        clipped = Span(span.start, min(span.end, today + ONE_DAY), "range")
    else:
        clipped = Span(max(span.start, today), span.end, "range")
    return clipped if clipped.start < clipped.end else span
