"""The local models behind the ports Embedder and Reranker: clients of a process that starts on demand."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import platformdirs

from cognis_local.models.identity import MAX_CLIENT_BATCH_SIZE, embedder_model_id, reranker_model_id
from cognis_local.models.process import ensure_model_process
from cognis_memory.adapters.tei import HttpTransport, TeiEmbedder, TeiReranker


def default_models_folder() -> Path:
    """Where the process that serves all folders of this user keeps its state and log."""
    return platformdirs.user_cache_path("cognis") / "models"


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


def _transport(folder: Path | None) -> HttpTransport:
    return HttpTransport(partial(ensure_model_process, folder or default_models_folder()))
