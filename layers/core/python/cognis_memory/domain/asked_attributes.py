"""Which attributes of the asker a question asks for: "Which company do I work for?" for the employer."""

from __future__ import annotations

import re
from typing import Final

from cognis_memory.domain.lazy_patterns import lazy_pattern

_LEAD: Final = (
    r"^\W*(?:(?:hey|hi|so|and|ok|okay|well|please|do you (?:know|remember)|tell me|remind me"
    r"|(?:can|could) you tell me)\W+)*"
)
_NOW: Final = r"(?:(?:now|currently|actually|still) )?"
_TAIL: Final = (
    r"(?:,? (?:now|currently|nowadays|these days|at the moment|right now|at present|today|again|please))*\W*$"
)
_JAPANESE_NOW: Final = r"(?:今|現在|いま)?(?:は|の|、)?"
_JAPANESE_LEAD: Final = rf"^{_JAPANESE_NOW}(?:(?:私|僕|俺|自分)(?:は|の|って|、)?)?{_JAPANESE_NOW}"
_IS: Final = r"い?(?:る|ます)"
_JAPANESE_TAIL: Final = r"(?:の|ん)?(?:です|だ|でしょう|だろう)?(?:か|っけ|かな)?\W*$"

_ATTRIBUTES: Final = tuple(
    (
        slots,
        lazy_pattern(
            rf"{_LEAD}(?:{english}){_TAIL}|{_JAPANESE_LEAD}(?:{japanese}){_JAPANESE_TAIL}", re.IGNORECASE
        ),
    )
    for slots, english, japanese in (
        (
            ("home",),
            rf"(?:where|(?:what|which) (?:city|town|country)) (?:do|am) i {_NOW}(?:live|living|based|reside)"
            r"(?: in)?|what(?:'s| is) my (?:home|(?:home |current )?(?:city|town))",
            rf"(?:どこ|どの(?:町|街|都市|県|国))(?:に|で)(?:住んで|暮らして){_IS}|どこ住み"
            r"|(?:住まい|居住地|自宅|住んでいる(?:の|ところ|場所|町|街))は(?:どこ|どちら)?",
        ),
        (
            ("employer", "job"),
            rf"(?:where|who|(?:what|which) company) do i {_NOW}work(?: for| at)?"
            rf"|(?:who|what)(?:'s| is) my (?:current )?employer|where am i {_NOW}(?:working|employed)",
            rf"(?:どこ|どちら|(?:どの|何の|何という)会社)(?:の会社)?(?:で働いて|に勤めて){_IS}"
            r"|(?:勤務先|勤め先|職場)(?:は|って)(?:どこ|どちら|何|なに|なん)?",
        ),
        (
            ("job", "employer"),
            rf"what do i {_NOW}do (?:for a living|for work|at work)"
            r"|what(?:'s| is) my (?:current )?(?:job(?: title)?|occupation|profession|position|work)",
            rf"(?:仕事|職業)(?:は|って)(?:何|なに|なん)?|何の仕事を?して{_IS}",
        ),
        (
            ("car",),
            rf"(?:what|which)(?: kind of| type of)? (?:car|vehicle) do i {_NOW}(?:drive|have|own)"
            r"|what(?:'s| is) my car",
            rf"(?:(?:何|どんな|どの)の?車(?:に乗って|を(?:運転して|持って))|何に乗って){_IS}"
            r"|車(?:の車種)?は(?:何|なに|なん)",
        ),
        (
            ("mobile",),
            rf"(?:what|which)(?: kind of)? (?:phone|smartphone|mobile) do i {_NOW}(?:have|use|own)",
            rf"(?:どの|何の|どんな)(?:スマホ|携帯|スマートフォン)を?(?:使って|持って){_IS}",
        ),
        (
            ("relationship_status",),
            rf"am i {_NOW}(?:married|single|engaged|divorced|dating|seeing anyone)"
            r"|what(?:'s| is) my (?:marital|relationship) status",
            rf"結婚して{_IS}|独身|既婚",
        ),
        (
            ("diet",),
            rf"what(?:'s| is) my diet|am i {_NOW}(?:a )?(?:vegan|vegetarian|pescatarian)",
            r"食事の?制限は(?:何|なに|なん|ある|あります)?|(?:ベジタリアン|ヴィーガン|ビーガン)",
        ),
    )
)


def asked_attributes(query: str) -> frozenset[str]:
    """The slots, by the names that memories carry, whose value a question asks of the asker; else empty.

    The whole question has to ask for it: "What does my sister do?" asks of somebody else, "Where did I
    live?" of the past, "What is my work email?" of something else: none of them names one.
    """
    return frozenset(slot for slots, pattern in _ATTRIBUTES if pattern().search(query) for slot in slots)
