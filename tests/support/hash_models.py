"""The models of a deployment under test, as its settings name them: `hash_models:provide`."""

from __future__ import annotations

from collections.abc import Mapping

from fakes import HASH_CALIBRATIONS, HashEmbedder, SentenceExtractor

from cognis_memory.runtime.models import Models


def provide(environ: Mapping[str, str]) -> Models:
    return Models(
        embedder=HashEmbedder(), reranker=None, extractor=SentenceExtractor(), calibrations=HASH_CALIBRATIONS
    )
