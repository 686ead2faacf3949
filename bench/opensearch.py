"""An OpenSearch index of many users, measured on a node of its own.

    python bench/opensearch.py [--documents 10000 100000] [--variants] [--line 2.19] [--json FILE]

A node starts in a temporary folder, and an index is filled for each number of documents: users of 1 to 10,000
memories, whose documents are written in turns. Searched are users of 1, 10, 100, 1,000 and 10,000, as far as
the index is large enough for such. A search is the adapter's, without models: candidates by 256 components
and by words, put in order by all 768. Every question is asked in each of the ways below before the next one
is, and medians are given as a ratio to the plain query's, so that the ratios hold on a machine that does
other work at the same time. Recall is that of the ten best against an exact search of the float32 vectors.

plain match             the best ten of one `match` under the owner's `term`, with their stored fields
search                  `OpenSearchIndex.candidates`
search and fusion       the same, and the reciprocal rank fusion of both lists
search without routing  the same bodies to all shards
search in two requests  ids first, then the vectors of those found
search, ef_search N     N documents kept on the walk through the graph

With `--variants` a second index of the same documents has a graph over all 768 components:

768 components alone    candidates come from that graph
OpenSearch's rescore    256 components, then OpenSearch's own `rescore` by the 768, in one request
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cognis_local.opensearch.node import Node, ensure_node, stop_node
from cognis_local.opensearch.releases import DEFAULT_LINE, RELEASES
from cognis_memory.adapters.opensearch import IndexNames, IndexSettings, OpenSearchConnection
from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from opensearch_bench.corpus import Corpus, Question, User, make_users, probes
from opensearch_bench.footprint import footprint
from opensearch_bench.loading import Load, build
from opensearch_bench.measuring import measure
from opensearch_bench.ways import Ways

CONFIGURATION = ("indices.memory.index_buffer_size: 30%",)
"""Fewer and larger segments while an index is filled."""


def main(arguments: Sequence[str]) -> None:
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as folder:
        node = ensure_node(
            Path(folder, "node"),
            line=options.line,
            heap=options.heap,
            config=CONFIGURATION,
            end_with=os.getpid(),
            say=lambda text: print(text, file=sys.stderr),
        )
        try:
            for documents in options.documents:
                for full_graph in (False, True) if options.variants else (False,):
                    settings = IndexSettings(full_graph=full_graph)
                    rows = list(
                        measured(node, documents, settings, options.questions, merge_to_one=options.merge)
                    )
                    print_tables(documents, rows)
                    if options.json:
                        options.json.writelines(f"{json.dumps(row)}\n" for row in rows)
                        options.json.flush()
        finally:
            stop_node(Path(folder, "node"), wipe=True)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures an OpenSearch index of many users.")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--variants", action="store_true", help="with a graph over 768 components, too")
    parser.add_argument("--questions", type=int, default=200, help="for each size of users")
    parser.add_argument("--merge", action="store_true", help="to one segment a shard before searching")
    parser.add_argument("--line", choices=list(RELEASES), default=DEFAULT_LINE, help="of OpenSearch")
    parser.add_argument("--heap", default="2g", help="of the node")
    parser.add_argument("--json", type=argparse.FileType("a"), help="adds a line for each measure")
    return parser.parse_args(arguments)


def measured(
    node: Node, documents: int, settings: IndexSettings, asked: int, *, merge_to_one: bool
) -> Iterator[dict[str, Any]]:
    """What the index takes first, then every way of searching it."""
    load = Load(node.url, IndexNames("bench"), settings.full_graph)
    users = make_users(documents)
    times = build(load, users, settings, merge_to_one=merge_to_one)
    connection = OpenSearchConnection(node.url, read_seconds=60)
    common = {"documents": documents, "full_graph": settings.full_graph}
    taken = footprint(connection, load.names, node.pid)
    yield {
        **common,
        "users": len(users),
        "per_second": documents / times.writing,
        **asdict(times),
        **asdict(taken),
    }
    ways = Ways(node.url, load.names, full_graph=settings.full_graph)
    for measure_ in measure(questions(users, asked), ways.all()):
        yield {**common, **asdict(measure_)}
    catalog = IndexCatalog(connection, load.names)
    for version in catalog.versions():
        catalog.delete(version.name)
    connection.close()


def questions(users: Sequence[User], number: int) -> dict[int, list[Question]]:
    """About that number for each size, spread over its users."""
    corpus = Corpus()
    return {
        size: [question for user in searched for question in corpus.questions(user, number // len(searched))]
        for size, searched in probes(users).items()
    }


def print_tables(documents: int, rows: Sequence[dict[str, Any]]) -> None:
    """In Markdown: what the index takes, then a line for each way and a column for each size of users."""
    index, *measures = rows
    print(f"\n{documents:,} documents{' with the full graph' if index['full_graph'] else ''}\n")
    for name in list(index)[2:]:
        print(f"| {name} | {index[name]:,.1f} |")
    sizes = list(dict.fromkeys(row["size"] for row in measures))
    heads = ["all" if size is None else f"{size:,}" for size in sizes]
    print("\n| p50 / p95 / p99, ms; ratio; recall |", " | ".join(heads), "|")
    print("|---" * (len(sizes) + 1) + "|")
    for way in dict.fromkeys(row["way"] for row in measures):
        print(f"| {way} |", " | ".join(_cell(row) for row in measures if row["way"] == way), "|")
    sys.stdout.flush()


def _cell(row: dict[str, Any]) -> str:
    recall = "" if row["recall"] is None else f"; {row['recall']:.4f}"
    return f"{row['p50']:.1f} / {row['p95']:.1f} / {row['p99']:.1f}; {row['ratio']:.2f}{recall}"


if __name__ == "__main__":
    main(sys.argv[1:])
