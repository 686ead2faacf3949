import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from cognis_local.models.serial_extractor import SerialExtractor
from cognis_memory.errors import ExtractionFailed
from cognis_memory.models.extraction import Extraction, ExtractionRequest


class Watched:
    """Notes the threads that it runs in and whether two calls ever overlap."""

    chunk_messages = 1

    def __init__(self) -> None:
        self.threads: set[int] = set()
        self.overlapped = False
        self._busy = threading.Lock()

    def extract(self, request: ExtractionRequest) -> Extraction:
        if not self._busy.acquire(blocking=False):
            self.overlapped = True
            return Extraction(())
        self.threads.add(threading.get_ident())
        time.sleep(0.001)
        self._busy.release()
        if request.instructions == "fail":
            raise ExtractionFailed("as asked")
        return Extraction(())


def test_runs_all_calls_one_after_the_other_in_one_thread() -> None:
    watched = Watched()
    extractor = SerialExtractor(lambda: watched)
    with ThreadPoolExecutor(max_workers=8) as pool:
        answers = list(pool.map(lambda _: extractor.extract(ExtractionRequest(())), range(50)))
    assert answers == [Extraction(())] * 50
    assert not watched.overlapped
    assert len(watched.threads) == 1


def test_loads_when_it_is_needed_and_once() -> None:
    loaded: list[Watched] = []

    def load() -> Watched:
        loaded.append(Watched())
        return loaded[-1]

    extractor = SerialExtractor(load)
    assert loaded == []
    extractor.warm_up()
    extractor.extract(ExtractionRequest(()))
    assert len(loaded) == 1


def test_a_failure_is_its_own_callers() -> None:
    extractor = SerialExtractor(Watched)
    with pytest.raises(ExtractionFailed, match="as asked"):
        extractor.extract(ExtractionRequest((), instructions="fail"))
    assert extractor.extract(ExtractionRequest(())) == Extraction(())
