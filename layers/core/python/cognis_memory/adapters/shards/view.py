"""What a reader sees of one owner: the head, or the head laid over a base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeVar

import numpy as np

from cognis_memory.adapters.shards.keywords import (
    MAX_POSTINGS,
    FloatArray,
    KeywordQuery,
    Postings,
    affordable,
    bm25,
)
from cognis_memory.adapters.shards.masks import Mask
from cognis_memory.adapters.shards.rows import StoredRow
from cognis_memory.adapters.shards.segment import Segment
from cognis_memory.adapters.shards.vectors import inner_products
from cognis_memory.domain.filters import Filter
from cognis_memory.models.document import Hit, VectorHit
from cognis_memory.models.values import FloatVector

_Found = TypeVar("_Found", Hit, VectorHit)


class Layer:
    """A segment without the documents of which another layer has newer versions or deletions."""

    def __init__(self, segment: Segment, hidden: Mapping[str, int]) -> None:
        """`hidden` are those documents' slots here, by id."""
        self.segment = segment
        self._hidden = hidden

    @property
    def count(self) -> int:
        return self.segment.count - len(self._hidden)

    @cached_property
    def shown(self) -> Mask:
        """Whether there is a document to be found."""
        shown = np.zeros(len(self.segment.catalogue.lengths), np.bool_)
        shown[list(self.segment.catalogue.slots.values())] = True
        shown[list(self._hidden.values())] = False
        return shown

    @cached_property
    def lengths(self) -> FloatArray:
        """The number of terms by slot, 0 where nothing is shown: shape (slots,)."""
        lengths: FloatArray = self.segment.catalogue.lengths * self.shown
        return lengths

    @cached_property
    def total_length(self) -> float:
        return float(self.lengths.sum())

    def nearest(self, vector: FloatVector, filter: Filter, limit: int) -> list[Hit]:
        scores = self.segment.vectors.candidate_scores(vector)
        return self.segment.best(scores, self._satisfying(filter), limit)

    def rescore(self, vector: FloatVector, ids: Sequence[str]) -> list[VectorHit]:
        """Those of the ids that are here, best first."""
        slots = self.segment.catalogue.slots
        found = [id_ for id_ in ids if id_ in slots and id_ not in self._hidden]
        units = self.segment.vectors.units(np.array([slots[id_] for id_ in found], np.int64))
        scores = inner_products(units, vector)
        order = np.argsort(-scores, kind="stable").tolist()
        ranked = (map(column.__getitem__, order) for column in (found, scores.tolist(), units))
        return list(map(VectorHit, *ranked))

    def revisions(self) -> list[tuple[str, int]]:
        return [(id_, revision) for id_, revision in self.segment.revisions() if id_ not in self._hidden]

    def rows(self, ids: Sequence[str]) -> dict[str, StoredRow]:
        return self.segment.rows([id_ for id_ in ids if id_ not in self._hidden])

    def postings(self, terms: Sequence[str], context_weight: float) -> Postings:
        return self.segment.words.postings(terms, context_weight).among(self.shown)

    def matching(self, scores: FloatArray, filter: Filter, limit: int) -> list[Hit]:
        """The best of the documents whose scores, by slot, are above 0."""
        return self.segment.best(scores, self._satisfying(filter) & (scores > 0), limit)

    def _satisfying(self, filter: Filter) -> Mask:
        return self.segment.masks.satisfying(filter) & self.shown


class ShardView:
    """One state of an owner's index."""

    def __init__(self, etag: str, head: Segment, base: Segment | None) -> None:
        """`etag` is the head's."""
        self.etag = etag
        self.head = head
        self.base = base
        self._layers = [Layer(head, {})]
        if base:
            newer = base.entries(head.mentioned_ids())
            self._layers.append(Layer(base, {id_: entry.slot for id_, entry in newer.items()}))

    @property
    def count(self) -> int:
        return sum(layer.count for layer in self._layers)

    @property
    def memory_bytes(self) -> int:
        return sum(layer.segment.memory_bytes for layer in self._layers)

    def nearest(self, vector: FloatVector, filter: Filter, limit: int) -> list[Hit]:
        return _merged([layer.nearest(vector, filter, limit) for layer in self._layers])[:limit]

    def rescore(self, vector: FloatVector, ids: Sequence[str]) -> list[VectorHit]:
        """Those of the ids, each given once, that are there, best first."""
        return _merged([layer.rescore(vector, ids) for layer in self._layers])

    def revisions(self) -> list[tuple[str, int]]:
        """Ids and revisions of all documents."""
        return [found for layer in self._layers for found in layer.revisions()]

    def rows(self, ids: Sequence[str]) -> dict[str, StoredRow]:
        """Those of the ids that are there, as they are stored."""
        return {id_: row for layer in self._layers for id_, row in layer.rows(ids).items()}

    def match(self, query: KeywordQuery, filter: Filter, limit: int) -> list[Hit]:
        """By BM25, with the statistics of all layers together."""
        scores = zip(self._layers, self._keyword_scores(query), strict=True)
        return _merged([layer.matching(of_layer, filter, limit) for layer, of_layer in scores])[:limit]

    def _keyword_scores(self, query: KeywordQuery) -> list[FloatArray]:
        """For each layer the documents' scores by slot, 0 for those that do not match."""
        terms = self._affordable(query.terms)
        found = [layer.postings(terms, query.context_weight) for layer in self._layers]
        frequencies = sum((postings.frequencies(len(terms)) for postings in found), np.zeros(len(terms)))
        average = sum(layer.total_length for layer in self._layers) / max(self.count, 1)
        return [
            bm25(postings, layer.lengths, frequencies, documents=self.count, average_length=average)
            for layer, postings in zip(self._layers, found, strict=True)
        ]

    def _affordable(self, terms: Sequence[str]) -> Sequence[str]:
        likely_most = self.count * len(terms) / 2  # as hardly any term is in every second document
        if likely_most <= MAX_POSTINGS:
            return terms
        of_layers = (layer.segment.words.frequencies(terms) for layer in self._layers)
        return affordable(terms, dict(zip(terms, map(sum, zip(*of_layers, strict=True)), strict=True)))


def _merged(found: Sequence[list[_Found]]) -> list[_Found]:
    """Several ranked lists as one."""
    return found[0] if len(found) == 1 else sorted(chain(*found), key=lambda hit: -hit.score)
