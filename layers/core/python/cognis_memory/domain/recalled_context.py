"""Parts of a turn that come from a memory or a prompt, and not from who said it.

Applications put what they recalled, and their system prompt, beside what the user said. Taken for statements,
they would be remembered again with every turn.
"""

from __future__ import annotations

import re
from typing import Final

_BLOCK: Final = re.compile(
    r"<(memor\w*|context|documents?|system\w*|instructions?|retrieved\w*|recall\w*|user_(?:profile|facts?|info\w*)"
    r"|background|history)\b[^<>]{0,200}>.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_LINE: Final = re.compile(
    r"\s{0,8}[-*•・]?\s?(?:\[\d{4}-\d{2}-\d{2}\]\s|(?:[\[【(](?:memory|recalled|fact|記憶|メモリー?|想起)\s?\d{0,4}[\]】)]))",
    re.IGNORECASE,
)
"""A line as `/v1/context` writes it, "- [2026-07-08] Ana lives in Osaka", or one with a mark."""

_HEADING: Final = re.compile(
    r"[\W_]{0,8}(?:"
    r"(?:(?:here (?:are|is|'s)|these are|this is|below (?:are|is)) )?(?:(?:some|all|the|your|my) )?"
    r"(?:relevant|related|retrieved|recalled|stored|known|previous|past|user|long-term|saved"
    r"|earlier)\s+(?:user )?"
    r"(?:memor(?:y|ies)|facts?|context|information|conversation history|profile|data"
    r"|details)\b[^:：\n]{0,60}(?:[:：]|$)"
    r"|(?:memor(?:y|ies)|context|user profile|background)\s*[:：]|new memory\s*:"
    r"|(?:(?:memor(?:y|ies)|context|facts|information|notes|history) (?:from|of|about)"
    r" (?:the user|you|(?:the |our |your )?(?:previous|earlier|past|prior|last) (?:conversation"
    r"|session|chat|talk)s?))\b[^:：\n]{0,40}[:：]"
    r"|(?:here(?:'s| is) )?(?:what|everything|all) (?:i|we|you|the assistant|the system) (?:know"
    r"|remember|recall(?:ed)?|stored)"
    r" about (?:me|you|the user)\b[^:：\n]{0,20}[:：]"
    r"|(?:the )?memory(?: system| store| service)? (?:returned|says|contains|holds|recalls"
    r"|search results)\b[^:：\n]{0,20}[:：]"
    r"|(?:関連する|関連|過去の|保存された|既知の|想起された|参考|検索された|以前の)(?:記憶|メモリー?|情報|事実|文脈|会話(?:の(?:記録|内容|要約))?)"
    r"(?:から|より)?[^：:\n。]{0,20}(?:[：:]|$)"
    r"|(?:記憶|メモリー?|コンテキスト|文脈)\s*[：:]"
    r"|(?:ユーザー|利用者|お客様|あなた)(?:について|に関して|に関する|の)[^：:\n。]{0,12}(?:知っている|覚えている|記憶|情報|事実|プロフィール|プロファイル)"
    r"[^：:\n。]{0,8}(?:[：:]|$)|(?:ユーザー)(?:プロフィール|プロファイル|情報)\s*(?:[：:]|$)"
    r")\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_PROMPT: Final = re.compile(
    r"[\W_]{0,4}(?:"
    r"you(?: are|'re) (?:now )?(?:(?:an?|the) )?(?!(?:\w+ly |very |such "
    r"|really )?(?:an? )?(?:great|good|wonderful|amazing|awesome"
    r"|excellent|lovely|best|fantastic|brilliant|nice|terrible|bad|useless)\b)"
    r"(?:[\w-]+,? ){0,4}?(?:(?:an? )?(?:[\w-]+ ){0,2})?(?:assistant|ai|chat ?bot|bot"
    r"|language model|llm|agent)\b(?! !)[^!?\n]{0,80}?[.:\n]"
    r"|system(?: prompt| message)?\s?[:：]"
    r"|あなたは[^。！？\n]{0,40}?(?:アシスタント|AI|人工知能|ボット|エージェント|言語モデル)(?:です|である|だ)?(?:。|$)"
    r"|システム(?:プロンプト|メッセージ)?\s?[:：]"
    r")",
    re.IGNORECASE,
)
"""How a system prompt begins; "You are a great assistant!" is praise."""

_ITEM: Final = re.compile(r"\s{0,8}(?:[-*•・–]|\d{1,3}[.)）])\s?\S")


def without_recalled_context(text: str) -> str:
    """The text without recalled memories and system prompts; the text itself where there are none.

    A heading takes the list after it along, or, where nothing else stands in its line, its paragraph.
    """
    kept = []
    reach = ""
    lines = _BLOCK.sub("\n", text).split("\n")
    for line in lines:
        heading = None if reach == "paragraph" and line.strip() else _HEADING.match(line)
        if heading:
            reach = "list" if heading["rest"].strip() else "heading"
        elif _PROMPT.match(line):
            reach = "paragraph"
        elif not line.strip():
            reach = ""
        elif _ITEM.match(line):
            reach = "list" if reach == "heading" else reach
        elif reach in ("heading", "list"):
            reach = "paragraph" if reach == "heading" else ""
        if not reach and not _LINE.match(line):
            kept.append(line)
    return text if len(kept) == len(lines) and not _BLOCK.search(text) else "\n".join(kept)
