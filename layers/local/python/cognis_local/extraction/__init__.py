"""The rules extractor for one machine; what it can and cannot do is in docs/extraction.md."""

from __future__ import annotations

from cognis_local.extraction.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
