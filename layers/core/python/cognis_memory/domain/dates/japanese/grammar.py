"""Chains and ranges of Japanese time expressions, and the walk over a text that finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cognis_memory.domain.dates.details import Clock, Rank
from cognis_memory.domain.dates.japanese.amounts import AMOUNT, amount_of
from cognis_memory.domain.dates.japanese.building import Build
from cognis_memory.domain.dates.japanese.elements import ELEMENTS
from cognis_memory.domain.dates.japanese.lexicon import FALSE_FRIENDS
from cognis_memory.domain.dates.japanese.numbers import NUMBER, half_width
from cognis_memory.domain.dates.japanese.patterns import DECIDED, words
from cognis_memory.domain.dates.terms import Body, Chain, Expression, Lasting, Range, chain_of_days
from cognis_memory.domain.lazy_patterns import lazy_pattern

_BUILD: dict[str, Build] = {element.name: element.build for element in ELEMENTS}


@cache
def _any_of(*, strict: bool) -> re.Pattern[str]:
    """Compiled when first needed: a process that sees no Japanese need not pay for it."""
    patterns = (
        f"(?P<{element.name}_>{pattern})"
        for element in ELEMENTS
        if (pattern := element.strict if strict else element.loose) is not None
    )
    return re.compile("|".join(patterns))


def _next_element(text: str, index: int) -> re.Match[str] | None:
    return _any_of(strict=False).match(text, index)


_FALSE_FRIEND = lazy_pattern(words(FALSE_FRIENDS) + r"|今日は(?=[!。]|$)")
# Tried in turn: 前 and 初 may belong to the next element.
_CONNECTORS = (re.compile(r"(?:の|は|も|には?)[、,\s]*"), re.compile(r"[、,\s]*"))
_MOST_ELEMENTS = 12  # elements counted from each other (クリスマスの翌日の3日後) make nested chains
_TO = re.compile(r"\s*(?:から|[~–—ー-])\s*")
_AND = re.compile(r"と")
_LISTED = lazy_pattern(r"\s*(?:[、,・と]|および|及び|または|か)\s*")
_RANGE_END = re.compile(r"まで|にかけて|の間|(?=[。、)\s]|で|$)")
_BETWEEN_END = re.compile(r"の間")
_SINCE = lazy_pattern(
    r"以来|からずっと|から(?:今|これ|現在)まで|から(?=[^。!?]{0,30}?(?:て|で)(?:い(?:る|ます|た|まし)|き(?:た|まし)))"
)
_TO_COME = lazy_pattern(rf"から[^。!?、]{{0,30}}?{DECIDED}")
_UNTIL = re.compile(r"まで(?!に|も|の)")
_A_YEAR = r"(?:\d{4}|[一二][〇零一二三四五六七八九]{3})年(?!間)"  # no length: 2023年から2025年まで
_LASTING = lazy_pattern(rf"から(?!{_A_YEAR})(?P<length>{AMOUNT})(?<=間|月|年)")
_RECURRENCE_BEFORE = lazy_pattern(rf"(?:毎[週月年日朝晩]?|隔[週月年]|各[週月年]?)の?(?:{NUMBER}日[、・と])*$")
_RECURRENCE_REACH = 16  # characters before: 毎月1日、10日と20日に
_RECURRENCE_AFTER = re.compile(r"(?:日|週|月|年)?(?:ごと|毎|おき)")


class _Found(NamedTuple):
    body: Body
    stop: int


class _Piece(NamedTuple):
    chain: Chain
    stop: int


def parse(text: str) -> Iterator[Expression]:
    """The time expressions of a text from left to right, none overlapping."""
    text = half_width(text)
    index = 0
    while (match := _any_of(strict=True).search(text, index)) is not None:
        friend = _FALSE_FRIEND().match(text, match.start())
        if friend is not None:
            index = friend.end()
            continue
        piece = _chain(text, match)
        if piece is None or not piece.chain.is_dated:
            index = match.start() + 1
            continue
        found = _day_list(text, match.start(), piece) or [_whole(match.start(), _with_tail(text, piece))]
        recurs = _RECURRENCE_BEFORE().search(text, max(0, match.start() - _RECURRENCE_REACH), match.start())
        if not recurs and not _RECURRENCE_AFTER.match(text, found[-1].end):
            yield from found
        index = found[-1].end


def _whole(start: int, found: _Found) -> Expression:
    return Expression(start, found.stop, found.body)


def _day_list(text: str, start: int, first: _Piece) -> list[Expression]:
    """Days that share what stands before the first (6月1日、2日): one range for days in a row.

    Empty where no second day does.
    """
    pieces, starts = [first], [start]
    while pieces[-1].chain.day_of_month is not None:
        joint = _LISTED().match(text, pieces[-1].stop)
        match = _next_element(text, joint.end()) if joint else None
        day = _chain(text, match) if match and match.lastgroup == "day_" else None
        if match is None or day is None:
            break
        shared = tuple(term for term in first.chain.terms if term.rank < Rank.DAY)
        pieces.append(_Piece(Chain(shared + day.chain.terms, first.chain.which), day.stop))
        starts.append(match.start())
    if len(pieces) < 2 or first.chain.coarsest >= Rank.DAY or _BETWEEN_END.match(text, pieces[-1].stop):
        return []
    row = chain_of_days([piece.chain for piece in pieces])
    if row is not None:
        return [Expression(start, pieces[-1].stop, row)]
    return [Expression(at, piece.stop, piece.chain) for at, piece in zip(starts, pieces, strict=True)]


def _chain(text: str, match: re.Match[str]) -> _Piece | None:
    """The element matched, and all that narrow it."""
    chain = _built(match, None)
    if chain is None:
        return None
    piece = _Piece(chain, match.end())
    for _ in range(_MOST_ELEMENTS):
        more = _continuation(text, piece)
        if more is None:
            break
        piece = more
    return piece if piece.chain.terms else None


def _built(match: re.Match[str], chain: Chain | None) -> Chain | None:
    return _BUILD[(match.lastgroup or "").removesuffix("_")](match, chain)


def _continuation(text: str, piece: _Piece) -> _Piece | None:
    for connector in _CONNECTORS:
        connected = connector.match(text, piece.stop)
        match = _next_element(text, connected.end()) if connected else None
        if connected is None or match is None or not _connects(connected[0], match.lastgroup):
            continue
        chain = _built(match, piece.chain)
        if chain is not None:
            return _Piece(chain, match.end())
    return None


def _connects(particle: str, element: str | None) -> bool:
    """明日は夜に, but not 今年は初めて; 明日に8時, but not 来週に火曜."""
    particle = particle.strip("、, ")
    if element in ("fraction_", "nth_", "same_day_"):
        return particle in ("", "の")
    return not particle.startswith("に") or element in ("clock_", "part_of_day_")


# Tails


def _with_tail(text: str, piece: _Piece) -> _Found:
    return (
        _from_anchor(text, piece)
        or _range(text, piece, _TO, _RANGE_END)
        or _range(text, piece, _AND, _BETWEEN_END)
        or _open_range(text, piece)
        or _Found(piece.chain, piece.stop)
    )


def _range(text: str, left: _Piece, separator: re.Pattern[str], ending: re.Pattern[str]) -> _Found | None:
    """5月から7月まで, 3/25~3/30, 月曜と水曜の間."""
    between = separator.match(text, left.stop)
    match = _next_element(text, between.end()) if between else None
    right = _chain(text, match) if match else None
    if between is None or right is None:
        return None
    end = ending.match(text, right.stop)
    if (end is None and between[0].strip() == "から") or (separator is _AND and end is None):
        return None
    timed = isinstance(right.chain.terms[-1], Clock)
    if not right.chain.is_dated and not (timed and left.chain.finest >= Rank.DAY):
        return None
    return _Found(Range(left.chain, right.chain), end.end() if end else right.stop)


def _from_anchor(text: str, piece: _Piece) -> _Found | None:
    """明日から3日後, 来週の月曜から5日間."""
    if not text.startswith("から", piece.stop):
        return None
    match = _next_element(text, piece.stop + 2)
    if match is not None and match.lastgroup == "offset_":
        chain = None if text.startswith("まで", match.end()) else _built(match, piece.chain)
        return _Found(chain, match.end()) if chain else None
    lasting = _LASTING().match(text, piece.stop)
    amount = amount_of(lasting["length"]) if lasting else None
    if lasting is None or amount is None or amount.minutes:
        return None
    return _Found(Lasting(piece.chain, amount), lasting.end())


def _open_range(text: str, piece: _Piece) -> _Found | None:
    """2019年から住んでいる, 金曜まで."""
    since = None if _TO_COME().match(text, piece.stop) else _SINCE().match(text, piece.stop)
    if since is not None:
        return _Found(Range(piece.chain, None), since.end())
    until = _UNTIL.match(text, piece.stop)
    return _Found(Range(None, piece.chain), until.end()) if until else None
