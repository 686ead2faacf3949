"""What an assistant states of itself, commits to or recommends by name, in Japanese."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese.morphology import tokenize

_COMMITS: Final = re.compile(
    r"(?:予約|手配|注文|登録|設定|送信|作成|変更|キャンセル|追加|保存)(?:を)?(?:しました"
    r"|いたしました|済みです|しておきました)$|お送りしました$|送りました$"
    r"|(?:お送り|お知らせ|ご連絡|連絡|リマインド|予約|手配|通知|ご案内)(?:を)?(?:します"
    r"|いたします|しておきます)$|(?:送ります|届けます)$"
)
_RECOMMENDS: Final = re.compile(r"(?:おすすめ|お勧め|お薦め|推奨)(?:します|いたします|です)$")
_IDENTITY: Final = re.compile(r"^(?:私(?:の名前)?は|名前は).{1,20}(?:です|といいます|と申します)$")
_GENERIC: Final = re.compile(
    r"場合|一般的|必要であれば|もし|AI|言語モデル|よろしければ|ことを(?:お勧め|おすすめ)"
)


def worth_keeping(sentence: str) -> bool:
    """Whether an assistant's sentence commits it, recommends something by name or says who it is."""
    plain = sentence.rstrip("。！! ")
    if _GENERIC.search(plain):
        return False
    if _COMMITS.search(plain) or _IDENTITY.match(plain):
        return True
    return bool(_RECOMMENDS.search(plain)) and any(token.pos[1] == "固有名詞" for token in tokenize(plain))
