"""Models on SageMaker endpoints that serve Text Embeddings Inference (TEI)."""

from cognis_memory.adapters.sagemaker.embedder import PROMPTS, Prompts, SageMakerEmbedder
from cognis_memory.adapters.sagemaker.reranker import SageMakerReranker
from cognis_memory.adapters.sagemaker.transport import SageMakerTransport

__all__ = ["PROMPTS", "Prompts", "SageMakerEmbedder", "SageMakerReranker", "SageMakerTransport"]
