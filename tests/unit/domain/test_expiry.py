"""What is left of a chain: nothing of what has expired, and everything else as it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.expiry import without_expired
from cognis_memory.domain.versions import place
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Category, Operation

START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2027, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
PAST, FUTURE = NOW - DAY, NOW + DAY


def version(number: int, **changes: Any) -> Memory:
    """Stated on the day of its number."""
    values: dict[str, Any] = {
        "id": f"mem_{number:02d}",
        "tenant_id": "acme",
        "user_id": "ana",
        "event_id": f"evt_{number:02d}",
        "position": 0,
        "chain_id": "mem_00",
        "content": f"words {number}",
        "subject": f"subject {number}",
        "slot": "home",
        "speaker": "Ana",
        "category": Category.PERSONAL_DETAILS,
        "timestamp": START + number * DAY,
        "valid_from": START + number * DAY,
        "metadata": {"word": f"words {number}"},
        "source_messages": (f"msg_{number:02d}",),
        "created_at": START,
        "updated_at": START,
    }
    return Memory(**(values | changes))


def chain(*expiries: datetime | None, retractions: tuple[int, ...] = ()) -> tuple[Memory, ...]:
    versions = [
        version(n, expires_at=at, operation=Operation.DELETE if n in retractions else Operation.ADD)
        for n, at in enumerate(expiries)
    ]
    return place((), *versions, now=START)


def test_the_first_version_vanishes_and_the_next_replaces_nothing() -> None:
    (left,) = without_expired(chain(PAST, None), now=NOW)

    assert (left.id, left.version, left.replaces_id, left.operation) == ("mem_01", 1, None, Operation.ADD)
    assert (left.is_current, left.revision, left.updated_at) == (True, 2, NOW)


def test_what_a_version_replaced_does_not_come_back_when_it_expires() -> None:
    first, blank = without_expired(chain(None, PAST), now=NOW)

    assert (first.is_current, first.valid_until) == (False, START + DAY)
    assert (blank.operation, blank.is_current, blank.redacted, blank.content) == (
        Operation.DELETE,
        False,
        True,
        "",
    )
    assert blank.has_expired(START)


def test_the_time_of_a_version_between_two_is_nobodys() -> None:
    first, blank, last = without_expired(chain(None, PAST, None), now=NOW)

    assert (first.valid_until, last.valid_from) == (START + DAY, START + 2 * DAY)
    assert (last.replaces_id, last.operation, last.is_current) == (blank.id, Operation.ADD, True)


def test_a_retraction_that_expires_still_ends_what_it_ended() -> None:
    first, blank = without_expired(chain(None, PAST, retractions=(1,)), now=NOW)

    assert not first.is_current
    assert (blank.redacted, blank.content) == (True, "")


def test_nothing_is_left_of_what_has_expired_altogether() -> None:
    assert without_expired(chain(PAST, PAST, PAST), now=NOW) == ()


def test_what_has_not_expired_is_left_as_it_is() -> None:
    whole = chain(None, FUTURE, None)
    assert without_expired(whole, now=NOW) == whole


def test_an_empty_place_goes_when_nothing_stands_before_it_any_more() -> None:
    once = without_expired(chain(FUTURE, PAST, None), now=NOW)
    assert len(once) == 3
    (left,) = without_expired(once, now=FUTURE)
    assert left.id == "mem_02"


EXPIRIES = st.lists(st.sampled_from([None, PAST, FUTURE]), min_size=1, max_size=8)


@given(EXPIRIES, st.sets(st.integers(0, 7)))
def test_of_what_lasts_the_same_holds_at_every_time(
    expiries: list[datetime | None], retractions: set[int]
) -> None:
    whole = chain(*expiries, retractions=tuple(retractions))
    left = without_expired(whole, now=NOW)

    for day in range(len(expiries) + 1):
        assert _shown(left, START + day * DAY) == _shown(whole, START + day * DAY)
    assert _current(left) == _current(whole)


@given(EXPIRIES, st.sets(st.integers(0, 7)))
def test_it_is_a_chain_and_holds_no_word_that_has_expired(
    expiries: list[datetime | None], retractions: set[int]
) -> None:
    whole = chain(*expiries, retractions=tuple(retractions))
    left = without_expired(whole, now=NOW)

    assert place(left, now=NOW) == left
    assert without_expired(left, now=NOW) == left
    expired = [v for v in whole if v.has_expired(NOW)]
    kept = " ".join(v.model_dump_json() for v in left)
    assert not [v for v in expired if v.content in kept or v.subject in kept or v.source_messages[0] in kept]
    before = {v.id: v for v in whole}
    assert all((v.revision > before[v.id].revision) is (v != before[v.id]) for v in left)


def _shown(versions: tuple[Memory, ...], moment: datetime) -> list[str]:
    return [v.id for v in versions if _visible(v) and _holds(v, moment)]


def _current(versions: tuple[Memory, ...]) -> list[str]:
    return [v.id for v in versions if _visible(v) and v.is_current]


def _visible(version: Memory) -> bool:
    return not version.has_expired(NOW) and version.operation is not Operation.DELETE


def _holds(version: Memory, moment: datetime) -> bool:
    return version.valid_from <= moment and (version.valid_until is None or moment < version.valid_until)
