"""The rules extractor as the server holds it: loaded when first needed, and run by one thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from cognis_local.models.identity import EXTRACTION_CHUNK_MESSAGES
from cognis_memory.models.extraction import Extraction, ExtractionRequest
from cognis_memory.ports import Extractor


def load_rules() -> Extractor:
    """Imports the rules and the grammars of dates; dictionaries load with the first text of each language."""
    from cognis_local.extraction import RulesExtractor  # noqa: PLC0415 - here, so that the server listens first

    for language in ("english", "japanese"):
        for part in ("grammar", "tense"):
            import_module(f"cognis_memory.domain.dates.{language}.{part}")
    return RulesExtractor()


class SerialExtractor:
    """Safe to use from several threads: calls are run one after the other, in the order they come.

    Rules are Python alone: a second thread of them would gain nothing, slow down the models' threads, and
    hold buffers of its own for Japanese (8 MB after a long text).
    """

    chunk_messages = EXTRACTION_CHUNK_MESSAGES

    def __init__(self, load: Callable[[], Extractor] = load_rules) -> None:
        self._load = load
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="extraction")
        self._extractor: Extractor | None = None

    def warm_up(self) -> None:
        """Loads the rules now."""
        self._thread.submit(self._loaded).result()

    def extract(self, request: ExtractionRequest) -> Extraction:
        """As `ports.Extractor.extract`."""
        return self._thread.submit(self._extract, request).result()

    def _extract(self, request: ExtractionRequest) -> Extraction:
        return self._loaded().extract(request)

    def _loaded(self) -> Extractor:
        if self._extractor is None:
            self._extractor = self._load()
        return self._extractor
