"""Whom a Japanese clause is about, read off its topics and subjects (は, が, も)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.japanese.morphology import Token
from cognis_local.extraction.model import Speaker
from cognis_local.extraction.patterns import word_set


class Topic(Enum):
    """What the phrase before は, が or も means for the clause."""

    SPEAKER = auto()  # 私は
    RELATION = auto()  # 妹は, 友達のケンは
    OWNED = auto()  # 趣味は, うちの犬は, 私の机は
    NAMED = auto()  # 山田さんは
    TIME = auto()  # 週末は, 大学では
    THING = auto()  # 納豆が, コーヒーは
    EXCLUDED = auto()  # それは, あなたは, 質問が


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase with its particle: where it stands (`end` before the particle), and what it means."""

    topic: Topic
    start: int
    end: int
    particle: str
    label: str = ""


_PRONOUNS: Final = word_set("彼 彼ら 彼等 彼女ら 彼女たち あの人 その人 この人 あの子 その子")
"""Somebody who was named elsewhere; 彼女 alone is the girlfriend."""

_INDEFINITE: Final = word_set("いつ 何 なに 誰 だれ どこ")
_BREAKS: Final = word_set("を に で と へ から まで より ので")


def phrases(tokens: Sequence[Token], speaker: Speaker) -> list[Phrase]:
    """The phrases before は, が and も in order, with what each means."""
    found: list[Phrase] = []
    start = 0
    for i, token in enumerate(tokens):
        if _is_marker(tokens, i):
            if i > start:
                found.append(_phrase(tokens, start, i, speaker))
            elif i > 0 and tokens[i - 1].surface in _BREAKS:
                found.append(Phrase(Topic.TIME, i - 1, i, token.surface))
            start = i + 1
        elif (
            token.surface in "、,"
            or token.pos[1] == "接続助詞"
            or (token.pos[1] == "格助詞" and token.surface in _BREAKS and not _modifies(tokens, i))
        ):
            start = i + 1
    return found


def _modifies(tokens: Sequence[Token], i: int) -> bool:
    """Whether a phrase goes on after its particle: 高校時代からの親友."""
    return i + 1 < len(tokens) and tokens[i + 1].surface == "の"


def _is_marker(tokens: Sequence[Token], i: int) -> bool:
    token = tokens[i]
    if token.pos[0] != "助詞":
        return i == 1 and token.surface == "、" and tokens[0].surface in words.FIRST_PERSON
    if token.surface == "が":
        return token.pos[1] == "格助詞"
    if token.surface == "って":
        return i + 1 < len(tokens) and tokens[i + 1].surface in "、,"
    if i > 0 and tokens[i - 1].surface in _INDEFINITE:
        return False
    return token.surface in {"は", "も"} and token.pos[1] == "係助詞"


def _phrase(tokens: Sequence[Token], start: int, end: int, speaker: Speaker) -> Phrase:
    inside = tokens[start:end]
    surfaces = [token.surface for token in inside]
    topic, label = _meaning(inside, surfaces, tokens[end].surface, speaker)
    return Phrase(topic, start, end, tokens[end].surface, label)


def _meaning(
    inside: Sequence[Token], surfaces: list[str], particle: str, speaker: Speaker
) -> tuple[Topic, str]:
    text = "".join(surfaces)
    if (len(inside) == 1 and text in words.FIRST_PERSON) or text.endswith(("私", "僕", "俺")):
        return Topic.SPEAKER, speaker.name
    if (
        surfaces[0] in words.LISTENER
        or (surfaces[0] in words.DEICTIC and particle != "が")
        or surfaces[-1] in words.CONVERSATION_NOUNS
        or text in _PRONOUNS
    ):
        return Topic.EXCLUDED, ""
    person = _person(inside, surfaces, text, speaker)
    if person is not None:
        return person
    size = _relation_size(surfaces, 0)
    if particle == "は" and size and surfaces[size : size + 1] == ["の"]:
        return Topic.OWNED, speaker.name
    owned = surfaces[0] in words.FIRST_PERSON and len(surfaces) > 2 and surfaces[1] == "の"
    if (
        owned
        or (_is_attribute(surfaces, text) and particle != "が")
        or text.startswith(("好きな", "一番好きな", "苦手な", "嫌いな"))
    ):
        return Topic.OWNED, speaker.name
    return (Topic.TIME if _is_time(inside, text) else Topic.THING), speaker.name


def _person(
    inside: Sequence[Token], surfaces: list[str], text: str, speaker: Speaker
) -> tuple[Topic, str] | None:
    """A relative, an acquaintance or a named person as the head of the phrase; None for anything else."""
    others_relation = _relation_of_another(surfaces, inside, speaker)
    if others_relation is not None:
        return Topic.NAMED, others_relation
    relation = relation_of(surfaces, inside, speaker.name)
    if relation is not None:
        return Topic.RELATION, relation
    position = max(
        (i for i, token in enumerate(inside) if token.is_name or token.surface in speaker.people),
        default=None,
    )
    if position is None or any(s not in words.HONORIFICS for s in surfaces[position + 1 :]):
        return None
    first = position
    while first > 0 and inside[first - 1].is_name:
        first -= 1
    name = "".join(surfaces[first : position + 1])
    if name == speaker.addressee or (surfaces[-1] in words.HONORIFICS and name in speaker.addressee):
        return Topic.EXCLUDED, ""
    known = name in speaker.people or surfaces[-1] in words.HONORIFICS
    return (Topic.NAMED, name) if known else (Topic.EXCLUDED, "")


def _relation_of_another(surfaces: list[str], inside: Sequence[Token], speaker: Speaker) -> str | None:
    """Label of somebody else's relation: "田中's son" for 田中さんの息子; None for anything else."""
    for i in range(2, len(surfaces)):
        relation = words.RELATIONS.get("".join(surfaces[i:]))
        if surfaces[i - 1] != "の" or relation is None:
            continue
        first = next((j + 1 for j in range(i - 2, -1, -1) if surfaces[j] == "の"), 0)
        owner = [surface for surface in surfaces[first : i - 1] if surface not in words.HONORIFICS]
        name = "".join(owner)
        taught = relation in {"teacher", "coach"}  # ピアノの先生
        named = any(token.is_name for token in inside[first : i - 1]) or (_katakana(owner) and not taught)
        if name and (named or name in speaker.people) and name not in words.RELATIONS:
            return f"{name}'s {relation}"
    return None


def relation_of(surfaces: list[str], inside: Sequence[Token], owner: str) -> str | None:
    """Label of a relation: "User's younger sister" for 妹 and 妹の名前, "ケン" for 友達のケン; else None.

    Of 妹の夫 it is the last: "User's younger sister's husband".
    """
    for i in range(len(surfaces)):
        size = _relation_size(surfaces, i)
        if not size:
            continue
        word, rest = "".join(surfaces[i : i + size]), surfaces[i + size :]
        label = f"{owner}'s {words.RELATIONS[word]}"
        if rest[:2] == ["の", "先生"]:
            rest = rest[2:]  # 担任の先生
        if not rest or all(r in words.HONORIFICS or r in {"たち", "達"} for r in rest):
            return label
        if rest[0] != "の" or len(rest) < 2:
            return None
        theirs = relation_of(rest[1:], inside[i + size + 1 :], label)
        if theirs is not None:
            return theirs
        tail = [r for r in rest[1:] if r not in words.HONORIFICS]
        if len(tail) == 1 and (tail[0] in words.ATTRIBUTES or tail[0] in words.PETS):
            return label
        named = inside[len(inside) - len(rest) + 1 :]
        is_name = (
            any(token.is_name for token in named)
            or (len(tail) == 1 and named[0].pos[1] == "固有名詞")
            or _katakana(tail)
        )
        return "".join(tail) if is_name else None
    return None


def _relation_size(surfaces: list[str], at: int) -> int:
    """How many words from `at` name a relation (お + 母 + さん); 0 where they name none."""
    return next((size for size in (3, 2, 1) if "".join(surfaces[at : at + size]) in words.RELATIONS), 0)


def _katakana(tail: list[str]) -> bool:
    return len(tail) == 1 and all("ァ" <= character <= "ー" for character in tail[0])


def _is_attribute(surfaces: list[str], text: str) -> bool:
    if surfaces[0] in words.ATTRIBUTES and len(surfaces) <= 2:
        return True
    if text.startswith("一番") or (
        surfaces[-1] in words.ATTRIBUTES
        and text.startswith(("今年の", "来年の", "今の", "将来の", "最近の", "今月の"))
    ):
        return True
    if surfaces[0] in words.BELONGINGS and (len(surfaces) == 1 or surfaces[1] == "の"):
        return True
    owner = surfaces[0] in words.PETS or "".join(surfaces[:2]) in words.PETS
    return (
        (owner and surfaces[-1] in {"名前", "年齢", "歳"})
        or text in words.ATTRIBUTES
        or text.endswith("記念日")
        or surfaces[-1] in {"電話番号", "誕生日"}
    )


def _is_time(inside: Sequence[Token], text: str) -> bool:
    if text.endswith(
        (
            "頃",
            "ごろ",
            "時",
            "時代",
            "年",
            "月",
            "日",
            "週",
            "末",
            "朝",
            "夜",
            "晩",
            "昼",
            "夏",
            "冬",
            "春",
            "秋",
            "日曜",
            "土曜",
            "頃から",
        )
    ):
        return True
    if any(token.pos[1] == "数詞" for token in inside):
        return True  # 五時間も, 三回は
    return inside[-1].pos[2] == "副詞可能" and inside[-1].surface not in {"うち"}
