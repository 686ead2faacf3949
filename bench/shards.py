"""User shards in a folder, measured: `python bench/shards.py [--sizes 100 1000]`.

For users of each size, one process each: file size, build, commit of five memories, and search in its stages
(nearest by 256 components, rescoring by 768, BM25), under the filter that every search has and with 200
candidates each. A warm search is the three one after another, its words and its filter as new as those of
another question; a cold one opens the files first, with the system's page cache warm. Times are the median
and the 95th percentile; on a machine that does other work at the same time, the processor's own time says
more. Recall is that of the ten best after both vector stages against an exact search of the float32 vectors.
The ratio sets a warm search against the bare product of the float32 prefixes and the query.

Texts are made of words drawn by Zipf's law, half of them English-like and half Japanese; vectors lie in
clusters.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.domain.filters import Filter, visible
from cognis_memory.domain.matryoshka import candidate_vectors, normalise
from cognis_memory.domain.text.stopwords import ENGLISH_STOP_WORDS
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import FloatMatrix, FloatVector, Kind, Owner

SIZES = (100, 1_000, 5_000, 20_000, 50_000)
OWNER = Owner("bench", "user")
NOW = datetime(2026, 7, 1, tzinfo=UTC)
CANDIDATES = 200
QUERIES = 200
"""To become warm with, for the stages, and for whole searches: each time others."""
KANJI = tuple(map(chr, range(0x4E00, 0x4E00 + 1_500)))
PARTICLES = ("が", "を", "に", "は", "の", "で", "と", "も")
ENDINGS = (
    "です。",
    "ます。",
    "ました。",
    "が好きです。",
    "に行きました。",
    "と思っています。",
    "したいです。",
)


class Texts:
    """An endless source of texts; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        words = np.random.default_rng(1)
        letters = np.array(list("etaoinshrdlucmfwypvbgk"))
        self._english = ["".join(words.choice(letters, words.integers(3, 10))) for _ in range(20_000)]
        self._japanese = ["".join(words.choice(KANJI, words.integers(1, 4))) for _ in range(8_000)]
        self._stop_words = sorted(ENGLISH_STOP_WORDS)

    def reseeded(self, seed: int) -> Texts:
        """Another source that shares this one's words."""
        other = copy.copy(self)
        other._random = np.random.default_rng(seed)
        return other

    def next(self, words: int = 14) -> str:
        return self._next_english(words) if self._random.random() < 0.5 else self._next_japanese(words // 2)

    def _next_english(self, words: int) -> str:
        drawn = self._draw(self._english, words)
        common = self._random.choice(self._stop_words, words)
        keep_common = self._random.random(words) < 0.45
        return " ".join(np.where(keep_common, common, drawn)) + "."

    def _next_japanese(self, words: int) -> str:
        drawn = self._draw(self._japanese, words)
        pairs = zip(drawn, self._random.choice(PARTICLES, words), strict=True)
        return "".join(itertools.chain.from_iterable(pairs)) + str(self._random.choice(ENDINGS))

    def _draw(self, words: Sequence[str], number: int) -> list[str]:
        # Zipf's law as Mandelbrot wrote it, with the flat beginning that stop words leave: 1 / (rank + 10).
        ranks = np.floor(10 * (len(words) / 10 + 1) ** self._random.random(number)) - 10
        return [words[int(rank)] for rank in ranks]


def clustered_vectors(number: int, seed: int) -> FloatMatrix:
    """Unit vectors, shape (number, 768), about 40 to a cluster, neighbours at a cosine of some .6."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((max(number // 40, 1), 768), np.float32)
    members = centres[random.integers(len(centres), size=number)]
    return normalise(members + 0.8 * random.standard_normal((number, 768), np.float32))


def make_documents(vectors: FloatMatrix) -> Iterator[IndexDocument]:
    """Half memories, one in ten of them replaced, half messages with the two texts before as context."""
    texts, previous = Texts(seed=2), ["", ""]
    for number, vector in enumerate(vectors):
        text = texts.next()
        is_message = number % 2 == 1
        time_ = NOW - timedelta(minutes=len(vectors) - number)
        yield IndexDocument(
            id=f"{'msg' if is_message else 'mem'}_01JZ{number:022d}_00001",
            kind=Kind.MESSAGE if is_message else Kind.MEMORY,
            text=text,
            context="\n".join(previous) if is_message else "",
            vector=vector,
            revision=1,
            timestamp=time_,
            created_at=time_,
            valid_from=time_,
            speaker="user",
            is_current=is_message or number % 20 != 0,
            metadata={"channel": "mobile" if number % 3 else "web"},
        )
        previous = [previous[1], text]


@dataclass(frozen=True)
class Search:
    """One query with its vectors and words."""

    whole: FloatVector
    prefix: FloatVector
    words: str
    filter: Filter

    def nearest(self, shards: UserShards) -> list[str]:
        hits = shards.nearest(OWNER, self.prefix, filter=self.filter, limit=CANDIDATES)
        return [hit.id for hit in hits]

    def match(self, shards: UserShards) -> None:
        shards.match(OWNER, self.words, filter=self.filter, limit=CANDIDATES)

    def run(self, shards: UserShards) -> list[str]:
        """All stages one after another; the ids of both vector stages, best first."""
        self.match(shards)
        return [hit.id for hit in shards.rescore(OWNER, self.whole, self.nearest(shards))]


def make_searches(vectors: FloatMatrix, number: int) -> list[Search]:
    """Each with its own words and, as it has its own time, its own filter."""
    texts, random = Texts(seed=3), np.random.default_rng(4)
    near = vectors[random.integers(len(vectors), size=number)]
    noise = random.standard_normal(near.shape, np.float32) / np.sqrt(768)
    queries = normalise(near + 0.8 * noise.astype(np.float32))
    prefixes = candidate_vectors(queries)
    times = (NOW + timedelta(seconds=second) for second in range(number))
    return [
        Search(query, prefix, texts.next(words=7), visible(now=time_))
        for query, prefix, time_ in zip(queries, prefixes, times, strict=True)
    ]


def milliseconds(action: Callable[..., object], *arguments: object) -> float:
    start = time.perf_counter()
    action(*arguments)
    return (time.perf_counter() - start) * 1e3


def cpu_milliseconds(action: Callable[..., object], *arguments: object) -> float:
    """What the processor spent, all threads of this process together."""
    start = time.process_time()
    action(*arguments)
    return (time.process_time() - start) * 1e3


def quantiles(times: Sequence[float]) -> str:
    return f"{np.median(times):.2f} / {np.quantile(times, 0.95):.2f}"


def recall_at_10(found: Sequence[Sequence[str]], exact: Sequence[Sequence[str]]) -> float:
    pairs = zip(found, exact, strict=True)
    return float(np.mean([len(set(a[:10]) & set(b[:10])) / len(b[:10]) for a, b in pairs]))


def exact_ids(
    documents: Sequence[IndexDocument], vectors: FloatMatrix, queries: FloatMatrix
) -> list[list[str]]:
    """The ten nearest of the documents that a search may see, for each query."""
    shown = np.array([document.kind is Kind.MESSAGE or document.is_current for document in documents])
    scores = np.where(shown, queries @ vectors.T, -np.inf)
    return [[documents[slot].id for slot in np.argsort(-row)[:10]] for row in scores]


def as_int8(vectors: FloatMatrix) -> FloatMatrix:
    """What eight-bit integers, scaled by each vector's largest component, would keep of them."""
    scales = np.abs(vectors).max(axis=1, keepdims=True) / 127
    return normalise(np.round(vectors / scales) * scales)


def measure(size: int) -> dict[str, str]:
    vectors = clustered_vectors(size, seed=5)
    documents = list(make_documents(vectors))
    searches = make_searches(vectors, 3 * QUERIES)
    first, by_stage, whole = (searches[start : start + QUERIES] for start in range(0, 3 * QUERIES, QUERIES))
    queries = np.stack([search.whole for search in whole])
    exact = exact_ids(documents, vectors, queries)
    with tempfile.TemporaryDirectory() as folder:
        store = FolderShardStore(Path(folder))
        shards = UserShards(store, "bench")
        build = milliseconds(shards.replace, OWNER, iter(documents))
        bytes_ = sum(file.stat().st_size for file in Path(folder).rglob("*"))
        cold = [milliseconds(search.run, UserShards(store, "bench")) for search in first[:10]]
        cold_cpu = [cpu_milliseconds(search.run, UserShards(store, "bench")) for search in first[10:20]]
        for search in first:
            search.run(shards)
        stages = stage_times(shards, by_stage)
        warm = [milliseconds(search.run, shards) for search in whole[::2]]
        warm_cpu = [cpu_milliseconds(search.run, shards) for search in whole[1::2]]
        found = [search.run(shards) for search in whole]
        commits = commit_times(shards, documents)
    product = product_times(vectors, whole)
    return {
        "memories": f"{size:,}",
        "file MB": f"{bytes_ / 1e6:.2f}",
        "build ms": f"{build:.0f}",
        "commit of 5 ms": quantiles(commits),
        "cold search ms": quantiles(cold),
        "cold search, CPU ms": quantiles(cold_cpu),
        **{f"{name} ms": quantiles(times) for name, times in stages.items()},
        "warm search ms": quantiles(warm),
        "warm search, CPU ms": quantiles(warm_cpu),
        "ratio to product": f"{np.median(warm) / np.median(product):.1f}",
        "recall@10": f"{recall_at_10(found, exact):.4f}",
        "recall@10 with int8": f"{recall_at_10(exact_ids(documents, as_int8(vectors), queries), exact):.4f}",
        "peak MB": f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
    }


def stage_times(shards: UserShards, searches: Sequence[Search]) -> dict[str, list[float]]:
    candidates = [search.nearest(shards) for search in searches]
    return {
        "256D": [milliseconds(search.nearest, shards) for search in searches],
        "768D": [
            milliseconds(shards.rescore, OWNER, search.whole, ids)
            for search, ids in zip(searches, candidates, strict=True)
        ],
        "BM25": [milliseconds(search.match, shards) for search in searches],
    }


def commit_times(shards: UserShards, documents: Sequence[IndexDocument]) -> list[float]:
    """Of three new documents and two that change."""
    times = []
    for number in range(20):
        new = [replace(document, id=f"mem_new_{number}_{document.id}") for document in documents[:3]]
        changed = [replace(document, revision=number + 2, is_current=False) for document in documents[3:5]]
        times.append(milliseconds(shards.apply, OWNER, [*new, *changed], []))
    return times


def product_times(vectors: FloatMatrix, searches: Sequence[Search]) -> list[float]:
    prefixes = candidate_vectors(vectors)
    return [milliseconds(np.vecdot, prefixes, search.prefix) for search in searches]


def print_table(rows: Sequence[dict[str, str]]) -> None:
    """Measures as rows and sizes as columns, in Markdown."""
    for line, name in enumerate(rows[0]):
        print("|", name, "|", " | ".join(row[name] for row in rows), "|")
        if line == 0:
            print("|---" * (len(rows) + 1) + "|")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Measures user shards in a folder.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="memories a user")
    sizes = parser.parse_args(arguments).sizes
    # A process for each size, so that each shows its own peak of memory.
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        print_table(pool.map(measure, sizes, chunksize=1))


if __name__ == "__main__":
    main(sys.argv[1:])
