"""What is busy is asked again, with longer and longer pauses, and not for ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from cognis_memory.errors import CognisError, EmbeddingFailed, EmbeddingUnavailable, RerankUnavailable
from cognis_memory.models.values import FloatMatrix
from patient_models import ATTEMPTS, FIRST_SECONDS, MOST_SECONDS, PatientEmbedder, PatientReranker


@dataclass
class Busy:
    """Embeds and reranks once its errors are used up."""

    errors: list[CognisError]
    model_id: str = "busy"
    calls: int = 0
    embedded: list[list[str]] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self.embedded.append(list(texts))
        self._fail()
        return np.ones((len(texts), 768), np.float32)

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self._fail()
        return [0.5 for _ in texts]

    def _fail(self) -> None:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)


@dataclass
class Pauses:
    seconds: list[float] = field(default_factory=list)

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def test_an_answer_after_some_throttled_attempts(capsys: pytest.CaptureFixture[str]) -> None:
    pauses, model = Pauses(), Busy([EmbeddingUnavailable("throttled")] * 3)
    embedder = PatientEmbedder(model, pauses)

    assert embedder.embed(["Osaka", "京都"]).shape == (2, 768)
    assert (embedder.model_id, len(pauses.seconds)) == ("busy", 3)
    assert model.embedded == [["Osaka"]] * 4 + [["京都"]]
    assert capsys.readouterr().err.count("EmbeddingUnavailable: throttled; again in ") == 3
    assert embedder.embed([]).shape == (0, 768)


def test_a_reranker_that_stays_down_ends_it() -> None:
    pauses, model = Pauses(), Busy([RerankUnavailable("down")] * (ATTEMPTS + 1))

    with pytest.raises(RerankUnavailable):
        PatientReranker(model, pauses).rerank("Where?", ["Osaka"])
    assert model.calls == ATTEMPTS
    bounds = [min(MOST_SECONDS, FIRST_SECONDS * 2**attempt) for attempt in range(ATTEMPTS - 1)]
    assert all(0 <= paused <= bound for paused, bound in zip(pauses.seconds, bounds, strict=True))
    assert len(set(pauses.seconds)) > 1


def test_what_a_repetition_cannot_help_is_not_repeated() -> None:
    pauses, model = Pauses(), Busy([EmbeddingFailed("refused")])

    with pytest.raises(EmbeddingFailed):
        PatientEmbedder(model, pauses).embed(["Osaka"])
    assert (model.calls, pauses.seconds) == (1, [])
