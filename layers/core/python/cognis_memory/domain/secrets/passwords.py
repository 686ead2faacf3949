"""Passwords and PINs, which only the words before them tell: "password: …", 「暗証番号は…」."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cognis_memory.domain.secrets.span import ASTERISKS, Span

_NOUN: Final = re.compile(
    r"(?P<password>pass(?:word|wd|code|phrase)|パス(?:ワード|コード|フレーズ))"
    r"|(?P<pin>(?:pin(?: ?(?:code|number))?|cvv2?|cvc2?|security code)(?![a-z])"
    r"|暗証番号|pin(?:コード|番号)|セキュリティ・?コード)"
    r"|(?P<short>(?:pwd|pw|pass)(?![a-z])|パス(?![ァ-ヶー]))",
    re.IGNORECASE,
)
_SIGN: Final = re.compile(
    r"(?: (?:to|for|of) [\w'-]{1,20}(?: [\w'-]{1,20}){0,4}|[\"'」])?\s{0,3}(?::=|=>|[:=→])\s{0,3}"
)
_PARTICLE: Final = re.compile(r"\s{0,3}(?:[はがをも]、?|、)(?:たしか|確か|たぶん|多分)?\s{0,3}")
_VERB: Final = re.compile(r"(?:(?: [\w@.'-]{1,20}){0,5}? (?:is|was)|'s)(?: now)?:? ", re.IGNORECASE)
_CHANGED_TO: Final = re.compile(r" (?:to|as) ", re.IGNORECASE)
_BESIDE: Final = re.compile(r"\s{1,3}")
_JOINTS: Final = (_SIGN, _PARTICLE, _VERB, _CHANGED_TO, _BESIDE)
"""What stands between the name and the password."""

_VALUE: Final = re.compile(r"[\"“‘'`「『](?P<quoted>[^\s\"”’'`」』]{3,64})[\"”’'`」』]|(?P<bare>[!-~]{3,64})")
_BEFORE: Final = re.compile(
    r"(?P<value>[!-~]{4,64}?)[\"'”’」』]?"
    r"(?: (?:is|as|was) (?:my|our|the|his|her|their|your|a) (?:[\w'-]{1,20} ){0,3}|(?:が"
    r"|を)(?:[^\s、。!-~]{1,10}の)?)$"
)
"""A password that stands before its name: "hunter2 is my password"."""
_LONGEST_BEFORE: Final = 140

_TRAILING: Final = ".,;:?)]}>\"'」"
_SYMBOLS: Final = frozenset("!@#$%^&*+=~|\\<>?_")
_NO_PASSWORDS: Final = re.compile(
    r"required|optional|none|null|nil|true|false|string|str|text|hidden|secret|empty|unknown|missing|wrong|incorrect"
    r"|correct|invalid|valid|changed|reset|forgotten|expired|strong|weak|same|different|please|this|that|with|your"
    r"|their",
    re.IGNORECASE,
)
"""What stands after "password:" in forms, types and errors."""

_ENDS: Final = re.compile(r"\s*(?:$|[\n。、.,!！;；」』)）\]]|です|でし|だ|って|なの|よ|ね)")
_KEPT_WITH: Final = re.compile(
    r"(?:で|に|を|へ|と)[^。\n]{0,8}?(?:管理|保存|記録|保管|生成|入っ|入れて|使っ|使い|作|共有|書い|登録|同期|似|同じ)"
)
"""What follows the name of a password manager or a place."""


def find_passwords(text: str) -> Iterator[Span]:
    """What is stated to be a password, where its characters or the words around it leave no doubt."""
    for noun in _NOUN.finditer(text):
        if _is_whole(noun):
            stated = [*(_stated(noun, joint, text) for joint in _JOINTS), _stated_before(noun, text)]
            yield from [span for span in stated if span][:1]


def _is_whole(noun: re.Match[str]) -> bool:
    """Whether a short name is a word by itself, no part of "spin" or 「コンパス」; a long one always is."""
    before = noun.string[noun.start() - 1 : noun.start()]
    return bool(noun["password"]) or not re.match(r"[a-zァ-ヶー]", before, re.IGNORECASE)


def _stated(noun: re.Match[str], joint: re.Pattern[str], text: str) -> Span | None:
    """The password that follows the name in this way."""
    joined = joint.match(text, noun.end())
    given = _VALUE.match(text, joined.end()) if joined else None
    if given is None:
        return None
    value = given["quoted"] or given["bare"].rstrip(_TRAILING)
    start = given.start("quoted" if given["quoted"] else "bare")
    after = text[start + len(value) : start + len(value) + 24]
    if _is_masked(value) or not (
        _is_password(noun, joint, value, after) or (given["quoted"] and joint != _BESIDE)
    ):
        return None
    return Span(start, start + len(value), ASTERISKS[: len(value)])


def _stated_before(noun: re.Match[str], text: str) -> Span | None:
    """The password that its name follows."""
    given = _BEFORE.search(text[max(0, noun.start() - _LONGEST_BEFORE) : noun.start()])
    if given is None or not noun["password"]:
        return None
    value = given["value"].lstrip("\"'(")
    end = max(0, noun.start() - _LONGEST_BEFORE) + given.end("value")
    return Span(end - len(value), end, ASTERISKS) if _mixes(value) and not _is_masked(value) else None


def _is_password(noun: re.Match[str], joint: re.Pattern[str], value: str, after: str) -> bool:
    if _KEPT_WITH.match(after):
        return False
    if noun["pin"]:
        return 3 <= len(value) <= 8 and value.isdigit() and bool(_ENDS.match(after) or after.startswith(" "))
    if joint == _BESIDE:
        return bool(noun["password"] and _SYMBOLS & set(value)) and _has_digit(value) and _has_letter(value)
    if _mixes(value):
        return True
    tells_how_it_is = joint in (_VERB, _CHANGED_TO)
    return not noun["short"] and _is_word_alone(value, after, only_digits=tells_how_it_is)


def _mixes(value: str) -> bool:
    """Whether it mixes kinds of characters as words do not: `hunter2`, `p@ss`, `blueHorse`."""
    if len(value) < 4 or not (value[0].isalnum() or value[0] in _SYMBOLS) or not _has_letter(value):
        return False
    return _has_digit(value) or bool(_SYMBOLS & set(value[:-1])) or bool(re.search("[a-z][A-Z]", value))


def _is_word_alone(value: str, after: str, *, only_digits: bool) -> bool:
    """A number or a word that is all that is said; "my password is awful" tells how it is."""
    if not re.fullmatch(r"[A-Za-z0-9][\w-]{3,}", value, re.ASCII) or not _ENDS.match(after):
        return False
    return value.isdigit() or (not only_digits and not _NO_PASSWORDS.fullmatch(value))


def _has_digit(value: str) -> bool:
    return any(character.isdigit() for character in value)


def _has_letter(value: str) -> bool:
    return any(character.isalpha() for character in value)


def _is_masked(value: str) -> bool:
    return set(value) <= {"*", "•", "x", "X", "."} or value.startswith("[")
