from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.settings import PAPER
from cognis_memory.domain.temporal import TimeWindow, boost, event_window, temporal_relevance

MONDAY = datetime(2026, 7, 13, tzinfo=UTC)
DAY = timedelta(days=1)

HOURS = st.integers(0, 24 * 30)
WINDOWS = st.builds(
    lambda start, width: TimeWindow(MONDAY + timedelta(hours=start), MONDAY + timedelta(hours=start + width)),
    HOURS,
    HOURS,
)


def days(first: float, end: float) -> TimeWindow:
    return TimeWindow(MONDAY + first * DAY, MONDAY + end * DAY)


def test_a_window_ends_no_earlier_than_it_starts() -> None:
    assert days(0, 7).width_days == 7
    assert days(0, 0).width_days == 0
    with pytest.raises(ValueError, match="ends"):
        days(1, 0)


@pytest.mark.parametrize(
    ("event", "distance"),
    [
        (days(2, 3), 0),  # within
        (days(-3, 30), 0),  # around
        (days(6, 8), 0),  # across an edge
        (days(0, 0), 0),  # an instant at the start
        (days(7, 7), 0),  # an instant at the end is at the edge
        (days(7, 8), 0.5),  # the day after
        (days(-1, 0), 0.5),  # the day before
        (days(9, 9), 2),
        (days(-4, -2), 3),
    ],
)
def test_distance_of_an_event_to_a_week(event: TimeWindow, distance: float) -> None:
    assert days(0, 7).distance_days(event) == pytest.approx(distance)


def test_windows_that_touch_do_not_overlap() -> None:
    assert not days(0, 7).overlaps(days(7, 8))
    assert not days(0, 7).overlaps(days(7, 7))
    assert days(0, 7).overlaps(days(0, 0))
    assert days(3, 3).overlaps(days(3, 3))


@given(WINDOWS, WINDOWS)
def test_overlap_is_mutual_and_distance_is_not_negative(left: TimeWindow, right: TimeWindow) -> None:
    assert left.overlaps(right) is right.overlaps(left)
    assert left.distance_days(right) >= 0
    if left.overlaps(right):
        assert left.distance_days(right) == 0


@given(WINDOWS, HOURS, HOURS)
def test_a_later_event_is_no_nearer(window: TimeWindow, near: int, far: int) -> None:
    def distance(hours: int) -> float:
        moment = window.end + timedelta(hours=hours)
        return window.distance_days(TimeWindow(moment, moment + DAY))

    assert (distance(near) <= distance(far)) is (near <= far)


def test_an_event_without_a_usable_end_is_an_instant() -> None:
    assert event_window(MONDAY, None) == days(0, 0)
    assert event_window(MONDAY, MONDAY - DAY) == days(0, 0)
    assert event_window(MONDAY, MONDAY + DAY) == days(0, 1)


def test_relevance_falls_to_the_floor() -> None:
    assert temporal_relevance(0, 7, 0.1) == 1
    assert temporal_relevance(3.5, 7, 0.1) == pytest.approx(0.5)
    assert temporal_relevance(7, 7, 0.1) == 0.1
    assert temporal_relevance(1000, 7, 0.1) == 0.1


def test_boost_is_the_papers_formula() -> None:
    fused = {"within": 0.04, "near": 0.08, "far": 0.06, "undated": 0.08}
    events = {"within": days(2, 3), "near": days(9, 9), "far": days(100, 101)}

    boosted = boost(fused, events, days(0, 7), PAPER)

    assert boosted == pytest.approx(
        {
            "within": 0.6 + 0.4 * 0.5,
            "near": 0.6 * (1 - 2 / 7) + 0.4,
            "far": 0.6 * 0.1 + 0.4 * 0.75,
            "undated": 0.6 * 0.1 + 0.4,
        }
    )
    assert list(boosted) == list(fused)


def test_the_window_of_the_decay_is_bounded() -> None:
    instant = boost({"a": 1.0}, {"a": days(0.5, 0.5)}, days(0, 0), PAPER)
    ages = boost({"a": 1.0}, {"a": days(200, 200)}, days(-100_000, 0), PAPER)

    assert instant == pytest.approx({"a": 0.6 * 0.5 + 0.4})
    assert ages == pytest.approx({"a": 0.6 * (1 - 200 / 400) + 0.4})


def test_nothing_found_and_scores_of_zero_are_no_fault() -> None:
    assert boost({}, {}, days(0, 7), PAPER) == {}
    assert boost({"a": 0.0}, {"a": days(0, 1)}, days(0, 7), PAPER) == pytest.approx({"a": 0.6})


@given(st.dictionaries(st.text(max_size=3), st.floats(1e-6, 1)), WINDOWS, WINDOWS, st.floats(0.01, 100))
def test_the_scale_of_fused_scores_does_not_matter(
    fused: dict[str, float], window: TimeWindow, event: TimeWindow, scale: float
) -> None:
    events = dict.fromkeys(list(fused)[::2], event)
    boosted = boost(fused, events, window, PAPER)

    assert all(0 < score <= 1 + 1e-9 for score in boosted.values())
    assert boosted == pytest.approx(
        boost({key: score * scale for key, score in fused.items()}, events, window, PAPER)
    )
