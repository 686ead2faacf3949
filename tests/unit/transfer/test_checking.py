"""Every line of a file is checked, by itself and against the others, before anything is written."""

from __future__ import annotations

import random

import pytest
from export_files import chain_of, changed, check, faults, lines, memory, message
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.services.transfer.checking import MAX_FAULTS

WHOLE = lines(
    *chain_of("Tokyo", "Osaka", "Kobe"), memory(7, "a cat"), message(0, "Hello"), message(1, "日本")
)
FOLLOWS = "is not what follows from the versions of the chain"


def without(*numbers: int) -> list[bytes]:
    """The file without these lines, with a header that counts them no more."""
    kept = [line for number, line in enumerate(WHOLE, start=1) if number not in numbers]
    memories = sum(b'"type":"memory"' in line for line in kept)
    return [changed(kept[0], memories=memories, messages=len(kept) - 1 - memories), *kept[1:]]


def test_a_whole_file_has_no_faults() -> None:
    found = check(WHOLE)
    assert found.faults == []
    assert (found.lines, found.memories, found.messages) == (7, 4, 2)


def test_an_empty_file_is_no_file() -> None:
    assert faults([]) == [(1, "", "the file is empty")]


def test_the_header_comes_first_and_once() -> None:
    assert faults(WHOLE[1:])[0] == (1, "type", "the first line must be a header")
    assert faults([*WHOLE, WHOLE[0]]) == [(8, "type", "only the first line is a header")]


def test_a_file_that_was_cut_short_is_noticed() -> None:
    assert faults(WHOLE[:-1]) == [(1, "messages", "the file has 1 of the 2 that its header counts")]
    assert faults([WHOLE[0]])[0] == (1, "memories", "the file has 0 of the 4 that its header counts")


def test_no_document_comes_twice() -> None:
    assert (8, "id", "stands in an earlier line, too") in faults([*WHOLE, WHOLE[5]])
    assert (8, "id", "stands in an earlier line, too") in faults([*WHOLE, WHOLE[6]])


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_chain_without_one_of_its_versions_is_torn(number: int) -> None:
    """But for the last, which nothing in the others tells of: there the one before it ends in nothing."""
    assert FOLLOWS in {message for _, _, message in faults(without(number))}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", 3),
        ("operation", "ADD"),
        ("replaces_id", None),
        ("valid_from", "2020-01-01T00:00:00Z"),
        ("valid_until", None),
        ("is_current", True),
    ],
)
def test_a_version_says_what_follows_from_its_chain(field: str, value: object) -> None:
    spoilt = [*WHOLE[:2], changed(WHOLE[2], **{field: value}), *WHOLE[3:]]
    assert faults(spoilt) == [(3, field, FOLLOWS)]


def test_the_versions_of_a_chain_stand_together_and_in_order() -> None:
    header, first, second, third, *rest = WHOLE
    assert (3, "timestamp", "the versions of a chain must stand in order of time") in faults(
        [header, first, third, second, *rest]
    )
    apart = faults([header, first, second, rest[0], third, *rest[1:]])
    assert (5, "chain_id", "the versions of a chain must stand together") in apart


def test_beside_a_line_that_cannot_be_read_its_chain_is_not_blamed() -> None:
    for number in range(1, 4):
        spoilt = [*WHOLE[:number], b"{", *WHOLE[number + 1 :]]
        assert [line for line, _, _ in faults(spoilt)] == [number + 1]


def test_faults_far_from_each_other_are_all_told() -> None:
    spoilt = [WHOLE[0], b"{", *WHOLE[2:4], changed(WHOLE[4], version=5), WHOLE[5], b"[]"]
    assert [line for line, _, _ in faults(spoilt)] == [2, 5, 7]


def test_of_many_faults_the_first_are_told_and_all_are_counted() -> None:
    found = check([WHOLE[0], *[b"{"] * 200])
    assert (len(found.faults), found.fault_count, found.lines) == (MAX_FAULTS, 200, 201)
    assert [fault.line for fault in found.faults] == list(range(2, 2 + MAX_FAULTS))


@given(st.integers(0, 2**32))
def test_whatever_is_damaged_is_noticed(seed: int) -> None:
    """One byte of a line's text, a line that is missing, or one that stands elsewhere."""
    chance = random.Random(seed)
    spoilt = list(WHOLE)
    number = chance.randrange(1, 5)
    match chance.randrange(3):
        case 0:
            del spoilt[number]
        case 1:
            spoilt.insert(number, spoilt[chance.randrange(len(spoilt))])
        case _:
            spoilt[number] = spoilt[number][: chance.randrange(1, len(spoilt[number]))]
    assert check(spoilt).fault_count
