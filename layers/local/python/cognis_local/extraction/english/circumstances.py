"""Which circumstance of a life an English content tells: school, team, household, measures, habits."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.english.slot_rules import BY_NOW, NOT, NOW, PROPER, fills, noun, rule
from cognis_local.extraction.model import Slot
from cognis_local.extraction.patterns import any_of

_SCHOOL: Final = any_of(
    "primary|elementary|academy|school|high|college|university|kindergarten|nursery|preschool|uni|institute"
)
_SPORTS: Final = any_of(
    "football|soccer|basketball|baseball|softball|hockey|volleyball|rugby|cricket|swim(?:ming)?|track|chess",
    "debate|quiz|dance|tennis|relay|running|cycling|rowing",
)
_MEMBERSHIP: Final = (
    rule(
        fills("school"),
        rf"^{NOW}{NOT}",
        any_of(
            r"goes to|attends|studies at|is studying at|is (?:a (?:[\w-]+ )?(?:student|pupil) )?at"
            r"|is enrolled (?:at|in)",
            "enrolled (?:at|in)|transferred to|switched to|changed to|moved(?: on)? to|got into"
            "|started(?: at)?",
        ),
        rf" (?P<v>(?:the )?(?:{PROPER}[\w'.&-]*(?: [\w'.&-]+){{0,3}}? {_SCHOOL}\b"
        rf"|University of {PROPER}\w+))",
    ),
    rule(
        lambda match: Slot("team", match["v"], replaces=not match["joined"]),
        rf"^{NOW}{NOT}",
        r"(?:is (?:on|in|part of)|works (?:on|in|with|for)|(?P<joined>joined)|(?:was |got "
        r"|been )?(?:moved|transferred"
        r"|switched|reassigned)(?: over)? to) (?:the|their) ",
        rf"(?P<v>(?!{_SPORTS}\b)[\w&-]+(?: [\w&-]+){{0,2}}?) (?:team|department|division|unit)\b",
    ),
)
_MEASURES: Final = (
    rule(
        lambda match: Slot("household", match["v"]),
        rf"^{NOW}(?:lives|is living) (?!.* in {PROPER})",
        r"(?P<v>alone|by themselves|on their own|with (?:their|a|an|two|three) .+)",
    ),
    rule(fills("supported"), rf"^{NOW}(?:supports|roots for) (?P<v>{PROPER}[\w'-]*(?: {PROPER}[\w'-]*)*)"),
    rule(fills("weight"), rf"^{NOW}weighs {BY_NOW}(?:about |around )?(?P<v>\d[\d.,]*)"),
    rule(
        fills("height"),
        rf"^is {BY_NOW}(?:about |around )?(?P<v>\d[\d.,'\"]*(?: ?(?:cm|centimet\w+|m|met\w+|feet"
        r"|foot|ft|inch\w*)\b)*[ \d]*) tall\b",
    ),
    rule(
        fills("salary"),
        rf"^{NOW}(?:makes|earns|is paid|gets paid) {BY_NOW}(?:about |around )?(?P<v>[$€£¥]?\d[\d.,]*k?)",
    ),
    rule(
        fills("commute"),
        rf"^{NOW}(?:commutes|(?:gets|goes|travels) to (?:work|school"
        r"|the office)) (?:to work )?(?:by|on) (?P<v>(?!\w*days?\b)[\w ]+)",
    ),
    rule(
        fills("commute"),
        rf"^{NOW}(?P<v>drives|cycles|bikes|walks|takes the \w+) to (?:work|school|the office)\b",
    ),
    rule(
        fills("chronotype"),
        rf"^is {BY_NOW}(?:an? )?(?:more of a )?(?P<v>morning person|night owl|early bird|night person)\b",
    ),
    rule(
        lambda match: Slot(
            f"prefers:{' '.join(sorted((noun(match['v']), noun(match['other']))))}", match["v"]
        ),
        rf"^{NOW}prefers {BY_NOW}(?P<v>[\w -]+?) (?:to|over) (?P<other>[\w-]+(?: \w+)??)(?= (?:now"
        r"|these)\b|[,.]|$)",
    ),
    rule(
        fills("mobile"),
        rf"^{NOW}(?:uses?|has|owns|switched to|upgraded to|got|bought|changed to) (?:an?|the"
        r"|their)?\s*(?:new )?",
        r"(?P<v>(?-i:iPhone|Pixel|Galaxy|Xperia|Fairphone|OnePlus|Nokia|Huawei"
        r"|Android phone)(?: [\w+]+)*)",
    ),
)

CIRCUMSTANCES: Final = (*_MEMBERSHIP, *_MEASURES)
"""Rules over what follows the subject."""
