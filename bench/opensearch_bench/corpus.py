"""Memories of many users, drawn by a seed: the same in every process, and never all in memory at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from cognis_memory.domain.filters import Filter, visible
from cognis_memory.domain.matryoshka import FULL_COMPONENTS, normalise
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import FloatMatrix, FloatVector, Kind, Owner
from shards import Texts

NOW: Final = datetime(2026, 7, 1, tzinfo=UTC)

PROBES: Final = {1: 40, 10: 20, 100: 10, 1_000: 4, 10_000: 2}
"""How many users of each size are searched; fewer where they would be more than a tenth of the index."""

_TOPICS: Final = 4_000
_TOPIC_DOCUMENTS: Final = 40
_NOISE: Final = 0.8
_BLOCK: Final = 64


@dataclass(frozen=True, slots=True)
class User:
    """`number` is the seed of all that the user has; `size` in documents."""

    number: int
    size: int

    @property
    def owner(self) -> Owner:
        return Owner("bench", f"user-{self.number}")


@dataclass(frozen=True, slots=True)
class Question:
    """A search of one user, its filter as new as its time; `exact` are the ten nearest, best first."""

    user: User
    words: str
    vector: FloatVector
    filter: Filter
    exact: list[str]


def make_users(documents: int) -> list[User]:
    """The users to be searched first, then others with sizes spread evenly over powers of ten, up to 10,000
    and a tenth of the index, until all have that many documents."""
    sizes = [size for size, number in PROBES.items() for _ in range(min(number, documents // (10 * size)))]
    random = np.random.default_rng(11)
    largest = min(10_000, documents // 10)
    left = documents - sum(sizes)
    while left > 0:
        sizes.append(min(left, int(largest ** random.random())))
        left -= sizes[-1]
    return [User(number, size) for number, size in enumerate(sizes)]


def probes(users: Sequence[User]) -> dict[int, list[User]]:
    """The users to be searched, by size."""
    documents = sum(user.size for user in users)
    number = sum(min(number, documents // (10 * size)) for size, number in PROBES.items())
    found: dict[int, list[User]] = {}
    for user in users[:number]:
        found.setdefault(user.size, []).append(user)
    return found


class Corpus:
    """Texts of Zipf's words, half of them Japanese; unit vectors around topics that all users share, some 40
    of a user's to a topic, at a cosine of .6 to one another."""

    def __init__(self) -> None:
        self._topics = np.random.default_rng(12).standard_normal((_TOPICS, FULL_COMPONENTS), np.float32)
        self._texts = Texts(seed=0)

    def documents(self, user: User) -> Iterator[IndexDocument]:
        """Half memories, one in ten of them replaced, half messages with the text before as context."""
        random = np.random.default_rng((user.number, 1))
        texts = self._texts.reseeded(user.number)
        chosen = random.integers(_TOPICS, size=max(1, user.size // _TOPIC_DOCUMENTS))
        previous = ""
        for start in range(0, user.size, _BLOCK):
            for place, vector in enumerate(self._vectors(random, chosen, min(_BLOCK, user.size - start))):
                text = texts.next(int(random.integers(8, 21)))
                yield _document(user, start + place, text, previous, vector)
                previous = text

    def questions(self, user: User, number: int) -> list[Question]:
        """Each about one document: its vector with some noise, some of its words and some others."""
        documents = list(self.documents(user))
        vectors = np.stack([document.vector for document in documents])
        shown = np.array([document.kind is Kind.MESSAGE or document.is_current for document in documents])
        random = np.random.default_rng((user.number, 2))
        texts = self._texts.reseeded(user.number + 1_000_000)
        made = []
        for second, place in enumerate(random.integers(user.size, size=number)):
            noise = random.standard_normal(FULL_COMPONENTS, np.float32) / FULL_COMPONENTS**0.5
            vector = normalise(vectors[place] + _NOISE * noise)
            nearest = np.argsort(-np.where(shown, vectors @ vector, -np.inf))[: min(10, shown.sum())]
            made.append(
                Question(
                    user,
                    f"{_some_words(documents[place].text, random)} {texts.next(words=4)}",
                    vector,
                    visible(now=NOW + timedelta(seconds=second)),
                    [documents[slot].id for slot in nearest],
                )
            )
        return made

    def _vectors(self, random: np.random.Generator, chosen: np.ndarray, number: int) -> FloatMatrix:
        centres = self._topics[random.choice(chosen, number)]
        return normalise(centres + _NOISE * random.standard_normal(centres.shape, np.float32))


def _document(user: User, number: int, text: str, previous: str, vector: FloatVector) -> IndexDocument:
    is_message = number % 2 == 1
    time_ = NOW - timedelta(minutes=user.size - number)
    return IndexDocument(
        id=f"{'msg' if is_message else 'mem'}_01JZ{user.number:011d}{number:011d}_000001",
        kind=Kind.MESSAGE if is_message else Kind.MEMORY,
        text=text,
        context=previous if is_message else "",
        vector=vector,
        revision=1,
        timestamp=time_,
        created_at=time_,
        valid_from=time_,
        speaker="user",
        is_current=is_message or number % 20 != 10,
        metadata={"channel": "mobile" if number % 3 else "web"},
    )


def _some_words(text: str, random: np.random.Generator) -> str:
    """Four words of a text with spaces, six characters in a row of one without."""
    words = text.split()
    if len(words) > 4:
        return " ".join(random.choice(words, 4, replace=False))
    start = int(random.integers(max(1, len(text) - 6)))
    return text[start : start + 6]
