"""What a question says about time: the window it asks about, and whether it asks for a time."""

from __future__ import annotations

import re
from datetime import datetime

from cognis_memory.domain.dates.finding import found_dates, main_of
from cognis_memory.domain.dates.mention import DateMention
from cognis_memory.domain.dates.scene import Tense
from cognis_memory.domain.lazy_patterns import lazy_pattern


def query_window(text: str, reference: datetime) -> DateMention | None:
    """The time a question is about: "What did I do last week?", "in March", 「去年の夏に何をした？」.

    None where it names no time ("When did I …?"). Memories lie in the past, so a date that comes round
    again means its latest turn where no verb says otherwise. Raises ValueError for a naive `reference`.
    """
    return main_of(text, found_dates(text, reference, None, Tense.PAST))


_CLAUSE_START = r"(?:^|[.!?,;:]\s*|\b(?:and|or|so|but|hey|ok|okay|please|exactly|since|until|till|by)\s+)"
_AUXILIARIES = (
    r"(?:did|do|does|was|were|is|are|am|will|would|has|have|had|can|could|should|shall|might|must"
    r"|exactly|again)"
)
_ASKING = (
    r"(?:know|knew|remember|recall|forgot|forget|wonder|wondering|ask|asked|sure|find out|figure out|look up"
    r"|check|say|said|mention|mentioned|(?:tell|remind|told|show)\s+\w+)"
)
_UNITS = r"(?:days|weeks|months|years|hours|minutes)"
_ASKS_ENGLISH = lazy_pattern(
    # "When did …?", "since when …", "when's …"; not "what did I do when I was in Paris?"
    rf"{_CLAUSE_START}when(?:['’](?:s|d|ll|re)\b|\s+{_AUXILIARIES}\b|\s*\?)"
    # "When Gina got her tattoo?"; not "when I was young, …"
    rf"|{_CLAUSE_START}when\s[^.!?,;\n]{{1,200}}\?"
    rf"|\b{_ASKING}\s+(?:exactly\s+)?when\b"
    r"|\b(?:what|which)(?:['’]s)?\s+(?:(?:is|was|the|exact)\s+){0,3}"
    r"(?:date|days?|months?|years?|week|weekend|season|weekday|time)\b"
    r"|\bthe date (?:of|when|that|on)\b"
    rf"|\bhow\s+(?:long|many\s+{_UNITS})\s+(?:\w+\s+){{0,4}}?(?:ago|since|until|till|before|after|from now)\b"
    r"|\bhow\s+(?:soon|recently)\b",
    re.IGNORECASE,
)
_ASKS_JAPANESE = lazy_pattern(
    # いつ, but not いつも, いつか, いつでも, いつの間にか, いつしか, いつまでも
    r"いつ(?!も|か(?!ら|な)|でも|の間|のま|しか|まで(?:も|たっても|経っても))"
    r"|何(?:月|曜)(?!も)|何日(?![間分もか])|何年(?![間分も])|何時(?![間もか])"
    r"|何(?:日|週間?|[かヶカヵケ箇]月|年|時間|分)(?:くらい|ぐらい|ほど)?前"
    r"|(?:どの|どれ)(?:くらい|ぐらい|ほど)(?:前|昔|以前)"
    r"|(?:どの|何の)(?:日|月|年|週|曜日|季節)(?![本常])"
    r"|日付|日にち|年月日"
)


def asks_when(text: str) -> bool:
    """Whether a text asks for a time: "When …?", "How long ago …?", 「いつ…？」, 「何月に…？」."""
    if _ASKS_ENGLISH().search(text):
        return True
    return not text.isascii() and _ASKS_JAPANESE().search(text) is not None
