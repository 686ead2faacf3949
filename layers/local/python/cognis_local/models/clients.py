"""Local models and rules behind the ports Embedder, Reranker and Extractor: clients of a process that starts
on demand."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path

from cognis_local.models.extractor_client import ExtractorClient
from cognis_local.models.identity import MAX_CLIENT_BATCH_SIZE, embedder_model_id, reranker_model_id
from cognis_local.models.process import ensure_model_process
from cognis_memory.adapters.model_server import HttpTransport
from cognis_memory.adapters.tei import TeiEmbedder, TeiReranker

_EXTRACTION_SECONDS = 60.0  # the longest message with ten memories as long takes some 10 s of these


def default_models_folder() -> Path:
    """Where the process that serves all folders of this user keeps its state and log.

    Each installation has its own: two of different versions would else replace each other's process in turn.
    """
    import platformdirs  # noqa: PLC0415 - here, since a process that is given its folder does without

    installation = hashlib.sha256(str(Path(__file__).resolve()).encode()).hexdigest()[:12]
    return platformdirs.user_cache_path("cognis") / "models" / installation


class LocalEmbedder(TeiEmbedder):
    """MiniLM and the multilingual Universal Sentence Encoder, interleaved; see `docs/local-models.md`.

    The process starts with the first call, and again when it has ended for want of use.
    """

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(_transport(folder), model_id=embedder_model_id(), batch_size=MAX_CLIENT_BATCH_SIZE)


class LocalReranker(TeiReranker):
    """MaxSim over tokens or phrases in the same process; see `docs/local-models.md`."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(_transport(folder), model_id=reranker_model_id(), batch_size=MAX_CLIENT_BATCH_SIZE)


class LocalExtractor(ExtractorClient):
    """`RulesExtractor` in the same process, for callers that must stay small; see `docs/extraction.md`."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(_transport(folder, read_seconds=_EXTRACTION_SECONDS))


def _transport(folder: Path | None, *, read_seconds: float = 30.0) -> HttpTransport:
    locate = partial(ensure_model_process, folder or default_models_folder())
    return HttpTransport(locate, read_seconds=read_seconds)
