"""Who speaks in a message, to whom, and which people the conversation knows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from cognis_local.extraction.japanese.words import PETS, RELATIONS
from cognis_local.extraction.model import ASSISTANT, USER, Speaker
from cognis_local.extraction.own_words import own_words
from cognis_local.extraction.patterns import words_of
from cognis_memory.models.extraction import ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Role

_ASSISTANT_NAME: Final = re.compile(
    r"assistant|\bai\b|bot\b|agent|support|アシスタント|エージェント|サポート", re.IGNORECASE
)
_NAMED_IN_CONTENT: Final = re.compile(
    r"^(?:User's [\w -]*?\b(?P<en>[A-Z][a-zà-ÿ]+)\b"
    r"|ユーザーの(?:" + words_of(RELATIONS) + r")の(?P<ja>[^のはがも、]{1,8}?)(?:さん)?[はがも])"
)

_PET_NAMED: Final = re.compile(
    rf"(?:{words_of(PETS)})の(?P<of>[^、はがをの]{{1,8}}?)を(?:飼|迎え|引き取)"
    rf"|(?:{words_of(PETS)})の名前は(?P<is>[^、はがをの]{{1,8}}?)(?:です|だ|といいます)?$"
)
_MOST_EARLIER: Final = 600
"""Characters of the turn before that may bring up who a name belongs to."""
_CALLED: Final = re.compile(r"\b(?:called|named) ([A-Z][a-zà-ÿ]+)")


def speaker_of(message: Message, request: ExtractionRequest) -> Speaker:
    """The speaker under the name that memories use.

    A message of the role "assistant" under a person's name is a person's: in conversations between two people
    one of them may take that role.
    """
    name = _name(message)
    others = [_name(other) for other in (*request.turns_before, *request.messages) if _speaks(other)]
    listeners = [other for other in others if other != name]
    is_assistant = name == ASSISTANT
    default = USER if is_assistant else "the assistant"
    addressee = listeners[-1] if listeners and listeners[-1] != ASSISTANT else default
    people = {*_people_in(request.similar), *others} - {name, USER, ASSISTANT}
    return Speaker(name, is_assistant, addressee, frozenset(people), _earlier(message, request))


def _earlier(message: Message, request: ExtractionRequest) -> str:
    """The speaker's own words in the last turn before the message."""
    before = (*request.turns_before, *request.messages[: request.messages.index(message)])
    said = [other.content for other in before if _name(other) == _name(message)]
    return own_words(said[-1][-_MOST_EARLIER:]) if said else ""


def _speaks(message: Message) -> bool:
    return message.role in (Role.USER, Role.ASSISTANT)


def _name(message: Message) -> str:
    speaker = message.speaker.strip()
    if message.role is Role.ASSISTANT and _ASSISTANT_NAME.search(speaker):
        return ASSISTANT
    if not speaker or speaker.casefold() in {"user", "ユーザー", "human", "customer"}:
        return USER
    return speaker


def _people_in(similar: Iterable[LabelledMemory]) -> set[str]:
    """Names that memories are about, or that they introduce ("User's friend Ken ...")."""
    found = set()
    for memory in similar:
        if memory.subject and "'s " not in memory.subject:
            found.add(memory.subject)
        found |= set(_CALLED.findall(memory.content))
        named = _NAMED_IN_CONTENT.match(memory.content)
        if named:
            found.add(named["en"] or named["ja"])
        elif pet := _PET_NAMED.search(memory.content):
            found.add((pet["of"] or pet["is"]).removesuffix("ちゃん").removesuffix("くん"))
        elif first := re.match(r"[A-ZÀ-Ý][a-zà-ÿ]+(?=(?:'s)? )", memory.content):
            found.add(first.group())
    return found
