"""Imitated machinery: system prompts, turns of a conversation, tool calls, statements to a database."""

from __future__ import annotations

import re
from typing import Final

from cognis_memory.domain.lazy_patterns import lazy_pattern

_TURN_TOKEN: Final = lazy_pattern(
    r"^[ \t]*(?:<\|(?:im_start|start_header_id|system|begin_of_text)\|?>?|\[INST\]|<<SYS>>"
    r"|<\|?/?system(?:[_ ]prompt)?\|?>)",
    re.IGNORECASE | re.MULTILINE,
)
"""The marks of chat templates, where a turn begins."""

_SYSTEM_TURN: Final = lazy_pattern(
    r"^[ \t]*(?:#{1,4} ?|[*\[【<(-]{1,3} ?)?"
    r"(?:system|developer|admin|root|instructions?(?=>)|システム|開発者|管理者)"
    r"(?: ?(?:prompt|message|override|notice|update|instructions?|メッセージ|プロンプト|指示"
    r"|命令|通知|更新))?"
    r"(?: ?[*\]】>)]{1,3}|:|\n)[*\s:]{0,4}(?P<words>[^\n]{0,400})",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that begins as the system's turn; its words tell it from "My system: Windows 11"."""

_ORDERS: Final = lazy_pattern(
    r"\byou (?:must|are|will|should|have to|can)\b|\bthe user\b|\b(?:ignore|disregard|forget|override)\b"
    r"|\b(?:save|store|remember|record|memori[sz]e|add|treat|grant|mark)\b|\bfrom now on\b|\bmemory\b"
    r"|あなた|ユーザー|無視|保存|記憶|記録|登録|以後|今後",
    re.IGNORECASE,
)
_BOUNDARY: Final = lazy_pattern(
    r"-{2,} ?(?:begin|start|end)(?: of)? (?:system|developer|admin) (?:message|prompt|instructions?)"
    r"|\bend of (?:user|the user's|prompt) (?:input|message)\b|(?:ここまでが|以上が)(?:ユーザー"
    r"|利用者)の?(?:入力|メッセージ)"
    r"|-{2,} ?システム(?:メッセージ|プロンプト)?(?:の)?(?:開始|ここから)",
    re.IGNORECASE,
)
_MEMORY_TOOL: Final = (
    r"(?:[\w.]{0,30}(?:memor(?:y|ies)|remember|forget|facts?)[\w.]{0,30}"
    r"|(?:memory|mem|mem0|client|store)\.(?:add|save|store|update|delete|write|put|insert))"
)
_TOOL_CALL: Final = lazy_pattern(
    r"^[ \t]*</?(?:memor(?:y|ies)[_-](?:update|add|write|save|store|insert|delete|create"
    r"|operation)|(?:add|save|update|store|create|write|delete)"
    r"[_-]memor(?:y|ies))\b|\bto=(?:memory|functions|tools?)\.\w"
    r"|^[ \t]*</?(?:tool_calls?|function_calls?|invoke|tool_use|tool_code)\b"
    rf"|[\"'](?:tool|name|function|tool_name|recipient_name)[\"'] ?: ?[\"']{_MEMORY_TOOL}[\"']"
    rf"|^[ \t]*(?:await )?{_MEMORY_TOOL}\([^\n]{{0,200}}[\"'][^\n]{{0,2000}}\);?\s*$"
    r"|[\"'](?:operation|op|action|event)[\"'] ?: ?[\"'](?:add|update|delete|none)[\"'](?=[^{}]{0,400}"
    r"[\"'](?:memory|content|text|fact|target|label|data)[\"'])",
    re.IGNORECASE | re.MULTILINE,
)
_DATABASE: Final = lazy_pattern(
    r"\b(?:insert into|delete from|update|truncate(?: table)?|drop table) (?:\w{1,30}\.)?[\"`]?"
    r"\w{0,20}(?:memor(?:y|ies)|facts?|messages)\b[\"`]? ?(?:\(|values\b|set\b|where\b|;)",
    re.IGNORECASE,
)


def imitates_machinery(text: str) -> bool:
    """Whether the text holds what only the machinery around a model writes, and that as if it were in use."""
    if any(pattern().search(text) for pattern in (_TURN_TOKEN, _BOUNDARY, _TOOL_CALL, _DATABASE)):
        return True
    return any(_ORDERS().search(turn["words"]) for turn in _SYSTEM_TURN().finditer(text))
