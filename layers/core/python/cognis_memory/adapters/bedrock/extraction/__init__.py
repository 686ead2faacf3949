"""Extraction by a language model behind the Converse API of Amazon Bedrock."""

from cognis_memory.adapters.bedrock.extraction.converse import Guardrail, StructuredOutput
from cognis_memory.adapters.bedrock.extraction.extractor import BedrockExtractor

__all__ = ["BedrockExtractor", "Guardrail", "StructuredOutput"]
