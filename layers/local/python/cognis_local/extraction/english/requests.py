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
_POLITE: Final = r"^(?:(?:please|can you|could you|you can|just|now|then|kindly)\s+)*"
_FORGETTING: Final = r"(?:forget|delete|remove|erase|disregard|ignore|scratch|drop|discard)\b"
_TOLD: Final = (
    r"(?:i|we)(?:'ve| have|'d| had)?\s+(?:(?:just|once|ever|already|previously)\s+)*"
    r"(?:said|told you|mentioned|wrote|shared|been saying|talked)|you (?:know|have|stored|saved|remember)"
)
_FORGET: Final = re.compile(
    rf"{_POLITE}{_FORGETTING}(?: the (?:fact|memory|part))?(?: that)?\s+(?P<what>(?:i|my|we|our)\b.+)$"
    r"|^(?:it's|it is|that's|it was) (?:no longer true|not true(?: any ?more)?|a (?:joke|lie)) that\s+"
    r"(?P<untrue>(?:i|my|we|our)\b.+)$"
    r"|^(?:i|we) (?:was|were) (?:(?:only|just) )?(?:joking|kidding|lying) when i said\s+(?:that\s+)?"
    r"(?P<joke>(?:i|my|we|our)\b.+)$",
    re.IGNORECASE,
)
_FORGET_THING: Final = re.compile(
    rf"{_POLITE}{_FORGETTING}(?:\s+(?:all|everything|anything|what|whatever|the (?:things?|part"
    rf"|stuff|bit|memory"
    rf"|memories|facts?|notes?))(?: that)?(?:\s+(?:{_TOLD}))?)?\s+(?:about|regarding|concerning|on)\s+"
    r"(?P<what>.+)$"
    r"|^(?:i|we) (?:was|were) (?:(?:only|just) )?(?:joking|kidding|lying) about\s+(?P<joke>.+)$",
    re.IGNORECASE,
)
_ASKS_TO_FORGET: Final = re.compile(rf"{_POLITE}{_FORGETTING}", re.IGNORECASE)
_ENDING: Final = re.compile(
    r"(?:,?\s+(?:please|now|again|entirely|completely|ok|okay))*[.!]*\s*$", re.IGNORECASE
)


def asks_to_forget(sentence: str) -> bool:
    """Whether a sentence asks to forget something, which is no statement whatever it names."""
    return bool(_ASKS_TO_FORGET.match(sentence))


def forgotten_clause(sentence: str) -> str:
    """What a sentence asks to forget: "I collect stamps" of "Forget that I collect stamps"; else empty."""
    match = None if _FORGET_THING.match(sentence) else _FORGET.match(sentence)
    return _ENDING.sub("", match["what"] or match["untrue"] or match["joke"]) if match else ""


def forgotten_thing(sentence: str) -> str:
    """What a sentence asks to forget all about: "the violin" of "Forget what I said about the violin"."""
    match = _FORGET_THING.match(sentence)
    thing = _ENDING.sub("", match["what"] or match["joke"]) if match else ""
    return "" if _ABOUT_STORE.search(thing) else thing


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
