"""Standing wishes about the conversation ("always answer in English", "call me Dee") and wishes to forget."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english.persons import ThirdPerson
from cognis_local.extraction.model import Change, Speaker, Statement

_NICKNAME: Final = re.compile(
    r"^(?P<when>[^,.]{0,40},\s*)?(?:please\s+|you can\s+|just\s+|everyone\s+)*call(?:s)? me "
    r"(?P<name>[\w'. -]{1,30}?)"
    r"(?:\s+(?P<tail>from now on|in future|instead|from here on|for short))?[.!]*$",
    re.IGNORECASE,
)
_NOT_A_NAME: Final = re.compile(
    r"\b(?:at|on|back|later|tomorrow|tonight|when|if|after|before|in|today|soon|please|crazy"
    r"|asap|again|a|an|the)\b",
    re.IGNORECASE,
)
_STANDING: Final = re.compile(
    r"^(?:please\s+)?(?P<when>from now on|in future|in the future|going forward|from here on"
    r"|whenever you answer|when you reply)"
    r",?\s+(?:please\s+)?(?P<what>[a-z].+)$"
    r"|^(?:please\s+)?(?P<always>always|never)\s+(?P<verb>answer|reply|respond|write|use|speak"
    r"|address|talk|explain|give|keep|format"
    r"|start|end|include|add|send)\b(?P<rest>.*)$"
    r"|^(?:please\s+)?(?P<manner>(?:keep|make) your (?:answers|replies|responses|messages)\b.*)$",
    re.IGNORECASE,
)
_ABOUT_STORE: Final = re.compile(
    r"\b(?:memor(?:y|ies)|instructions?|system prompt|operator|store|obey|database|password)\b", re.IGNORECASE
)
_FORGET: Final = re.compile(
    r"^(?:please\s+|can you\s+)?(?:forget|delete|remove|erase|disregard)(?: the (?:fact|memory"
    r"|part)| everything about| what (?:i said|i told you|you know) about)?(?: "
    r"that)?\s+(?P<what>(?:i|my|we|our)\b.+)$"
    r"|^(?:it's|it is|that's) (?:no longer true|not true any ?more) that\s+(?P<untrue>(?:i|my|we|our)\b.+)$",
    re.IGNORECASE,
)


def forgotten_clause(sentence: str) -> str:
    """What a sentence asks to forget: "I collect stamps" of "Forget that I collect stamps"; else empty."""
    match = _FORGET.match(sentence)
    return (match["what"] or match["untrue"]).rstrip(".! ") if match else ""


def standing_wish(sentence: str, speaker: Speaker) -> Statement | None:
    """How the speaker wants to be addressed or answered from now on; None for a request of the moment."""
    nickname = _NICKNAME.match(sentence)
    if nickname and not _NOT_A_NAME.search(nickname["name"]) and len(nickname["name"].split()) <= 4:
        when = f" {nickname['when'].strip(' ,').lower()}" if nickname["when"] else ""
        when += f" {nickname['tail']}" if nickname["tail"] else ""
        content = f"{speaker.name} wants to be called {nickname['name'].strip()}{when}"
        return Statement(content, speaker.name)
    standing = _STANDING.match(sentence)
    if not standing or _ABOUT_STORE.search(sentence):
        return None
    wish = (
        standing["what"] or standing["manner"] or f"{standing['always']} {standing['verb']}{standing['rest']}"
    )
    rewritten = ThirdPerson(speaker, mentioned=True).rewrite(wish.rstrip(".! "))
    when = f" {standing['when'].lower()}" if standing["when"] else ""
    return Statement(
        f"{speaker.name} wants {speaker.addressee} to {_infinitive(rewritten)}{when}",
        speaker.name,
        Change.STATES,
    )


def _infinitive(wish: str) -> str:
    if wish.lower().startswith(("don't ", "do not ")):
        return "not " + wish.split(" ", 1 if wish.lower().startswith("don't") else 2)[-1]
    return wish[0].lower() + wish[1:]
