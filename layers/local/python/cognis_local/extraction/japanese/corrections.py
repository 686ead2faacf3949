"""Corrections that leave out what they correct: 「間違えました。5月13日です」「妹じゃなくて姉です」."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.japanese.morphology import tokenize
from cognis_local.extraction.jokes import Jokes
from cognis_local.extraction.patterns import words_of

_ALONE: Final = re.compile(
    r"^(?P<new>[^はがをも、。]{1,20}?)(?:の(?:間違い|誤り))?(?:です|だ|でした|だった|のほうです|の方です)(?:よ|ね)?[。！!]*$"
)
_NOT_BUT: Final = re.compile(
    r"^(?P<old>[^、。はがも]{1,20}?)(?:じゃなくて|ではなくて?|でなく)(?!な)、?(?P<rest>.+)$"
)
_DIGITS: Final = r"[\d０-９一二三四五六七八九十]+"
_KINDS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_DIGITS}月{_DIGITS}日",
        rf"(?:午前|午後)?{_DIGITS}時(?:半|{_DIGITS}分)?",
        rf"(?:来週の?|再来週の?|今週の?)?[月火水木金土日]曜日?|{_DIGITS}日",
        rf"{_DIGITS}月",
        rf"{_DIGITS}(?:万|千|百)?(?:円|歳|才|人|匹|本|個|台|回|年|センチ|キロ)",
        r"[\d０-９][\d０-９-]+",
    )
)
"""Dates, clock times, weekdays, months, amounts, numbers: one takes the place of another of its kind."""
_FILLED: Final = re.compile(
    r"^(?P<head>(?:.*[はがと、])?)(?P<v>[^はがもをにでと、。]{1,20}?)"
    r"(?P<end>に(?:住んで(?:い)?(?:ます|る)|います)|です|だ|といいます)(?:よ|ね)?[。！!]*$"
)
_FAVOURITE: Final = re.compile(r"好きな[^はが、]{1,12}は$")
_KATAKANA: Final = re.compile(r"[ァ-ヶー・]+")
_PERSON: Final = words_of(words.RELATIONS)
JOKES: Final = Jokes(
    called=re.compile(
        r"^(?:なんて|なんちゃって|というのは|って(?:いうの)?は|今のは|さっきのは)?(?:ただの)?(?:冗談|嘘|うそ|ウソ)(?:です|でした|だ|だった)?(?:けど)?(?:よ|ね|w|笑)*(?:[、。！!\s]+|$)"
        r"|^なんちゃって[、。！!\s]*"
    ),
    negated=re.compile(r"(?:ません|ない)(?:です|でした)?(?:よ|ね)?[。！!]*$"),
)


def amended(sentence: str, said_before: Sequence[str]) -> str:
    """What a correction amounts to: the sentence before with the value that it names; else the correction.

    Empty where it only tells whose something is: 「いや、妹のです」.
    `said_before` holds what the speaker stated, oldest first.
    """
    contrast = _NOT_BUT.match(sentence)
    alone = _ALONE.match(contrast["rest"] if contrast else sentence)
    if alone is None:
        return sentence
    for before in reversed(said_before):
        fixed = _with(alone["new"], contrast["old"] if contrast else "", before)
        if fixed:
            return fixed
    return "" if alone["new"].endswith("の") else sentence


def denied(sentence: str) -> str:
    """What 「妹じゃなくて姉が京都に住んでいます」 says is not so: 「妹が京都に住んでいます」; else empty."""
    contrast = _NOT_BUT.match(sentence)
    if contrast is None:
        return ""
    told = re.match(r"(?P<who>[^、はがも]{1,12}?)(?P<rest>[はが].+)$", contrast["rest"])
    people = re.compile(rf"(?:{_PERSON})(?:の.+)?$|.+(?:さん|くん|ちゃん)$")
    if told is None or not (people.match(contrast["old"]) and people.match(told["who"])):
        return ""
    return contrast["old"] + told["rest"]


def _with(new: str, old: str, before: str) -> str:
    """The sentence with the new value; empty where it holds nothing that the value can stand for."""
    if old and old in before:
        return before.replace(old, new)
    for kind in _KINDS:
        value = kind.search(new)
        places = list(kind.finditer(before))
        if value and places and new.replace(value[0], "") in before:
            return f"{before[: places[-1].start()]}{value[0]}{before[places[-1].end() :]}"
    filled = _FILLED.match(before)
    if filled is None or not _takes_place_of(filled, new):
        return ""
    return f"{before[: filled.start('v')]}{new}{before[filled.end('v') :]}"


def _takes_place_of(filled: re.Match[str], new: str) -> bool:
    """Whether a noun tells the same kind of thing as what a sentence tells: a place, a name, a favourite."""
    tokens = tokenize(new)
    if not all(token.is_nominal for token in tokens):
        return False
    kinds = {token.pos[2] for token in tokens}
    if filled["end"].startswith("に"):
        return "地名" in kinds
    if filled["head"].endswith("名前は"):
        return "人名" in kinds or bool(_KATAKANA.fullmatch(new))
    like_before = kinds & {token.pos[2] for token in tokenize(filled["v"])}
    return bool(like_before and _FAVOURITE.search(filled["head"]))
