"""Sentences of a message, each freed of greetings, fillers and frames such as "remember that"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_SENTENCE = 600
"""Longer "sentences" are pasted data, not something a person states."""

_BOUNDARY: Final = re.compile(r"(?<=[.!?…])[\"”')\]]*(?:\s+|(?=[\U0001f000-\U0001faff☀-➿]))|\n+")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|Jan|Feb|Mar|Apr"
    r"|Jun|Jul|Aug|Sept?|Oct"
    r"|Nov|Dec)|\b[A-Z]|\b[ap]\.m)\.$"
)
_BULLET: Final = re.compile(r"^\s*(?:[-*•‣▪]\s+|\d{1,2}[.)]\s+)")
_EMOJI: Final = re.compile(
    r"[\U0001f000-\U0001faff\u2600-\u27bf\u2190-\u21ff\ufe0f\u200d]+|(?<!\w)[:;]-?[)(DPp](?!\w)"
)

_INTERJECTION: Final = (
    r"yeah|yea|yes|yep|yup|no|nope|nah|ok|okay|well|so|wow|whoa|oh|ah|aw|aww|haha\w*|hehe|lol"
    r"|hey|hi|hello|hiya"
    r"|thanks(?:\s+(?:a lot|so much|again|a bunch|a million|a ton))?|thank you(?:\s+(?:so much"
    r"|very much))?|thx|cheers"
    r"|cool|nice(?: one)?|great|awesome|sure(?: thing)?|right|true|totally|absolutely"
    r"|definitely|exactly|indeed"
    r"|honestly|actually|anyway|anyways|by the way|btw|fyi|guess what|you know|i mean|to be "
    r"honest|tbh|luckily"
    r"|fortunately|unfortunately|sadly|good morning|good evening|good afternoon|morning"
    r"|congrats|congratulations"
    r"|of course|no worries|good question|good point|hm+|um+|uh+|mm+|phew|ugh|sorry|please"
    r"|speaking of which"
    r"|on another note|in other news|also|plus|besides|first of all|first off|correction|wait"
    r"|man|gosh|omg|my god"
    r"|i see|got it|sounds good|same here|me too|for sure|no problem|not much|not really|that said|in fact"
    r"|as always|long story short|believe it or not|frankly|personally|basically|glad to hear(?: that| it)?"
)
_LEADING: Final = re.compile(
    rf"^(?:{_INTERJECTION})\s*(?:[,!.:;…–—-]+\s*|\s+(?=(?:{_INTERJECTION})\b))", re.IGNORECASE
)
_LEADING_WORD: Final = re.compile(
    r"^(?:and|but|so|also|well|oh|yeah|yes|actually|honestly|anyway|plus|btw|fyi|then|luckily"
    r"|unfortunately|sadly|hey|hi"
    r"|sorry|because|wow|haha|lol|ok|okay|personally|basically|wait|sure)\s+"
    r"(?=(?:i|i'm|i've|i'll|i'd|im|ive|my|we|we're|we've|our|the|a)\b)",
    re.IGNORECASE,
)
_FRAME: Final = re.compile(
    r"^(?:(?:can you |could you |please |pls )*(?:remember|note|keep in mind|bear in mind"
    r"|don't forget|make a note|know)"
    r"(?: that|:|,)?\s+(?=i\b|i'|my\b|we\b|our\b)"
    r"|(?:just )?(?:so (?:that )?you know|for the record|for your information|for context|as a "
    r"reminder|a reminder)"
    r"(?: that|,|:)?\s+"
    r"|(?:like|as) (?:i (?:said|mentioned|told you)(?: before| earlier| already)?|you (?:may "
    r"|might |probably |already )?(?:know|recall"
    r"|remember))[,:]?\s+"
    r"|(?:i (?:just )?(?:wanted|want) to (?:say|tell you|let you know|mention|share)|i should "
    r"(?:mention|say|add|note)"
    r"|i(?: have|'ve)? (?:already )?(?:told you|said|mentioned)(?: (?:before|earlier|already"
    r"|once|last time))?"
    r"|you (?:may|might|probably|will|should)(?: already)? (?:remember|recall|know)"
    r"|did i (?:tell you|mention)|i think|i guess|i "
    r"suppose|i mean|i must say"
    r"|i have to (?:say|admit)|i must admit|i'd say|i realised|i realized|it turns out|turns out"
    r"|the (?:truth|thing|fact) is|let me tell you|you should know|what i meant (?:is|was)|i meant)"
    r"(?: that|,|:)?\s+(?=i\b|i'|my\b|we\b|our\b)"
    r"|(?:a (?:little )?bit |a little |some(?:thing)? )?(?:more )?about (?:me|myself)\s*[:,-]\s*"
    r"|(?:hi|hello|hey|thanks|congrats|good luck)(?: there| everyone| all)?,?\s+[A-Z]\w+\s*[,!.–-]\s*)",
    re.IGNORECASE,
)
_AT_PRESENT: Final = re.compile(
    r"^(?P<when>these days|nowadays|lately|right now|at the moment|at present|currently|now)\b,?\s+"
    r"(?P<said>(?:i|i'm|i've|my|we|we're|we've|our)\b.*?)(?P<end>[.!…]*)$",
    re.IGNORECASE,
)
"""These days my favourite band is …: the present, which the clause itself tells."""
_VOCATIVE: Final = re.compile(r"^[A-Z][a-z]+,\s+(?=(?:I|I'm|I've|I'll|I'd|my|My|we|We|our|Our)\b)")
_CORRECTION: Final = re.compile(
    r"^\W*(?:actually|correction|sorry|no|wait|oops|my mistake|my bad|i meant|scratch that"
    r"|make that|typo|i misspoke"
    r"|i got (?:that|it) wrong)\b|\bi "
    r"meant\b|\b(?:no,? wait|wait,? no|scratch that|or rather)\b|,\s+not\s+(?:on |in |at )?[\w.-]+[.!]*$",
    re.IGNORECASE,
)
_ELISIONS: Final = (
    (re.compile(r"(?<!\w)(?:im|i m)(?=\s)", re.IGNORECASE), "I'm"),
    (re.compile(r"(?<!\w)ive(?=\s)", re.IGNORECASE), "I've"),
    (re.compile(r"\b(do|does|did|ca|wo|is|was|has|have|would|could|should)nt\b", re.IGNORECASE), r"\1n't"),
    (re.compile(r"\b(?:'cause|cuz|cos)(?=\s)|(?<!\w)['‘]cause\b", re.IGNORECASE), "because"),
    (re.compile(r"(?<!\w)'em\b", re.IGNORECASE), "them"),
    (re.compile(r"\bwanna\b", re.IGNORECASE), "want to"),
    (re.compile(r"\bgonna\b", re.IGNORECASE), "going to"),
    (re.compile(r"\bgotta\b", re.IGNORECASE), "have to"),
    (re.compile(r"\b([a-z]{3,}in)'(?!\w)", re.IGNORECASE), r"\1g"),
    (re.compile(r"\s+&\s+"), " and "),
    (
        re.compile(
            r"\b(?P<what>my (?:[\w-]+ ){0,2}?[\w-]+)(?:'s| has| have)? (?:just "
            r"|recently )?changed[,;.:]?(?: and| so)?\s+"
            r"(?:it|they|the new one)(?:'s|'re| is| are)(?: now)?(?= )",
            re.IGNORECASE,
        ),
        r"\g<what> is now",
    ),
    (
        re.compile(
            r"\b[\w' -]{2,30}? used to be (?P<what>my [\w -]{2,30}?),? but (?:now )?(?:it|they)(?:'s"
            r"|'re| is| are)(?: now)?(?= )",
            re.IGNORECASE,
        ),
        r"\g<what> is now",
    ),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without what leads into it; `corrects` where that said something was wrong before."""

    text: str
    corrects: bool


def sentences(message: str) -> list[Sentence]:
    """The sentences of a message in order, without bullets, emoji and lead-ins; overlong ones left out."""
    found = []
    for piece in _pieces(_normalised(message)):
        text = _BULLET.sub("", piece).strip()
        if 1 < len(text) <= MAX_SENTENCE:
            found.append(Sentence(_without_lead_in(text), bool(_CORRECTION.search(text))))
    return [sentence for sentence in found if sentence.text]


def _normalised(text: str) -> str:
    text = text.replace("’", "'").replace("‘", "'").replace("\u00a0", " ")
    for pattern, replacement in _ELISIONS:
        text = pattern.sub(replacement, text)
    return text


def _pieces(text: str) -> list[str]:
    """Cuts at sentence ends, except after an abbreviation."""
    pieces: list[str] = []
    start = 0
    for boundary in _BOUNDARY.finditer(text):
        head = text[max(start, boundary.start() - 12) : boundary.start()]
        if "\n" not in boundary.group() and _ABBREVIATION.search(head):
            continue
        pieces.append(text[start : boundary.end()])
        start = boundary.end()
    pieces.append(text[start:])
    return pieces


def _without_lead_in(text: str) -> str:
    """Strips what comes before the statement: greetings, agreement, "by the way", "remember that"."""
    text = " ".join(_EMOJI.sub(" ", text).split())
    for _ in range(6):
        shorter = text
        for pattern in (_LEADING, _FRAME, _VOCATIVE, _LEADING_WORD):
            shorter = pattern.sub("", shorter, count=1)
        if shorter == text:
            break
        text = shorter
    present = _AT_PRESENT.match(text)
    return f"{present['said']} {present['when'].lower()}{present['end']}" if present else text
