"""The models of a deployment, whoever makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cognis_memory.domain.calibration import Calibrations
    from cognis_memory.ports import Embedder, Extractor, Reranker


class ModelSet(Protocol):
    """Clients of the models; `calibrations` belong to this pair of embedder and reranker.

    Without a reranker results keep their boosted order. `query_embedder` embeds what is asked: another object
    where the model reads questions under another prompt, and always of the same `model_id`.
    """

    @property
    def embedder(self) -> Embedder: ...

    @property
    def query_embedder(self) -> Embedder: ...

    @property
    def reranker(self) -> Reranker | None: ...

    @property
    def extractor(self) -> Extractor: ...

    @property
    def calibrations(self) -> Calibrations: ...


@dataclass(frozen=True, slots=True)
class Models:
    """A `ModelSet` of clients that are made already; questions are embedded as everything else."""

    embedder: Embedder
    reranker: Reranker | None
    extractor: Extractor
    calibrations: Calibrations

    @property
    def query_embedder(self) -> Embedder:
        return self.embedder
