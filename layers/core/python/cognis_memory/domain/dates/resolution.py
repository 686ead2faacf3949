"""From what an expression is made of to the span it means in its scene."""

from __future__ import annotations

from datetime import timedelta

from cognis_memory.domain.dates.chains import chain_span, moved
from cognis_memory.domain.dates.details import LONGEST_YEAR, Clock, Rank, narrowed
from cognis_memory.domain.dates.scene import Scene, Tense
from cognis_memory.domain.dates.spans import ONE_DAY, Span, add_months, midnight
from cognis_memory.domain.dates.terms import Body, Chain, Inside, Lasting, Range


def resolve(body: Body, scene: Scene) -> Span | None:
    """The span meant, or None where the calendar has no such day or the words turn out to be no date."""
    try:
        match body:
            case Range():
                return _range_span(body, scene)
            case Lasting():
                return _lasting_span(body, scene)
            case Inside():
                return _inside_span(body, scene)
            case Chain():
                return chain_span(body, scene)
    except (OverflowError, ValueError):
        return None  # outside the calendar


def _range_span(body: Range, scene: Scene) -> Span | None:
    if body.left is None or body.right is None:
        return _open_range_span(body.left, body.right, scene)
    left, right = _shared(body.left, body.right), _shared(body.right, body.left)
    if left.frame is None and right.frame is None and scene.step < 0:
        last = chain_span(right, scene)
        first = chain_span(left, scene.moved_to(last.start, Tense.PAST)) if last else None
    else:
        first = chain_span(left, scene)
        is_turn = first is not None and right.frame is None
        last = chain_span(right, scene.moved_to(first.start, Tense.FUTURE) if first and is_turn else scene)
    return _joined(first, last, left, right) if first and last else None


def _shared(chain: Chain, other: Chain) -> Chain:
    """As in "13 to 15 July", "Monday to Friday next week": a side takes the coarser terms of the other."""
    if chain.frame is not None:
        return chain
    coarser = tuple(term for term in other.terms if term.rank < chain.coarsest)
    return Chain(coarser + chain.terms, chain.which)


def _joined(first: Span, last: Span, left: Chain, right: Chain) -> Span | None:
    if last.end <= first.start and isinstance(right.terms[-1], Clock):
        last = Span(last.start + ONE_DAY, last.end + ONE_DAY, last.granularity)  # "10pm to 2am"
    if last.end <= first.start and left.coarsest is Rank.YEAR and first.days < LONGEST_YEAR - 1:
        start = midnight(add_months(first.first_day, -12))  # "from December to February 2020"
        first = Span(start, start, first.granularity)
    return Span(first.start, last.end, "range") if first.start <= last.end else None


def _open_range_span(left: Chain | None, right: Chain | None, scene: Scene) -> Span | None:
    """As in "since May", which reaches to the reference, and "until Friday", which begins with it."""
    if left is not None:
        span = chain_span(left, scene.in_tense(Tense.PAST))
        return Span(span.start, scene.now, "range") if span and span.start <= scene.now else span
    span = chain_span(right, scene) if right else None
    return Span(scene.now, span.end, "range") if span and scene.now <= span.end else span


def _inside_span(body: Inside, scene: Scene) -> Span | None:
    container = chain_span(body.outer, scene)
    if container is None:
        return None
    first, last = narrowed(container, body.left.details), narrowed(container, body.right.details)
    return _joined(first, last, body.left, body.right) if first and last else None


def _lasting_span(body: Lasting, scene: Scene) -> Span | None:
    span = chain_span(body.chain, scene)
    if span is None:
        return None
    days = moved(span.first_day, body.amount, 1) - span.first_day
    return Span(span.start, span.start + days + timedelta(minutes=body.amount.minutes), "range")
