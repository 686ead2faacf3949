"""The models of a deployment, whoever makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cognis_memory.domain.calibration import Calibrations
    from cognis_memory.ports import Embedder, Extractor, Reranker


@dataclass(frozen=True, slots=True)
class Models:
    """Clients of the models; `calibrations` belong to this pair of embedder and reranker.

    Without a reranker results keep their boosted order.
    """

    embedder: Embedder
    reranker: Reranker | None
    extractor: Extractor
    calibrations: Calibrations
