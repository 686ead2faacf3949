"""Standing wishes about the conversation (「タメ口で話してください」) and wishes to forget, in Japanese."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.model import Speaker, Statement

_NICKNAME: Final = re.compile(
    r"^(?:(?P<when>[^、。]{1,20})[、は])?(?:(?:私|僕|俺|わたし|自分)(?:の)?(?:こと)?(?:は"
    r"|を)、?)?[「『]?(?P<name>[^「」『』、。はを]{1,16})[」』]?(?:と|って)呼んで(?:ください"
    r"|下さい|ほしい|欲しい|ね|くれ)?(?:です)?"
)
_STANDING: Final = re.compile(
    r"^(?P<wish>(?:(?:これから|今後|次から|以後|いつも|常に|毎回|必ず|今度から)(?:は|も"
    r"|、)?.{0,40}|(?:返事|返信|回答|答え|説明|絵文字|敬語|専門用語|箇条書き)(?:は|を|で).{0,30})"
    r"(?:話し|話さない|答え|返事し|返信し|書い|使っ|使わない|呼ん|説明し|回答し|し|表示し"
    r"|教え)(?:で|て|ないで))(?:ください|下さい|ほしい|欲しい|ね|くれ|ほしいです|欲しいです)"
)
_ABOUT_STORE: Final = re.compile(r"記憶|指示|プロンプト|運営|管理者|従う|パスワード")
_FORGET: Final = re.compile(
    r"^(?P<what>.{2,60}?)(?:(?:という|って)?(?:こと|話|件|の)(?:は|を"
    r"|については)?、?)(?:もう)?(?:忘れて|削除して|消して|なかったことに)"
    r"|^(?P<thing>[^、。はが]{2,30})(?:を|は|についての記録を)(?:忘れて|削除して"
    r"|消して)(?:ください|下さい|ほしい|ね)"
)


def forgotten_clause(sentence: str) -> str:
    """What a sentence asks to forget, without 「ことは忘れて」; else empty."""
    match = _FORGET.match(sentence)
    what = (match["what"] or match["thing"]) if match else ""
    return "" if _ABOUT_STORE.search(what) else what


def standing_wish(sentence: str, speaker: Speaker, name: str) -> Statement | None:
    """How the speaker wants to be addressed or answered from now on; None for a request of the moment."""
    nickname = _NICKNAME.match(sentence)
    if nickname:
        when = (
            f"{nickname['when']}、"
            if nickname["when"] and not re.search(r"私|僕|俺", nickname["when"])
            else ""
        )
        return Statement(f"{name}は{when}「{nickname['name']}」と呼ばれたい", speaker.name)
    standing = _STANDING.match(sentence)
    if standing is None or _ABOUT_STORE.search(sentence):
        return None
    return Statement(f"{name}は{standing['wish']}ほしい", speaker.name)
