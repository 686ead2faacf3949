"""Keeps of a message what its author says: no code, quotations, recalled memories, commands to the store."""

from __future__ import annotations

import re
from typing import Final

from cognis_memory.domain.recalled_context import without_recalled_context

QUOTATION: Final = "\ufffc"
"""Stands for a quotation that was taken out; a sentence that holds one says nothing by itself."""

_BLOCKS: Final = (
    re.compile(r"```.*?(?:```|\Z)", re.DOTALL),
    re.compile(r"^ ?[>＞].*$", re.MULTILINE),
)
_BLANKS: Final = re.compile(r"[^\S\n]+")
_COMMAND: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?"
    r"|rules|guidelines)\b"
    r"|\b(?:delete|erase|wipe|clear)\b[^.!?\n]{0,20}\b(?:all|every|the"
    r"|your)\b[^.!?\n]{0,20}\bmemor(?:y|ies)\b"
    r"|\b(?:store|save|record|add)\b[^.!?\n]{0,30}\b(?:permanent|memory|memories|database)\b"
    r"|(?:指示|命令|ルール|プロンプト)(?:を|は|も)[^。！？\n]{0,12}(?:無視|忘れ|破棄)"
    r"|(?:すべて|全て|全部)の?(?:記憶|メモリー?)を"
    r"|(?:記憶|メモリー?)(?:を|に|として)?[^。！？\n]{0,8}(?:せよ|しろ|しなさい|削除|消去)",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(
    r"“[^“”\n]{1,600}”|\"[^\"\n]{1,600}\"|「[^「」\n]{1,600}」|『[^『』\n]{1,600}』"
    r"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w)){8,600}'(?!\w)"
)
_SPEAKS: Final = re.compile(
    r"\b(?:i|i'm|i've|i'll|me|my|we|our|you)\b|[。.!?！？][^」』\"”]|[。！？]|(?:私|僕|俺"
    r"|わたし|です|ます|だよ|である)",
    re.IGNORECASE,
)


_LONGEST_TITLE: Final = 20
_TITLE_FOLLOWED: Final = re.compile(r"(?:です|が好き|が大好き|という(?:映画|本|曲|漫画|アニメ|番組))")
"""What makes a title of a quotation that ends like a sentence: 「君の名は。」です."""


def own_words(text: str) -> str:
    """The text without what is not its author's own statement; quoted titles and names stay."""
    text = _BLANKS.sub(" ", text)
    for block in _BLOCKS:
        text = block.sub("\n", text)
    lines = without_recalled_context(text).split("\n")
    return _QUOTED.sub(
        _quotation, "\n".join(line for line in lines if line.strip() and not _COMMAND.search(line))
    )


def _quotation(match: re.Match[str]) -> str:
    inner = match.group()[1:-1]
    if len(inner) <= _LONGEST_TITLE and _TITLE_FOLLOWED.match(match.string, match.end()):
        inner = inner.rstrip("。！？!?.")
    return QUOTATION if _SPEAKS.search(inner) or len(inner) > 60 else match.group()
