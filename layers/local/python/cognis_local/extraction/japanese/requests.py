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
_ENTIRELY: Final = r"(?:もう|全部|ぜんぶ|全て|すべて|きれいに|どうか|、)*"
_GONE: Final = r"(?:忘れて|削除して|消して|無視して|なかったことに)"
_TOLD_ABOUT: Final = re.compile(
    r"(?:について|に関して|のことを?|のこと(?:について)?で?)(?:は|、)?(?:私|僕|俺)?(?:が|は)?(?:今|前に|先ほど|さっき|以前)?"
    r"(?:言っ|話し|伝え|教え|書い|述べ|触れ)(?:た|ていた)$|の$"
)
"""古地図について話した(ことは忘れて): all about the map, not the telling."""
_FORGET: Final = re.compile(
    r"^(?P<what>.{2,60}?)(?:(?:という|って)?(?:こと|話|件|内容|もの|の)(?:は|を|も"
    rf"|については)?、?){_ENTIRELY}{_GONE}"
    r"|^(?P<thing>[^、。はが]{2,30}?)(?:を|は|についての記録を|について|に関して|に関する(?:記憶|情報)を)"
    rf"{_ENTIRELY}{_GONE}(?:ください|下さい|ほしい|ね|[。！!]|$)"
)


_UNTRUE: Final = re.compile(
    r"^(?P<what>[^。]{2,60}?)(?:という(?:の|こと|話)|って(?:いう)?(?:の|話)?)は(?:間違い|誤り|嘘|うそ|ウソ|勘違い|冗談)"
    r"(?:です|でした|だ|だった)?(?:よ|ね)?[。！!]*$"
)


def forgotten_clause(sentence: str) -> str:
    """What a sentence asks to forget or calls untrue, without 「ことは忘れて」; else empty."""
    untrue = _UNTRUE.match(sentence)
    if untrue:
        return untrue["what"]
    match = _FORGET.match(sentence)
    what = _TOLD_ABOUT.sub("", match["what"] or match["thing"]) if match else ""
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
