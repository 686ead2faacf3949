"""Embedder and reranker behind the HTTP format of Text Embeddings Inference (TEI): a local model process, a
container, or an endpoint whose `Transport` carries the same JSON."""

from cognis_memory.adapters.tei.embedder import TeiEmbedder
from cognis_memory.adapters.tei.reranker import TeiReranker

__all__ = ["TeiEmbedder", "TeiReranker"]
