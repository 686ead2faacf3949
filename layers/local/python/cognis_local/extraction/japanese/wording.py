"""How Japanese contents are worded: third person, no particles of the voice, no second topic."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese.outline import Outline
from cognis_local.extraction.japanese.subjects import Phrase, Topic
from cognis_local.extraction.model import ASSISTANT, USER, Speaker

_EXPLAINS: Final = re.compile(r"な(?:ん|の)(?:です|だ)(?:よね|よ|ね|な)?$")
_ENDING: Final = re.compile(
    r"(?:(?<=[るたいすだ])(?:ん|の)(?:です|だ)?(?:よね|よ|ね|な)?"
    r"|(?:よね|よ|ね|なあ|なぁ|な|わ|ぞ|さ|の|もの|もん))$"
)
_LEFT_OPEN: Final = re.compile(r"(?<=[るたいすん])(?:けど|けれども?|から|し)$")
_SIDE: Final = re.compile(r"(?<=[私僕俺])の(?:ほう|方)は")
_MARKS: Final = "".join(sorted(set("、, 。！!….♪〜~ ")))
_OWNERS: Final = re.compile(r"(?:私|わたし|わたくし|あたし|僕|ぼく|俺|おれ|うち|自分)の")
_OBJECTS: Final = re.compile(r"(?:私|わたし|僕|俺)(?=[をにと])")
_CLEFT: Final = re.compile(
    r"(?:ハマ|はま|好きな|嫌いな|苦手な|得意な|欲しい|ほしい|習って|目指して|困って|悩んで)[^は、]*のは"
)


def written_name(speaker: Speaker) -> str:
    """The speaker's name as Japanese contents write it."""
    return {USER: "ユーザー", ASSISTANT: "アシスタント"}.get(speaker.name, speaker.name)


def cleaned(text: str) -> str:
    """The clause without what only the voice adds: 〜んです, よ, ね, の."""
    text = _EXPLAINS.sub("です", text.strip(_MARKS))
    text = _SIDE.sub("は", text)
    return _ENDING.sub("", _LEFT_OPEN.sub("", text)) if len(text) > 4 else text


def in_third_person(text: str, name: str) -> str:
    """Writes the name for 私の, 僕を and the like."""
    return _OBJECTS.sub(name, _OWNERS.sub(f"{name}の", text))


def owned(text: str, name: str) -> str:
    """A noun phrase as the speaker's: 「ユーザーの趣味」."""
    return in_third_person(text, name) if _OWNERS.search(text) else f"{name}の{text}"


def is_cleft(text: str) -> bool:
    """「最近ハマっているのは…です」: whoever is hooked is the subject of the first half."""
    return bool(_CLEFT.search(text))


def with_topic(clause: Outline, phrase: Phrase, name: str) -> tuple[str, str]:
    """The content with the person's full name, or whose relative or thing it is, and that name alone."""
    start, end = clause.tokens[phrase.start].start, clause.tokens[phrase.end].start
    inside, rest = clause.text[start:end], clause.text[end + len(phrase.particle) :]
    particle = "は" if phrase.particle in {"、", "って"} else phrase.particle
    if phrase.topic is Topic.SPEAKER:
        who, particle = name, "は" if particle == "も" else particle
    elif phrase.topic is Topic.NAMED:
        who = inside
    else:
        who = owned(inside, name)
    return in_third_person(f"{clause.text[:start]}{who}{particle}{rest}", name), in_third_person(who, name)


def as_comment(clause: Outline) -> str:
    """The clause as what follows 「ユーザーは」, without a second は where another particle serves."""
    text, leading = clause.text, clause.leading
    first = clause.phrases[0] if clause.phrases else None
    if first is not None and first.topic is Topic.TIME and first.particle == "は":
        position = clause.tokens[first.end].start
        pause = "" if clause.tokens[first.end - 1].surface in {"に", "で", "から", "と"} else "、"
        return f"{text[:position]}{pause}{text[position + 1 :]}"
    if leading is not None and leading.particle == "は" and clause.likes:
        position = clause.tokens[leading.end].start
        return f"{text[:position]}が{text[position + 1 :]}"
    return text
