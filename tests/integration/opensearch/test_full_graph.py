"""A graph over all 768 components, where an index has one, and a process that outlives the index."""

from __future__ import annotations

import numpy as np
import pytest
from indexed_ledger import IndexedLedger
from search_indexes import ANA, MODEL, NodeIndex, document, documents, index_on, vector

from cognis_memory.adapters.opensearch import IndexSettings, OpenSearchIndex
from cognis_memory.adapters.opensearch.migration import IndexMigration
from cognis_memory.domain.filters import EVERYTHING

PLAIN = IndexSettings(shards=1, refresh_seconds=0.02)
GRAPH = IndexSettings(shards=1, refresh_seconds=0.02, full_graph=True)
NUMBERS = range(40)


def nearest(index: OpenSearchIndex, number: int, limit: int = 10) -> list[str]:
    hits = index.candidates(ANA, "", vector(number), filter=EVERYTHING, nearest=limit, matching=10)
    return hits.nearest


def by_exact_cosine(number: int, limit: int = 10) -> list[str]:
    """Of documents whose vectors' first 256 components say something else than all of them."""
    cosines = {document(each).id: float(np.dot(vector(each), vector(number))) for each in NUMBERS}
    return sorted(cosines, key=cosines.__getitem__, reverse=True)[:limit]


def migrate(index: NodeIndex, ledger: IndexedLedger, settings: IndexSettings) -> None:
    migration = IndexMigration(index.connection, index.names, MODEL, ledger.documents)
    migration.run(settings)
    migration.finish()


def test_candidates_come_by_all_components(opensearch_node: str) -> None:
    with index_on(opensearch_node, GRAPH) as made:
        made.open().apply(ANA, documents(*NUMBERS), [])
        for number in (3, 100, 101):
            assert nearest(made.open(), number) == by_exact_cosine(number)

    with index_on(opensearch_node, PLAIN) as made:
        made.open().apply(ANA, documents(*NUMBERS), [])
        assert nearest(made.open(), 100) != by_exact_cosine(100)


@pytest.mark.parametrize(("before", "after"), [(PLAIN, GRAPH), (GRAPH, PLAIN)])
def test_a_process_goes_by_the_index_that_took_the_others_place(
    opensearch_node: str, before: IndexSettings, after: IndexSettings
) -> None:
    with index_on(opensearch_node, before) as made:
        index = made.open()
        ledger = IndexedLedger(index)
        ledger.put(ANA, *documents(*NUMBERS[:-1]))
        assert nearest(index, 3)[0] == document(3).id

        migrate(made, ledger, after)
        ledger.put(ANA, document(NUMBERS[-1]))

        assert nearest(index, NUMBERS[-1])[0] == document(NUMBERS[-1]).id
        if after.full_graph:
            assert nearest(made.open(), 100) == by_exact_cosine(100)
