"""Who speaks, where the request does not say, and of whose words a question asks."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cognis_memory.domain.lazy_patterns import lazy_pattern
from cognis_memory.models.message import Message
from cognis_memory.models.values import Role

_FIRST_PERSON = lazy_pattern(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
_WHO = lazy_pattern(r"\bwho(?:se|m)?\b|誰|だれ", re.IGNORECASE)
_JAPANESE = lazy_pattern(r"[\u3041-\u30ff]")
_SOMEBODY = lazy_pattern(r"(?<!たく)さん|くん|ちゃん|[A-Za-z]{2,}(?=[はがのも])|彼(?!女がい|氏がい)")
_ROLES = frozenset(role.value for role in Role)


def resolve_speaker(message: Message, others: Iterable[Message]) -> str:
    """The message's speaker, or the only named speaker of the same role among the turns around it.

    A request names a speaker once and leaves the name out afterwards; with two names in one role, the
    unnamed turn could be anybody's and keeps its role as speaker.
    """
    if message.speaker != message.role.value:
        return message.speaker
    named = {o.speaker for o in others if o.role is message.role and o.speaker != o.role.value}
    return named.pop() if len(named) == 1 else message.speaker


def named_speaker(query: str, speakers: Iterable[str]) -> str | None:
    """The one speaker whose name stands in the query as a word of its own; None for none or several.

    Roles are no names. In Japanese, Chinese and Korean a name needs no space around it.
    """
    names = {speaker for speaker in speakers if speaker.casefold() not in _ROLES}
    named = {name for name in names if _is_named(name, query)}
    return named.pop() if len(named) == 1 else None


def asks_of_self(query: str) -> bool:
    """Whether a question is about whoever asks: "Where do I live?", 「どこに住んでいますか」.

    Japanese leaves the asker out, so that a question without a name or "who" counts there.
    """
    if _WHO().search(query):
        return False
    if _JAPANESE().search(query):
        return not _SOMEBODY().search(query)
    return bool(_FIRST_PERSON().search(query))


def _is_named(name: str, query: str) -> bool:
    found = re.escape(name)
    if name.isascii():
        found = rf"(?<![A-Za-z0-9]){found}(?![A-Za-z0-9])"
    return re.search(found, query, re.IGNORECASE) is not None
