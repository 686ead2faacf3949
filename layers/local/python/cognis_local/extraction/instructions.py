"""The one kind of instruction that rules can follow: to keep facts of named categories only."""

from __future__ import annotations

import re
from typing import Final

from cognis_memory.models.values import Category

_KEEP: Final = r"(?:remember|keep|save|store|extract|record|note)"
_ONLY: Final = re.compile(
    rf"^\W*(?:please )?(?:only {_KEEP}|{_KEEP}(?: only)?) (?P<en>.+?)"
    r"(?: only|,? (?:and|but) nothing else)?\W*$"
    r"|^(?P<ja>[^。]+?)(?:だけ|のみ)(?:を|、)?"
    r"(?:覚え|記憶し|保存し|記録し|抽出し|残し)(?:て|ろ)?(?:ください|下さい|ね|ほしい|欲しい)?[。！!]*$",
    re.IGNORECASE,
)
_NAMED_ONLY: Final = re.compile(r"\bonly\b|\bnothing else\b|だけ|のみ", re.IGNORECASE)
_JOINTS: Final = re.compile(r"\s*(?:,|/|、|・|&|\band\b|\bor\b|(?<!こ)と|や)\s*", re.IGNORECASE)
_AROUND: Final = re.compile(
    r"^(?:(?:the|my|user's|their|any|all|facts?|information|details|things|memories|data|about|on|of|"
    r"related|to|regarding|concerning)\s+)+"
    r"|(?:[\s-]+(?:facts?|information|details|things|memories|data|related|matters|info))+$"
    r"|(?:に関する|についての|関連の|関係の|の)?(?:こと|情報|事実|話|内容|もの)$|に関して|について",
    re.IGNORECASE,
)
_NAMES: Final[dict[Category, str]] = {
    Category.PERSONAL_DETAILS: "personal|personal detail|個人情報|プロフィール",
    Category.PROFESSIONAL: "professional|work|job|career|仕事|職業|キャリア",
    Category.HEALTH: "health|medical|健康|医療|体調",
    Category.RELATIONSHIPS: "relationship|family|people|人間関係|家族|友人",
    Category.PREFERENCES: "preference|like|taste|好み|嗜好",
    Category.HOBBIES: "hobby|hobbie|趣味",
    Category.GOALS: "goal|plan|目標|計画",
    Category.FINANCIAL: "financial|finance|money|お金|金銭|家計",
    Category.EDUCATIONAL: "educational|education|study|studie|学習|勉強|教育|学業",
    Category.TRAVEL: "travel|trip|旅行",
    Category.EMOTIONAL: "emotional|emotion|feeling|感情|気持ち",
    Category.TECHNICAL_SKILLS: "technical skill|technical|skill|技術|スキル",
    Category.DIETARY: "dietary|diet|food|eating|meal|食事|食べ物|食",
    Category.BEHAVIORAL_PATTERNS: "behavioral pattern|behavioural pattern|habit|routine|習慣|行動パターン",
    Category.COMMUNICATION_STYLE: "communication style|communication|話し方|コミュニケーション",
}
_CATEGORIES: Final = {name: category for category, names in _NAMES.items() for name in names.split("|")}


def only_categories(instructions: str) -> frozenset[Category] | None:
    """The categories of "Remember dietary facts only", 「食事のことだけ覚えて」; None for anything else."""
    match = _ONLY.match(instructions.strip())
    if match is None or not _NAMED_ONLY.search(instructions):
        return None
    named = [_category(part) for part in _JOINTS.split(match["en"] or match["ja"])]
    found = frozenset(category for category in named if category is not None)
    return found if None not in named else None


def _category(name: str) -> Category | None:
    plain = name.lower().replace("_", " ").strip(" .\"'「」")
    for _ in range(3):
        plain = _AROUND.sub("", plain).strip()
    return _CATEGORIES.get(plain) or _CATEGORIES.get(plain.removesuffix("s"))
