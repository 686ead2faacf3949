"""Models and clocks for tests: deterministic, quick, and honest about what they understand."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise

import numpy as np

from cognis_memory.domain.calibration import Calibration, Calibrations
from cognis_memory.domain.language import detect_language
from cognis_memory.domain.matryoshka import normalise
from cognis_memory.domain.text import index_terms
from cognis_memory.errors import CognisError
from cognis_memory.models.event import Usage
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest, LabelledMemory
from cognis_memory.models.values import Category, FloatMatrix, FloatVector, Operation

NOW = datetime(2026, 7, 15, 12, 0, tzinfo=UTC)

_BIGRAM_WEIGHT = 0.3


class ManualClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, step: timedelta) -> None:
        self.now += step


class HashEmbedder:
    """A bag of terms and pairs of terms, each a random direction: texts are as near as the words they share.

    Any prefix of a sum of random directions keeps their angles, so that 256 components stand on their own.
    `synonyms` maps words to words with the same direction, which no keyword search knows of.
    """

    def __init__(self, synonyms: Mapping[str, str] | None = None) -> None:
        spoken_for = {index_terms(word)[0]: index_terms(other)[0] for word, other in (synonyms or {}).items()}
        self._synonyms = spoken_for

    @property
    def model_id(self) -> str:
        return "hash-768"

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        return normalise(np.stack([self._sum(text) for text in texts]))

    def _sum(self, text: str) -> FloatVector:
        terms = [self._synonyms.get(term, term) for term in index_terms(text)]
        pairs = [f"{first} {second}" for first, second in pairwise(terms)]
        total = _direction("a text without words") * 0.01
        for term in terms:
            total = total + _direction(term)
        for pair in pairs:
            total = total + _BIGRAM_WEIGHT * _direction(pair)
        return total


@lru_cache(maxsize=50_000)
def _direction(term: str) -> FloatVector:
    seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8])
    return np.random.default_rng(seed).standard_normal(768).astype(np.float32)


class OverlapReranker:
    """The share of the query's terms that stand in the text."""

    @property
    def model_id(self) -> str:
        return "overlap"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        wanted = set(index_terms(query))
        return [len(wanted & set(index_terms(text))) / max(len(wanted), 1) for text in texts]


_SPACED = Calibration(bias=-4.0, cosine=6.0, lexical=5.0, rerank=0.0, threshold=0.25)
_CJK = Calibration(bias=-2.5, cosine=6.0, lexical=5.0, rerank=0.0, threshold=0.25)
HASH_CALIBRATIONS = Calibrations(spaced=_SPACED, cjk=_CJK, spaced_unranked=_SPACED, cjk_unranked=_CJK)
"""For `HashEmbedder`: what shares no more with a query than chance is below the threshold."""


class SentenceExtractor:
    """Understands three sentences in English and in Japanese, anywhere in a message, and nothing else.

    "My home is Tokyo." / 「私の家は東京です。」 gives the slot a value: ADD, UPDATE of the one held, or NONE.
    "Forget my home." / 「私の家は忘れて。」 retracts it, known or not.
    "Note: words." / 「メモ：何か。」 is one by itself.
    """

    def __init__(self, chunk_messages: int = 1) -> None:
        self._chunk_messages = chunk_messages

    @property
    def chunk_messages(self) -> int:
        return self._chunk_messages

    def extract(self, request: ExtractionRequest) -> Extraction:
        facts: list[ExtractedFact] = []
        for index, message in enumerate(request.messages):
            for sentence in _SENTENCE.finditer(message.content):
                facts += _facts(sentence, index, message.speaker, request.similar)
        characters = sum(len(message.content) for message in request.messages)
        return Extraction(tuple(facts), Usage(llm_calls=1, input_tokens=characters))


_SENTENCE = re.compile(
    r"My (?P<slot>\w+) is (?P<value>[^.\n]+)\."
    r"|私の(?P<slot_ja>[^はの。\n]+)は(?P<value_ja>[^。\n]+)です。"
    r"|Forget my (?P<forgotten>\w+)\."
    r"|私の(?P<forgotten_ja>[^はの。\n]+)は忘れて。"
    r"|Note: (?P<note>[^.\n]+)\."
    r"|メモ：(?P<note_ja>[^。\n]+)。"
)


def _facts(
    sentence: re.Match[str], index: int, speaker: str, similar: Sequence[LabelledMemory]
) -> list[ExtractedFact]:
    found = {name.removesuffix("_ja"): text for name, text in sentence.groupdict().items() if text}
    slot = found.get("slot") or found.get("forgotten")
    held = next((memory for memory in similar if slot and memory.slot == slot), None)
    content = _content(found, sentence.group())
    if "note" in found:
        held = next((memory for memory in similar if memory.content == content), None)
    known = held is not None and held.retracted == ("forgotten" in found)
    if "forgotten" in found:
        operation = Operation.NONE if known else Operation.DELETE
    elif held is None:
        operation = Operation.ADD
    else:
        operation = Operation.NONE if known and held.content == content else Operation.UPDATE
    fact = ExtractedFact(
        operation=operation,
        content=content,
        category=Category.PERSONAL_DETAILS if slot else Category.PREFERENCES,
        message_index=index,
        label=held.label if held else None,
        subject="user",
        slot=slot,
        speaker=speaker,
        language=detect_language(content),
    )
    return [fact]


def _content(found: Mapping[str, str], sentence: str) -> str:
    if "value" not in found:
        return found.get("note", sentence)
    japanese = sentence.startswith("私")
    return (
        f"{found['slot']}は{found['value']}です" if japanese else f"The {found['slot']} is {found['value']}"
    )


class Failing:
    """A model that raises `error` on its first `times` calls (None: on all), then works as the one given."""

    def __init__(self, model: object, error: CognisError, times: int | None = None) -> None:
        self._model = model
        self._error = error
        self._left = times
        self._lock = threading.Lock()
        self.calls = 0

    def __getattr__(self, name: str) -> object:
        attribute = getattr(self._model, name)
        if name not in ("embed", "rerank", "extract"):
            return attribute

        def call(*arguments: object) -> object:
            with self._lock:
                self.calls += 1
                fails = self._left is None or self._left > 0
                if fails and self._left is not None:
                    self._left -= 1
            if fails:
                raise self._error
            return attribute(*arguments)

        return call
