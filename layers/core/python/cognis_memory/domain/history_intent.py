"""Whether a question asks how things were before: then the answer brings its versions along."""

from __future__ import annotations

import re

from cognis_memory.domain.lazy_patterns import lazy_pattern

_ENGLISH = lazy_pattern(
    r"""\b(?: used\ to | previous(?:ly)? | former(?:ly)? | earlier | originally | at\ first | initially
        | before | in\ the\ past | back\ then | history\ of | over\ time | over\ the\ years
        | change[ds]? | changing | evolve[ds]? | switch(?:ed)? | prior
        | no\ longer | any\ ?more | any\ longer | stopped | quit | gave\ up | given\ up
        | did(?:n['’]t)?\ (?:\S+\ ){0,4}?(?:use\ to|stop|give\ up)
        | old\ (?:address|home|house|flat|apartment|job|employer|boss|company|school|phone|number|name) )\b
    | ^\W*(?:(?:and|so|but)\ )?(?:was|were|did|had|has|have)(?:n['’]t)?\ .*\b(?:ever|once)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_JAPANESE = lazy_pattern(
    r"以前|前[はのに、]|昔|かつて|元々|もともと|元は|もとは|過去|当初|最初は|変わ|変化|変更|履歴|経緯|推移"
    r"|今まで|これまで|旧|一時期|やめた|辞めた|止めた"
    r"|[ただ](?:こと|事)(?:が|は|も|って)?(?:ある|あり|あった|ない|なかった)"
    r"|もう[^、。?？]{0,20}(?:ない|ません|なくな)"
)
_NOT_HISTORY = lazy_pattern(
    r"\b(?:the\ )?(?:day|week|month|night|year)\ before\b"
    # An order of things, no former state: "What do I drink before bed?", 「寝る前に何を飲む？」
    r"|\b(?:do|does|should|shall|will|can|could|would|must)\b"
    r"(?!.{0,200}\b(?:did|was|were|had|been|used)\b).{0,200}?\bbefore\b"
    r"|[るうくすつぬぶむぐ]前[には、](?!.{0,200}[ただ](?:か|の|のか|っけ|んですか|のですか)?[。?？\s]*$)"
    # A habit or a purpose: "What am I used to?", "Is this pan used to fry?"
    r"|(?:\b(?:am|is|are|was|were|be|been|being|get|gets|got|getting|gotten)|['’](?:m|re|s))\s"
    r"(?:(?!who\b|that\b|which\b)\S+\s){0,4}?used\ to\b"
    r"|\b(?:just|at)\ once\b|\bonce\ (?:an?|every|per)\b"
    r"|(?:目|日|週|間|月|年|分|秒)の?前[に、]|(?:名|午|駅|人|目|手|建|店|門|玄関|この)前|(?:昔|以前)から",
    re.IGNORECASE,
)


def asks_for_history(query: str) -> bool:
    """English and Japanese words that ask for former states ("used to", "was … ever", 「以前」, 「変わる」).

    "The week before" and 「名前」 hold such a word and ask for something else.
    """
    rest = _NOT_HISTORY().sub(" ", query)
    if _ENGLISH().search(rest):
        return True
    return not rest.isascii() and _JAPANESE().search(rest) is not None
