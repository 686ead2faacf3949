"""Sentences and clauses of Japanese text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cognis_local.extraction.japanese.morphology import Token, tokenize

MAX_SENTENCE: Final = 300
"""Longer "sentences" are pasted data, not something a person states."""

_BOUNDARY: Final = re.compile(r"(?<=[。！？!?♪…])[」』）)]*\s*|\n+|(?<=[^\x00-\x7f])[wｗ笑]+(?=\s|$)|\s{2,}")
_EMOJI: Final = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d☆★♪]+|[（(]?笑[）)]?$|[wｗ]{2,}$")
_LEADING: Final = re.compile(
    r"^(?:・|(?:実は|ちなみに|そういえば)(?=[^、])"
    r"|(?:でも|だから|しかも)(?=[今来先昨去明毎]|私|僕|俺|もう|最近|まだ)|[-*•]\s+|\d{1,2}[.)]\s+|(?:えっと|えーと"
    r"|えと|あの|あのう|まあ|まぁ|実は|ちなみに|そういえば|うん|うーん|はい|ええ|いいえ|いえ|いや"
    r"|あ|ああ|あっ|へえ|わあ|おお|"
    r"やっぱり|やはり|でも|だけど|それで|それと|それに|それが(?:ね|さ)|あと|そして|で|なんか|正直|本当に"
    r"|ほんと|ところで|さて|じゃあ|では|とりあえず|一応|参考までに|なお|ただ|そう|すみません"
    r"|ごめん(?:なさい)?|"
    r"間違えました|間違えた|間違い(?:です|でした)?|違う|違います|違った|違いました|訂正です|訂正します|訂正"
    r"|わかりました|分かりました|承知しました|了解です|かしこまりました"
    r"|ありがとう(?:ございます)?|はじめまして|初めまして|こんにちは|こんばんは"
    r"|おはよう(?:ございます)?|今)[、,。！!…\s]+)+"
)
_LEAD_CLAUSE: Final = re.compile(
    r"(?:言った|言いました|話した|話しました|伝えた|書いた|覚えておいて|覚えて|知ってる"
    r"|知っている|恐縮|すみません|悪い|突然|余談|前置き|お話しした)[^、。]{0,14}$"
)
_CORRECTION: Final = re.compile(
    r"間違|訂正|じゃなくて|ではなく(?!な)|ではなくて|やっぱり|実は違|正しくは|(?:^|、)(?:いや|いえ)?、?違(?:う|います|った|いました|くて)[、。！!]"
    r"|^(?:いや|ごめん(?:なさい)?|すみません|失礼(?:しました)?)[、。]"
    r"|^実は、?[^はがもをにで、。]{1,20}(?:です|だ|でした|だった)(?:よ|ね)?[。！!]*$"
)
_CORRECTED: Final = re.compile(r"[^、。はがも]{1,20}(?:じゃなくて|ではなくて?|でなく)(?!な)、?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without what leads into it; `corrects` where it says that something was wrong before."""

    text: str
    corrects: bool


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text in order, cut outside of quotations; blank and overlong ones left out."""
    found: list[Sentence] = []
    corrects = False
    for piece in _pieces(text):
        corrects = corrects or bool(_CORRECTION.search(piece))
        plain = _LEADING.sub("", _EMOJI.sub("", piece).strip()).strip()
        if 2 < len(plain) <= MAX_SENTENCE:
            found.append(Sentence(plain, corrects))
    return found


def without_contrast(sentence: str) -> str:
    """「東京じゃなくて大阪に住んでいます」 without what is not so."""
    return _CORRECTED.sub("", sentence)


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    start = depth = position = 0
    for boundary in _BOUNDARY.finditer(text):
        between = text[position : boundary.start()]
        depth = max(0, depth + sum(map(between.count, "「『")) - sum(map(between.count, "」』")))
        position = boundary.start()
        if depth and "\n" not in boundary.group():
            continue
        depth = 0
        pieces.append(text[start : boundary.end()])
        start = position = boundary.end()
    pieces.append(text[start:])
    return pieces


def split_clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, cut after 〜ていて, 〜で (copula), 〜し, 〜が and 〜けど; each stands alone.

    Reasons (〜ので, 〜から) and sequences of deeds (〜て) stay with the clause that they lead to.
    """
    text = sentence.rstrip("。！!.… ")
    tokens = tokenize(text)
    clauses: list[str] = []
    start = depth = 0
    for i, token in enumerate(tokens):
        depth += (token.surface in _OPENING_BRACKETS) - (token.surface in _CLOSING_BRACKETS)
        end = _clause_end(text, tokens, i, start) if depth == 0 else None
        if end is not None:
            clauses.append(end)
            following = i + 1 + (tokens[i + 1].surface in {"、", ","})
            start = tokens[following].start if following < len(tokens) else len(text)
    clauses.append(text[start:])
    stripped = [clause.strip("、, 。") for clause in clauses]
    return [clause for clause in stripped if len(clause) > 1 and not _LEAD_CLAUSE.search(clause)]


def _clause_end(text: str, tokens: list[Token], i: int, start: int) -> str | None:
    """The clause that ends with token `i`, in a form that stands alone; None where none ends."""
    if i == 0 or i + 1 >= len(tokens) or tokens[i - 1].start < start:
        return None
    token, before = tokens[i], tokens[i - 1]
    contrasts = token.pos[1] == "接続助詞" and token.surface in _CONTRASTS and before.pos[1] != "格助詞"
    if tokens[i + 1].surface not in {"、", ","}:
        return text[start : token.start] if contrasts else None
    if contrasts or (token.surface == "が" and (token.pos[1] == "接続助詞" or before.pos[0] == "助動詞")):
        return text[start : token.start]
    if token.surface == "て" and before.lemma == "いる" and before.start > start:
        return text[start : before.start] + "います"
    if token.lemma == "おる" and before.surface in {"て", "で"}:
        return text[start : token.start] + "います"
    copula = token.surface == "で" and token.pos[1] != "接続助詞"
    return (
        text[start : token.start] + "です"
        if copula and _is_copula(text[start : token.start], before)
        else None
    )


_CONTRASTS: Final = frozenset({"けど", "けれど", "けれども", "し"})
_OPENING_BRACKETS: Final = frozenset("「『（(")
_CLOSING_BRACKETS: Final = frozenset("」』）)")
_COPULA_HEAD: Final = re.compile(
    r"(?:歳|才|師|士|員|家|者|医|官|生|屋|人|型|利き|出身|独身|長男|長女|次男|次女|末っ子"
    r"|一人っ子|趣味|日課|好き|嫌い|苦手|得意|アレルギー|エンジニア|デザイナー)$"
)


def _is_copula(left: str, before: Token) -> bool:
    """Whether 「〜で、」 is "is ... and", not "at": after a topic, or after what only a person is."""
    if before.pos[0] not in {"名詞", "接尾辞", "形状詞"} or before.pos[2] == "地名":
        return False
    return bool(_COPULA_HEAD.search(left)) or bool(re.search(r"[はも]", left))
