from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from cognis_local.extraction import RulesExtractor
from cognis_memory.models.extraction import ExtractedFact, ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category

from .builders import message

Extract = Callable[..., list[ExtractedFact]]


@pytest.fixture(scope="session")
def extractor() -> RulesExtractor:
    return RulesExtractor()


@pytest.fixture
def extract(extractor: RulesExtractor) -> Extract:
    """Extracts the facts of one message; `similar` lists contents that are held under the labels 1, 2, ..."""

    def run(
        content: str, *, similar: Sequence[str] = (), before: Sequence[Message] = (), **turn: str
    ) -> list[ExtractedFact]:
        held = tuple(
            LabelledMemory(label, text, Category.PERSONAL_DETAILS)
            for label, text in enumerate(similar, start=1)
        )
        return list(
            extractor.extract(ExtractionRequest((message(content, **turn),), tuple(before), held)).facts
        )

    return run
