"""Random requests of many users, and what must be held once all of them are carried out, in any order.

Every request has a time of its own, often earlier than that of requests before it. Slots must end as order of
time has it, whatever came first, a value or its retraction; notes must end as one memory each.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from fakes import NOW

_STEADY: Final = ("home", "job", "car", "家", "仕事")
_RETRACTED: Final = ("pet", "趣味")
SLOTS: Final = (*_STEADY, *_RETRACTED)
"""What is told again and again; some of it is retracted now and then."""

PATCHED: Final = "color"
_NOTES: Final = (
    *((f"likes {thing}", "Note: {}.") for thing in ("rain", "tea", "chess", "jazz")),
    *((f"{thing}が好き", "メモ：{}。") for thing in ("雪", "紅茶", "将棋", "映画")),
)
_MINUTES: Final = 100_000
"""Requests are from the last 70 days."""

_REPEATED: Final = 0.15
_ONLY_HERE: Final = 0.2
_PATCHES: Final = 0.04
_DELETIONS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Request:
    """One POST; `repeats` of the same one follow it. `only_here` are notes that no other request holds."""

    user: str
    key: str
    messages: tuple[dict[str, Any], ...]
    repeats: int
    only_here: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Patch:
    """The user's color, if there is one, gets this content by hand."""

    user: str
    content: str


@dataclass(frozen=True, slots=True)
class Deletion:
    """Some note that the user told in one request alone is deleted, with all its words."""

    user: str


Step = Request | Patch | Deletion


@dataclass(slots=True)
class Expected:
    """What one user must hold in the end."""

    said: dict[str, list[tuple[datetime, str | None]]] = field(default_factory=lambda: defaultdict(list))
    notes: set[str] = field(default_factory=set)
    messages: int = 0

    def current(self, slot: str) -> str | None:
        """The content that the slot has by order of time; None where it was retracted last, or never told."""
        return max(self.said[slot])[1] if self.said[slot] else None


class RandomWork:
    """So many requests, the same for the same seed; `expected` by user."""

    def __init__(self, seed: int, requests: int, users: int) -> None:
        self._random = random.Random(seed)
        self._times = iter(self._random.sample(range(1, _MINUTES), 2 * requests))
        self.expected: defaultdict[str, Expected] = defaultdict(Expected)
        self.steps = list(self._steps(requests, [f"user{number:03d}" for number in range(users)]))

    def _steps(self, requests: int, users: Sequence[str]) -> Iterator[Step]:
        for number in range(requests):
            user = users[number % len(users)] if number < len(users) else self._random.choice(users)
            yield self._request(user, number)
            chance = self._random.random()
            if chance < _PATCHES:
                yield Patch(user, f"The {PATCHED} is patched{number}")
            elif chance < _PATCHES + _DELETIONS:
                yield Deletion(user)

    def _request(self, user: str, number: int) -> Request:
        """One fact a message: so each is told apart from all others by its own words."""
        moments = [NOW - timedelta(minutes=next(self._times)) for _ in range(self._random.choice((1, 1, 2)))]
        messages = [_message(self._fact(user, moment), moment) for moment in moments]
        only_here = []
        if self._random.random() < _ONLY_HERE:
            only_here.append(f"saw film{number:04}")
            messages.append(_message(f"Note: {only_here[0]}.", moments[-1]))
        self.expected[user].messages += len(messages)
        repeats = 1 if self._random.random() < _REPEATED else 0
        return Request(user, f"key-{number}", tuple(messages), repeats, tuple(only_here))

    def _fact(self, user: str, moment: datetime) -> str:
        """A sentence that `SentenceExtractor` understands."""
        kind = self._random.choice(("steady", "steady", "retracted", "patched", "note", "note"))
        if kind == "note":
            return self._note(user)
        slot = {"patched": PATCHED}.get(kind) or self._random.choice(
            _STEADY if kind == "steady" else _RETRACTED
        )
        japanese = not slot.isascii()
        if kind == "retracted" and self._random.random() < 0.4:
            self.expected[user].said[slot].append((moment, None))
            return f"私の{slot}は忘れて。" if japanese else f"Forget my {slot}."
        value = f"{slot}{self._random.randrange(12)}"
        content = f"{slot}は{value}です" if japanese else f"The {slot} is {value}"
        self.expected[user].said[slot].append((moment, content))
        return f"私の{content}。" if japanese else f"My {slot} is {value}."

    def _note(self, user: str) -> str:
        content, sentence = self._random.choice(_NOTES)
        self.expected[user].notes.add(content)
        return sentence.format(content)


def _message(content: str, moment: datetime) -> dict[str, Any]:
    return {"role": "user", "content": content, "timestamp": moment.isoformat()}
