"""OpenSearch indexes of many users, measured on a node of their own.

    python bench/opensearch.py [--documents 10000 100000] [--variants] [--line 2.19] [--json FILE]

A node starts in a temporary folder, and an index is filled for each number of documents: users of 1 to 10,000
memories, whose documents are written in turns. Searched are users of 1, 10, 100, 1,000 and 10,000, as far as
the index is large enough for such. A search is the adapter's, without models: candidates by 256 components
and by words, put in order by all 768. All indexes and sizes are asked in turns, each question in every one of
the ways below before the next, and medians are given as a ratio to the plain query's, so that the ratios hold
on a machine that does other work at the same time. Recall is that of the ten best against an exact search of
the float32 vectors.

plain match             the best ten of one `match` under the owner's `term`, with their stored fields
search                  `OpenSearchIndex.candidates`
search and fusion       the same, and the reciprocal rank fusion of both lists
search without routing  the same request to all shards
search in two requests  ids first, then the vectors of those found
search, ef_search N     the same request with another number of documents kept on the walk

With `--variants` there is a second index for each number, with a graph over all 768 components:

768 components alone    candidates come from that graph
OpenSearch's rescore    256 components, then OpenSearch's own `rescore` by the 768, in one request
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cognis_local.opensearch.node import Node, ensure_node, stop_node
from cognis_local.opensearch.releases import DEFAULT_LINE, RELEASES
from cognis_memory.adapters.opensearch import IndexNames, IndexSettings, OpenSearchConnection
from opensearch_bench.corpus import Corpus, User, make_users, probes
from opensearch_bench.footprint import footprint
from opensearch_bench.loading import Load, build
from opensearch_bench.measuring import Group, ask_all, measures
from opensearch_bench.tables import growth_table, index_table, search_table
from opensearch_bench.ways import Ways

CONFIGURATION = ("indices.memory.index_buffer_size: 30%",)
"""Fewer and larger segments while an index is filled."""


def main(arguments: Sequence[str]) -> None:
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "node")
        node = ensure_node(
            place, line=options.line, heap=options.heap, config=CONFIGURATION, end_with=os.getpid(), say=_tell
        )
        try:
            rows = _report(node, options)
        finally:
            stop_node(place, wipe=True)
    if options.json:
        options.json.writelines(f"{json.dumps(row)}\n" for row in rows)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures OpenSearch indexes of many users.")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 100_000], help="of each index")
    parser.add_argument("--variants", action="store_true", help="with a graph over 768 components, too")
    parser.add_argument("--questions", type=int, default=200, help="for each size of users")
    parser.add_argument("--merge", action="store_true", help="to one segment a shard before searching")
    parser.add_argument("--line", choices=list(RELEASES), default=DEFAULT_LINE, help="of OpenSearch")
    parser.add_argument("--heap", default="2g", help="of the node; 4g for a million documents")
    parser.add_argument("--json", type=argparse.FileType("a"), help="adds a line for each measure")
    return parser.parse_args(arguments)


def _report(node: Node, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Prints what was measured, and returns it as one row for each index and each measure."""
    kinds = (False, True) if options.variants else (False,)
    indexes = [
        _filled(node, documents, full_graph, merge_to_one=options.merge)
        for full_graph in kinds
        for documents in options.documents
    ]
    taken = [index.taken for index in indexes]
    print(index_table(taken))
    groups = [list(index.groups(node, options.questions)) for index in indexes]
    ask_all([group for of_index in groups for group in of_index])
    found = [list(measures(of_index)) for of_index in groups]
    for each in found:
        print(f"\n{search_table(each)}")
    print(f"\n{growth_table(found[0], found[len(options.documents) - 1])}")
    return [*taken, *(asdict(measure) for each in found for measure in each)]


@dataclass(frozen=True)
class Index:
    """A filled index; `taken` says how it was built and what it takes."""

    names: IndexNames
    users: Sequence[User]
    full_graph: bool
    taken: dict[str, Any]

    def groups(self, node: Node, number: int) -> Iterator[Group]:
        """About that number of questions for each size, spread over its users."""
        corpus = Corpus()
        ways = Ways(node.url, self.names, full_graph=self.full_graph).all()
        for size, searched in probes(self.users).items():
            asked = [
                question
                for user in searched
                for question in corpus.questions(user, max(1, number // len(searched)))
            ]
            random.Random(0).shuffle(asked)
            yield Group(self.taken["index"], size, asked, ways)


def _filled(node: Node, documents: int, full_graph: bool, *, merge_to_one: bool) -> Index:
    title = f"{documents:,}{' with the full graph' if full_graph else ''}"
    _tell(f"Filling the index of {title} documents.")
    names = IndexNames(f"bench-{documents}{'-full' if full_graph else ''}")
    users = make_users(documents)
    load = Load(node.url, names, full_graph)
    times = build(load, users, IndexSettings(full_graph=full_graph), merge_to_one=merge_to_one)
    connection = OpenSearchConnection(node.url)
    taken = asdict(footprint(connection, names, node.pid))
    connection.close()
    built = {"users": len(users), "per_second": documents / times.writing, **asdict(times)}
    return Index(names, users, full_graph, {"index": title, **built, **taken})


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
