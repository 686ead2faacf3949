"""Whether a question asks how things were before: then the answer brings its versions along."""

from __future__ import annotations

import re

_ENGLISH = re.compile(
    r"""\b(?: used?\ to | previous(?:ly)? | former(?:ly)? | earlier | originally | at\ first | initially
        | before | in\ the\ past | back\ then | history\ of | over\ time | over\ the\ years
        | change[ds]? | changing | evolve[ds]? | switch(?:ed)? | prior )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_JAPANESE = re.compile(
    r"以前|前は|前の|前に|昔|かつて|元々|もともと|元は|もとは|過去|当初|最初は|変わ|変化|変更|履歴|経緯|推移|今まで|これまで|旧"
)
_NOT_HISTORY = re.compile(
    r"\b(?:the\ )?(?:day|week|month|night|year)\ before\b|(?:目|日|週|間|月|年|分|秒)の?前に|名前",
    re.IGNORECASE,
)


def asks_for_history(query: str) -> bool:
    """English and Japanese words that ask for former states ("used to", "before", 「以前」, 「変わった」).

    "The week before" and 「名前」 hold such a word and ask for something else.
    """
    rest = _NOT_HISTORY.sub(" ", query)
    return bool(_ENGLISH.search(rest) or _JAPANESE.search(rest))
