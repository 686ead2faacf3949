"""Whether a text only asks: what it names is then sought, not said."""

from __future__ import annotations

import re
from typing import Final

from cognis_memory.domain.lazy_patterns import lazy_pattern

_SENTENCE: Final = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_GREETING: Final = lazy_pattern(
    r"^\W*(?:(?:hi|hey|hello|oh|ah|wow|hm+|um+|ok(?:ay)?|well|so|please|thanks|thank you|sorry|good morning"
    r"|good evening)\b(?: there| \w+)?"
    r"|こんにちは|こんばんは|おはよう(?:ございます)?|すみません|ねえ|えっと|ええと|あの)\W*$",
    re.IGNORECASE,
)
_ENGLISH_OPENING: Final = lazy_pattern(
    r"^\W*(?:(?:and|but|so|or|hey|hi|oh|ok|okay|well|please|hm+|um+|by the way),? )*"
    r"(?:(?:what|who|whom|whose|which|where|when|why|how)(?:['’](?:s|re|d))?"
    r"|(?:do|does|did|is|are|am|was|were|have|has|had|can|could|will|would|should|shall|may|might)(?:n['’]t)?)\s",
    re.IGNORECASE,
)
_ENGLISH_BARE: Final = lazy_pattern(
    r"^\W*(?:(?:what|who|whom|whose|which|where|when|why|how)(?:['’](?:s|re))?\s(?:\w+\s){0,2}?)?"
    r"(?:do|does|did|is|are|was|were|can|could|will|would|should)\s"
    r"(?:i|you|he|she|it|we|they|my|your|his|her|our|their|the|this|that|these|those|there)\b",
    re.IGNORECASE,
)
"""Asked without a question mark."""

_ENGLISH_TELLING: Final = lazy_pattern(
    r"\b(?:(?:did|have) i (?:ever )?(?:tell|told|mention(?:ed)?)"
    r"|(?:did|do) you (?:know|hear|remember)|guess what)\b",
    re.IGNORECASE,
)
_JAPANESE_ASKING: Final = lazy_pattern(
    r"(?:[?？]|(?:です|ます|ました|でした|ません|でしょう|だろう|の|ん|る|た|ない)か|かな[ぁあ]?|かしら|っけ)[。\s]*$"
)
_JAPANESE_STATEMENT: Final = lazy_pattern(r"(?:けど|けれど|けれども|が|ので|から|のに|し|んだ|よ|ね)、")
_CJK: Final = lazy_pattern(r"[\u3041-\u30ff\u3400-\u9fff]")


def only_asks(text: str) -> bool:
    """Whether every sentence is a question, greetings aside; False for a text without words.

    A question that tells something first or on the way is none: "I moved to Osaka, did I tell you?",
    「引っ越したんだけど、いい店知ってる？」. Question marks may be missing: "where do I live".
    """
    sentences = [s.strip() for s in _SENTENCE.findall(text) if re.search(r"\w", s)]
    telling = [sentence for sentence in sentences if not _GREETING().match(sentence)]
    return bool(telling) and all(_asks(sentence) for sentence in telling)


def _asks(sentence: str) -> bool:
    if not sentence.isascii() and _CJK().search(sentence):
        return bool(_JAPANESE_ASKING().search(sentence)) and not _JAPANESE_STATEMENT().search(sentence)
    if _ENGLISH_TELLING().search(sentence):
        return False
    if not sentence.endswith("?"):
        return bool(_ENGLISH_BARE().match(sentence))
    return bool(_ENGLISH_OPENING().match(sentence)) or not re.search(r"[,;:–—]|\s-\s", sentence)
