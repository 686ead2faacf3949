"""Writers and readers at the same time: no change is lost, no search is behind a write that returned."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.errors import IndexUnavailable
from cognis_memory.models.document import IndexDocument

from .builders import (
    OWNER,
    OpenIndex,
    SearchIndex,
    apply,
    document,
    documents,
    found,
    ids,
    matching,
    near,
    vectors,
)

WRITERS = 4
COMMITS = 8


def test_writers_lose_nothing(open_index: OpenIndex) -> None:
    apply(open_index(), *documents(*range(900, 900 + WRITERS)))

    def write(writer: int) -> None:
        index = open_index()
        for commit in range(COMMITS):
            apply(index, document(writer * 100 + commit), deleted=[document(900 + writer).id])

    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(write, range(WRITERS)))

    written = [writer * 100 + commit for writer in range(WRITERS) for commit in range(COMMITS)]
    assert found(open_index()) == ids(*written)


def test_the_newest_revision_wins_whoever_is_last(open_index: OpenIndex) -> None:
    def write(revision: int) -> None:
        apply(open_index(), document(1, f"place revision{revision}", revision=revision), document(revision))

    revisions = range(2, 10)
    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(write, revisions))

    assert matching(open_index(), "revision9") == [document(1).id]
    assert found(open_index()) == ids(1, *revisions)


def test_searches_see_every_write_that_returned(open_index: OpenIndex) -> None:
    writer, reader = open_index(), open_index()
    apply(writer, document(0))
    written = [0]
    ended = threading.Event()

    def search(by_words: bool) -> int:
        searches = 0
        while not ended.is_set():
            expected = ids(*written)
            seen = matching(reader, "place") if by_words else near(reader, vectors(1)[0])
            assert expected <= set(seen)
            searches += 1
        return searches

    with ThreadPoolExecutor(4) as threads:
        running = [threads.submit(search, by_words) for by_words in (True, False, True, False)]
        try:
            for number in range(1, 25):
                apply(writer, document(number))
                written.append(number)
        finally:
            ended.set()
        assert all(search.result() for search in running)


def test_a_rebuild_never_takes_back_what_was_written_meanwhile(index: SearchIndex) -> None:
    apply(index, *documents(1, 2))

    def ledger() -> list[IndexDocument]:
        return documents(1, 2, 3, 4, 5)

    def overtaken() -> list[IndexDocument]:
        read = ledger()
        apply(index, document(6), deleted=[document(1).id])
        return read

    with pytest.raises(IndexUnavailable):
        index.replace(OWNER, (one for read in (overtaken,) for one in read()))
    assert found(index) == ids(2, 6)

    index.replace(OWNER, iter(ledger()))
    assert found(index) == ids(1, 2, 3, 4, 5)


def test_readers_see_the_old_index_or_the_new_one(open_index: OpenIndex) -> None:
    index, reader = open_index(), open_index()
    old, new = ids(*range(10)), ids(*range(10, 20))
    index.replace(OWNER, iter(documents(*range(10))))
    ended = threading.Event()

    def search() -> None:
        while not ended.is_set():
            hits = reader.match(OWNER, "place", filter=EVERYTHING, limit=100)
            assert {hit.id for hit in hits} in (old, new)

    with ThreadPoolExecutor(2) as threads:
        running = [threads.submit(search) for _ in range(2)]
        try:
            for _ in range(5):
                index.replace(OWNER, iter(documents(*range(10, 20))))
                index.replace(OWNER, iter(documents(*range(10))))
        finally:
            ended.set()
        for search_ in running:
            search_.result()
