"""What becomes of writes when the node takes some of them, or answers late, half or not at all."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import pytest
from scripted_node import (
    MALFORMED,
    OVERTAKEN,
    REJECTED,
    Node,
    Reply,
    Request,
    ScriptedNode,
    Step,
    answering,
    cut,
    late,
    refusing,
    saying,
)
from search_indexes import ANA, NodeIndex, document, documents, found, ids, index_on

from cognis_memory.adapters.opensearch import IndexSettings, OpenSearchConnection, OpenSearchIndex
from cognis_memory.adapters.opensearch.bulk import ATTEMPTS, MAX_ITEMS
from cognis_memory.errors import IndexRefused, IndexUnavailable

Script: TypeAlias = tuple[ScriptedNode, str]

BULK = "/_bulk"
SLOW_SECONDS = 4.0
REQUESTS = 4
"""How often one request is sent while the node answers that it cannot now."""

LOST = pytest.mark.parametrize(
    "step", [cut(0), cut(60), late(SLOW_SECONDS + 0.5)], ids=["cut", "cut_within", "late"]
)


@pytest.fixture
def index(node_index: NodeIndex, script: Script) -> OpenSearchIndex:
    """The index behind the scripted node."""
    connection = OpenSearchConnection(script[1], read_seconds=SLOW_SECONDS)
    return node_index.through(connection)


@pytest.mark.parametrize("status", [429, 503])
def test_rejected_items_are_sent_again_alone_until_they_are_taken(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script, status: int
) -> None:
    steps = (refusing(status, REJECTED, 1, 3, 6), refusing(status, REJECTED, 1))
    script[0].plan(BULK, *steps)
    index.apply(ANA, documents(1, 2, 3, 4, 5), [document(6).id])

    assert found(node_index.open()) == ids(1, 2, 3, 4, 5)
    assert [request.body.count(b'"_id"') for request in script[0].planned] == [7, 3, 1]


def test_pauses_between_attempts_grow(index: OpenSearchIndex, script: Script) -> None:
    script[0].plan(BULK, *[refusing(429, REJECTED, 0)] * 3)
    index.apply(ANA, documents(1), [])
    pauses = [later.at - earlier.at for earlier, later in pairwise(script[0].planned)]

    assert len(pauses) == 3
    assert all(pause >= 0.1 * 2**place for place, pause in enumerate(pauses))


def test_what_stays_rejected_is_given_up_and_said_so(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script
) -> None:
    script[0].plan(BULK, refusing(429, REJECTED, 2), *[refusing(429, REJECTED, 0)] * ATTEMPTS)
    with pytest.raises(IndexUnavailable, match="1 of 6 writes"):
        index.apply(ANA, documents(1, 2, 3, 4, 5), [])
    assert len(script[0].planned) == ATTEMPTS
    assert found(node_index.open()) == ids(1, 2, 4, 5)

    index.apply(ANA, documents(1, 2, 3, 4, 5), [])
    assert found(node_index.open()) == ids(1, 2, 3, 4, 5)


def test_what_the_index_cannot_take_is_reported_and_everything_else_written(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script
) -> None:
    """Nothing of the document stands in the error, which is logged."""
    script[0].plan(BULK, refusing(400, MALFORMED, 1, 2))
    with pytest.raises(IndexRefused, match=r"^2 documents: OpenSearch answered 400 mapper_parsing_exception"):
        index.apply(ANA, documents(1, 2, 3, 4, 5), [])

    assert found(node_index.open()) == ids(1, 4, 5)
    assert len(script[0].planned) == 1


def test_malformed_and_rejected_at_once(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script
) -> None:
    def both(request: Request, node: Node) -> Reply:
        return refusing(400, MALFORMED, 0)(request, lambda rest: refusing(429, REJECTED, 0)(rest, node))

    script[0].plan(BULK, both)
    with pytest.raises(IndexRefused, match="1 documents"):
        index.apply(ANA, documents(1, 2, 3), [])

    assert found(node_index.open()) == ids(2, 3)


def test_a_document_of_one_request_refused_keeps_no_other_request_back(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script
) -> None:
    several = documents(*range(MAX_ITEMS + 3))
    script[0].plan(BULK, refusing(400, MALFORMED, 0))
    with pytest.raises(IndexRefused, match="1 documents"):
        index.apply(ANA, several, [])

    assert found(node_index.open()) == ids(*range(1, MAX_ITEMS + 3))


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_request_that_cannot_be_taken_now_is_sent_again(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script, status: int
) -> None:
    script[0].plan(BULK, *[answering(status)] * (REQUESTS - 1))
    index.apply(ANA, documents(1, 2), [])

    assert found(node_index.open()) == ids(1, 2)
    assert len(script[0].planned) == REQUESTS


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_node_that_takes_none_is_asked_so_often_and_no_more(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script, status: int
) -> None:
    script[0].plan(BULK, *[answering(status)] * 20)
    with pytest.raises(IndexUnavailable, match=str(status)):
        index.apply(ANA, documents(1, 2), [])

    assert len(script[0].planned) == REQUESTS
    assert found(node_index.open()) == set()


@pytest.mark.parametrize(
    "step", [cut(0), cut(60), late(SLOW_SECONDS + 0.5)], ids=["cut", "cut_within", "late"]
)
def test_an_answer_that_is_lost_is_no_write_lost_and_none_done_twice(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script, step: Step
) -> None:
    index.apply(ANA, documents(1, 2, 3), [])
    script[0].plan(BULK, step)
    index.apply(ANA, [document(1, "Now in Oslo", revision=2), document(4)], [document(2).id])

    held = node_index.open()
    assert found(held) == ids(3, 4)
    assert found(held, "Oslo") == ids(1)
    assert held.count(ANA) == 3


@pytest.mark.parametrize(
    "step", [cut(0), cut(60), late(SLOW_SECONDS + 0.5)], ids=["cut", "cut_within", "late"]
)
def test_answers_that_are_lost_again_and_again_end_in_an_error_that_may_be_repeated(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script, step: Step
) -> None:
    script[0].plan(BULK, *[step] * 20)
    with pytest.raises(IndexUnavailable, match="no answer"):
        index.apply(ANA, documents(1, 2), [])
    assert len(script[0].planned) == 2

    script[0].plan(BULK)
    index.apply(ANA, documents(1, 2), [])
    assert found(node_index.open()) == ids(1, 2)
    assert node_index.open().count(ANA) == 2


@pytest.mark.parametrize(
    "step",
    [saying(b"<html>Sign in</html>", "text/html"), saying(b"{", "application/json"), saying(b"", "")],
    ids=["page", "broken", "empty"],
)
def test_an_answer_that_is_not_of_opensearch_counts_as_none(
    index: OpenSearchIndex, script: Script, step: Step
) -> None:
    script[0].plan(BULK, step)
    with pytest.raises(IndexUnavailable):
        index.apply(ANA, documents(1, 2), [])


@pytest.mark.parametrize("path", ["/_refresh", "/_bulk", "/_search"])
def test_a_replacement_that_fails_on_the_way_leaves_the_index_as_it_was(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script, path: str
) -> None:
    index.replace(ANA, iter(documents(1, 2, 3)))
    script[0].plan(path, *[answering(400)] * 2)
    with pytest.raises(IndexRefused):
        index.replace(ANA, iter(documents(4, 5)))
    assert found(node_index.open()) == ids(1, 2, 3)

    script[0].plan(path)
    index.replace(ANA, iter(documents(4, 5)))
    assert found(node_index.open()) == ids(4, 5)


def test_many_writers_at_once_cost_no_document(
    node_index: NodeIndex, index: OpenSearchIndex, script: Script
) -> None:
    """The owner's record is what all writers change: the one that keeps losing tries the whole once more."""
    index.apply(ANA, documents(1, 2, 3), [])
    script[0].plan(BULK, refusing(409, OVERTAKEN, 1))
    index.apply(ANA, documents(4), [])

    assert found(node_index.open()) == ids(1, 2, 3, 4)


def test_what_is_written_is_found_though_the_last_of_it_was_older_than_what_is_there(
    opensearch_node: str,
) -> None:
    """It takes two requests, of which the second has nothing to be waited for."""
    long = "place " + "x" * 99_000
    with index_on(opensearch_node, IndexSettings(shards=1, refresh_seconds=3)) as made:
        index = made.open()
        index.replace(ANA, (document(number, revision=2) for number in range(50)))
        fresh = [document(number, long) for number in range(100, 125)]
        stale = [document(number, long) for number in range(50)]
        index.apply(ANA, [*fresh, *stale], [])

        assert ids(*range(100, 125)) <= found(index)
