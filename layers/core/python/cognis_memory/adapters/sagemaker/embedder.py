"""The `Embedder` port on a SageMaker endpoint with TEI and a Matryoshka model of at least 768 components."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from cognis_memory.adapters.model_server import Transport
from cognis_memory.adapters.tei import TeiEmbedder
from cognis_memory.errors import EmbeddingFailed
from cognis_memory.models.values import FloatMatrix


@dataclass(frozen=True, slots=True)
class Prompts:
    """What a model wants to read before a question and before a text that answers one."""

    query: str = ""
    document: str = ""


PROMPTS: Final[Mapping[str, Prompts]] = MappingProxyType(
    {
        "nomic-ai/nomic-embed-text-v1.5": Prompts(query="search_query: ", document="search_document: "),
        "google/embeddinggemma-300m": Prompts(
            query="task: search result | query: ", document="title: none | text: "
        ),
    }
)
"""Of models known to need them, as their model cards say; others get none."""


class SageMakerEmbedder(TeiEmbedder):
    """Embeds memories and messages, or with `role="query"` what is asked: two objects of one model.

    The endpoint cuts texts beyond its model's length. `model_id` names the model and both prompts, so that an
    index never holds vectors made with others.
    """

    def __init__(
        self,
        transport: Transport,
        model: str,
        *,
        prompts: Prompts | None = None,
        role: Literal["document", "query"] = "document",
        batch_size: int = 32,
    ) -> None:
        """`prompts` None: those of PROMPTS. `batch_size` is the endpoint's MAX_CLIENT_BATCH_SIZE."""
        chosen = PROMPTS.get(model, Prompts()) if prompts is None else prompts
        super().__init__(transport, model_id=f"sagemaker/{model}/{_named(chosen)}", batch_size=batch_size)
        self._prompt = chosen.query if role == "query" else chosen.document

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """As `ports.Embedder.embed`. An empty text is refused: EmbeddingFailed."""
        if not all(texts):
            raise EmbeddingFailed("an empty text has no embedding")
        return super().embed([self._prompt + text for text in texts])


def _named(prompts: Prompts) -> str:
    """A name that is another for other prompts."""
    if prompts == Prompts():
        return "no-prompts"
    return hashlib.sha256(f"{prompts.query}\n{prompts.document}".encode()).hexdigest()[:8]
