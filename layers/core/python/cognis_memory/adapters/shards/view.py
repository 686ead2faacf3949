"""What a reader sees of one owner: the head, or the head laid over a base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from cognis_memory.adapters.shards.conditions import Condition, compile_filter
from cognis_memory.adapters.shards.keywords import (
    MAX_POSTINGS,
    FloatArray,
    KeywordQuery,
    Postings,
    affordable,
    bm25,
)
from cognis_memory.adapters.shards.segment import Segment
from cognis_memory.adapters.shards.vectors import inner_products
from cognis_memory.domain.filters import Filter
from cognis_memory.models.document import Hit, VectorHit
from cognis_memory.models.values import FloatVector


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
    def shown(self) -> NDArray[np.bool_]:
        """Whether there is a document to be found, by slot: shape (slots,)."""
        shown = np.zeros(len(self.segment.catalogue.lengths), np.bool_)
        shown[list(self.segment.catalogue.ids)] = True
        shown[list(self._hidden.values())] = False
        return shown

    def held(self, ids: Set[str]) -> Set[str]:
        """Those of the ids whose documents are here."""
        return (ids & self.segment.catalogue.slots.keys()) - self._hidden.keys()

    def nearest(self, vector: FloatVector, condition: Condition, limit: int) -> list[Hit]:
        scores = np.where(self.shown, self.segment.vectors.candidate_scores(vector), -np.inf)
        return self.segment.best(scores, condition, limit)

    def rescore(self, vector: FloatVector, ids: Sequence[str]) -> list[VectorHit]:
        """Those of the ids that are here, best first."""
        slots = self.segment.catalogue.slots
        found = [id_ for id_ in dict.fromkeys(ids) if id_ in slots and id_ not in self._hidden]
        units = self.segment.vectors.units(np.array([slots[id_] for id_ in found], np.int64))
        scores = inner_products(units, vector)
        order = np.argsort(-scores, kind="stable").tolist()
        ranked = (map(column.__getitem__, order) for column in (found, scores.tolist(), units))
        return list(map(VectorHit, *ranked))

    def postings(self, terms: Sequence[str], context_weight: float) -> Postings:
        return self.segment.postings(terms, context_weight).among(self.shown)

    def lengths(self) -> FloatArray:
        """The number of terms by slot, 0 where nothing is shown: shape (slots,)."""
        lengths: FloatArray = self.segment.catalogue.lengths * self.shown
        return lengths


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

    def holds(self, ids: Sequence[str]) -> bool:
        """Whether there is a document of each of the ids."""
        return set(ids) == set().union(*(layer.held(set(ids)) for layer in self._layers))

    def nearest(self, vector: FloatVector, filter: Filter, limit: int) -> list[Hit]:
        condition = compile_filter(filter)
        return _best([layer.nearest(vector, condition, limit) for layer in self._layers], limit)

    def rescore(self, vector: FloatVector, ids: Sequence[str]) -> list[VectorHit]:
        found = [hit for layer in self._layers for hit in layer.rescore(vector, ids)]
        return sorted(found, key=lambda hit: -hit.score)

    def match(self, query: KeywordQuery, filter: Filter, limit: int) -> list[Hit]:
        """By BM25, with the statistics of all layers together."""
        condition = compile_filter(filter)
        scores = zip(self._layers, self._keyword_scores(query), strict=True)
        return _best([layer.segment.best(found, condition, limit) for layer, found in scores], limit)

    def _keyword_scores(self, query: KeywordQuery) -> list[FloatArray]:
        """For each layer the documents' scores by slot; minus infinity for those that do not match."""
        terms = self._affordable(query.terms)
        lengths = [layer.lengths() for layer in self._layers]
        found = [layer.postings(terms, query.context_weight) for layer in self._layers]
        frequencies = sum((postings.frequencies(len(terms)) for postings in found), np.zeros(len(terms)))
        average = sum(float(of_layer.sum()) for of_layer in lengths) / max(self.count, 1)
        scores = [
            bm25(postings, of_layer, frequencies, documents=self.count, average_length=average)
            for postings, of_layer in zip(found, lengths, strict=True)
        ]
        return [np.where(of_layer > 0, of_layer, -np.inf) for of_layer in scores]

    def _affordable(self, terms: Sequence[str]) -> Sequence[str]:
        if self.count * len(terms) <= MAX_POSTINGS:
            return terms
        segments = [layer.segment for layer in self._layers]
        return affordable(terms, {term: sum(s.frequency(term) for s in segments) for term in terms})


def _best(found: Sequence[list[Hit]], limit: int) -> list[Hit]:
    """The best of several ranked lists."""
    return found[0] if len(found) == 1 else sorted(chain(*found), key=lambda hit: -hit.score)[:limit]
