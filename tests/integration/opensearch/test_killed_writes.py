"""kill -9 of the node between the requests of one write, and what a restart forgets."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployment import owner_of
from engines import describe, open_deployment
from opensearch_node import OwnNode
from scripted_node import Node, Reply, Request, scripted
from search_indexes import ANA, NodeIndex, document, documents, found, ids, index_on

from cognis_memory.adapters.opensearch import OpenSearchConnection, OpenSearchIndex
from cognis_memory.errors import IndexUnavailable

pytestmark = [pytest.mark.xdist_group("killed_node"), pytest.mark.timeout(600)]

OLD, NEW = (1, 2, 3), (2, 4, 5)


class Killing:
    """A step that kills the node at its `at`-th request: before the node has it, or once it is `done`."""

    def __init__(self, own: OwnNode, at: int, *, done: bool) -> None:
        self._own = own
        self._left = at
        self._done = done

    def __call__(self, request: Request, node: Node) -> Reply:
        self._left -= 1
        if self._left:
            return node(request)
        if self._done:
            node(request)
        self._own.kill()
        raise ConnectionResetError


def again(made: NodeIndex, own: OwnNode) -> OpenSearchIndex:
    """The index as a process that starts now has it, once the node runs again."""
    own.start()
    return made.through(OpenSearchConnection(own.url))


@pytest.mark.parametrize(
    ("path", "at", "done", "reader"),
    [
        ("/_bulk", 1, True, OLD),
        ("/_doc/", 2, True, NEW),
        ("/_delete_by_query", 1, False, NEW),
    ],
    ids=["bulk", "switch", "removal"],
)
def test_killed_during_a_replacement(
    own: OwnNode, path: str, at: int, done: bool, reader: tuple[int, ...]
) -> None:
    """Readers have the old documents or the new ones, and a repetition leaves the new ones alone."""
    with index_on(own.url) as made, scripted(own.url) as (script, url):
        made.open().replace(ANA, iter(documents(*OLD)))
        index = made.through(OpenSearchConnection(url))
        script.plan(path, *[Killing(own, at, done=done)] * at)
        with pytest.raises(IndexUnavailable):
            index.replace(ANA, iter(documents(*NEW)))

        reopened = again(made, own)
        assert found(reopened) == ids(*reader)
        reopened.replace(ANA, iter(documents(*NEW)))
        assert found(reopened) == ids(*NEW)
        assert reopened.count(ANA) == len(NEW)
        assert reopened.leftovers(ANA) == 0


def test_killed_between_the_bulk_of_an_apply_and_its_answer(own: OwnNode) -> None:
    with index_on(own.url) as made, scripted(own.url) as (script, url):
        made.open().replace(ANA, iter(documents(*OLD)))
        index = made.through(OpenSearchConnection(url))
        script.plan("/_bulk", Killing(own, 1, done=True))
        change = ([document(4), document(1, "Now in Oslo", revision=2)], [document(2).id])
        with pytest.raises(IndexUnavailable):
            index.apply(ANA, *change)

        reopened = again(made, own)
        assert found(reopened) == ids(3, 4)
        reopened.apply(ANA, *change)
        assert found(reopened) == ids(3, 4)
        assert found(reopened, "Oslo") == ids(1)
        assert reopened.count(ANA) == 3


def test_what_was_acknowledged_outlives_a_kill(own: OwnNode) -> None:
    with index_on(own.url) as made:
        made.open().apply(ANA, documents(*OLD), [])
        made.open().apply(ANA, documents(4), [document(1).id])
        own.kill()

        assert found(again(made, own)) == ids(2, 3, 4)


def test_a_write_later_than_a_deletion_and_a_restart_is_answered_nowhere(
    own: OwnNode, tmp_path: Path
) -> None:
    """The node has forgotten the deletion and takes it; the ledger knows, and a rebuild clears it."""
    with index_on(own.url) as made:
        description = describe(tmp_path, node=own.url, index=made.names.base)
        deployment = open_deployment(description)
        deployment.add("ana", ["My home is Tokyo.", "Note: likes rain."])
        owner = owner_of("ana")
        (tokyo,) = [m for m in deployment.list("ana").memories if "Tokyo" in m.memory]
        (late,) = deployment.projector.documents_of(owner, [tokyo.id])
        deployment.delete("ana", tokyo.id)
        own.stop()
        index = again(made, own)
        index.apply(owner, [late], [])
        assert tokyo.id in found(index, "Tokyo", owner)

        reopened = open_deployment(description)
        assert tokyo.id not in [result.id for result in reopened.search("ana", "home Tokyo").results]
        reopened.projector.rebuild(owner)
        assert tokyo.id not in found(index, "Tokyo", owner)
        deployment.close()
        reopened.close()
