"""The words and numbers that tell one Japanese content from another."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.japanese.morphology import Token, tokenize
from cognis_local.extraction.patterns import by_word, word_set

_CONTENT: Final = word_set("名詞 動詞 形容詞 形状詞 接尾辞")
_STILL: Final = re.compile(r"相変わらず|今でも|今も|いまだに|引き続き")
_CHANGE: Final = word_set(
    "やめる 辞める 止める 売る 手放す 処分 譲る 忘れる 解約 退会 無い もう 全然 中止"
    " キャンセル 取り止める 取り消す 白紙"
    " 治る 直る 完治 克服 終わる 終える 終了"
)
"""What only says that something ended: 「タバコをやめました」 is about tobacco."""


_SYNONYMS: Final = by_word({"習う": "勉強 学ぶ 学習 レッスン 稽古", "飲む": "飲み 飲み会"})
_AUXILIARIES: Final = word_set("来る くる 行く いく しまう 仕舞う 見る みる 置く おく")
"""Verbs that only say after 〜て how something was done: 行ってきました."""
_KANJI_DIGITS: Final = str.maketrans("一二三四五六七八九", "123456789")
_KANJI_NUMBER: Final = re.compile(
    r"(?P<tens>[一二三]?十)?(?P<ones>[一二三四五六七八九])?"
    r"(?:(?=[月日])|(?<=[二三四五六七八九十])(?=[人匹本個回歳才冊台枚頭羽杯]))"
)


def _in_digits(match: re.Match[str]) -> str:
    """ "5" for 五, "14" for 十四, "30" for 三十; nothing stays nothing."""
    if not match.group():
        return ""
    tens = (match["tens"] or "").translate(_KANJI_DIGITS)
    number = 10 * int(tens[:-1] or "1") if tens else 0
    return str(number + int((match["ones"] or "0").translate(_KANJI_DIGITS)))


def _in_figures(text: str) -> str:
    """Months, days and counts in figures, so that 五月四日 and 5月4日 compare; weekdays and 一人 stay."""
    return re.sub(rf"(?<![一二三四五六七八九十]){_KANJI_NUMBER.pattern}", _in_digits, text)


def terms(text: str, subject: str) -> frozenset[str]:
    """The distinguishing words and numbers of a text in dictionary form, without those of its subject."""
    return frozenset(ordered_terms(text, subject))


def ordered_terms(text: str, subject: str) -> list[str]:
    """The same in the order of the text."""
    left_out = {subject} | {word for word, name in words.RELATIONS.items() if subject.endswith(f"'s {name}")}
    found: list[str] = []
    tokens = tokenize(_in_figures(_STILL.sub("", text)))
    for i, token in enumerate(tokens):
        if i and token.lemma in _AUXILIARIES and tokens[i - 1].surface in {"て", "で"}:
            continue
        if token.surface == "車" and token.pos[0] == "接尾辞" and found:
            found[-1] += token.surface  # 自転車, which the dictionary cuts: no kind of car
        elif _tells(token) and token.surface not in left_out:
            found.append(_SYNONYMS.get(token.normal, token.normal))
    return found


def _tells(token: Token) -> bool:
    if token.pos[0] not in _CONTENT or (token.pos[0] == "接尾辞" and token.surface in words.HONORIFICS):
        return False
    return not {token.lemma, token.normal} & (words.STOP | _CHANGE)
