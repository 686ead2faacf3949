"""Which attributes of the asker a question asks for: "Which company do I work for?" for the employer."""

from __future__ import annotations

import re
from typing import Final

from cognis_memory.domain.lazy_patterns import lazy_pattern

_NOW: Final = r"(?:(?:now|currently|actually|still) )?"
_JAPANESE_SELF: Final = (
    r"^(?:(?:今|現在|いま)(?:は|の|、)?)?(?:(?:私|僕|俺|自分)(?:は|の|が)?)?(?:今|現在)?(?:は|の|、)?"
)

_ATTRIBUTES: Final = tuple(
    (slots, lazy_pattern(rf"\b(?:{english})|{_JAPANESE_SELF}(?:{japanese})", re.IGNORECASE))
    for slots, english, japanese in (
        (
            ("home",),
            rf"(?:where|what (?:city|town|country)|which (?:city|town|country)) (?:do|am) i {_NOW}"
            r"(?:live|living|based|reside)|what is my (?:home|city|current city)\b",
            r"(?:どこ|どの(?:町|街|都市|県|国))(?:に|で)(?:住ん|暮らし)|住まい|居住地|住んでいる(?:の"
            r"|ところ|場所|町|街)は",
        ),
        (
            ("employer", "job"),
            rf"(?:where|who|which company|what company) do i {_NOW}work\b|(?:who|what) is my employer\b"
            r"|where am i (?:now |currently )?(?:working|employed)",
            r"(?:どこ|どちら|どの会社|何の会社)(?:の会社)?(?:で働|に勤め)|勤務先|勤め先|職場は",
        ),
        (
            ("job", "employer"),
            r"what do i do (?:for|at) (?:a living|work)|what(?:'s| is) my (?:current )?(?:job"
            r"|occupation|profession"
            r"|position|work)\b",
            r"(?:仕事|職業)(?:は|って)(?:何|なに|なん|？|\?)|何の仕事|職業は",
        ),
        (
            ("car",),
            rf"(?:what|which)(?: kind of| type of)? (?:car|vehicle) do i {_NOW}(?:drive|have|own)"
            r"|what(?:'s| is) my car\b",
            r"(?:何|どんな|どの)(?:の)?(?:車|バイク)(?:に|を)|何に乗って|車(?:は|の車種は)(?:何|なに|なん)",
        ),
        (
            ("mobile",),
            rf"(?:what|which)(?: kind of)? (?:phone|smartphone|mobile) do i {_NOW}(?:have|use|own)",
            r"(?:どの|何の|どんな)(?:スマホ|携帯|スマートフォン)",
        ),
        (
            ("relationship_status",),
            r"am i (?:married|single|engaged|divorced|dating|seeing anyone)|what(?:'s"
            r"| is) my (?:marital|relationship)"
            r" status\b",
            r"結婚して(?:い)?(?:ます|る)か|独身|既婚",
        ),
        (
            ("diet",),
            r"what(?:'s| is) my diet\b|am i (?:a )?(?:vegan|vegetarian|pescatarian)",
            r"食事の?制限|(?:ベジタリアン|ヴィーガン|ビーガン)(?:です|でした)か",
        ),
    )
)


def asked_attributes(query: str) -> frozenset[str]:
    """The slots, by the names that memories carry, whose value a question asks of the asker; else empty.

    "What does my sister do?" asks of somebody else, "Where did I live?" of the past: neither names one.
    """
    return frozenset(slot for slots, pattern in _ATTRIBUTES if pattern().search(query) for slot in slots)
