"""Reads the category that a model names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from cognis_memory.models.values import Category

_SYNONYMS: Final[Mapping[Category, tuple[str, ...]]] = {
    Category.PERSONAL_DETAILS: (
        "personal detail", "personal", "personal info", "personal information", "identity", "demographics",
        "個人情報", "個人の詳細", "個人的な詳細", "プロフィール",
    ),
    Category.PROFESSIONAL: (
        "profession", "work", "career", "job", "occupation", "employment",
        "職業", "仕事", "キャリア", "職歴",
    ),
    Category.HEALTH: (
        "medical", "wellness", "fitness", "health and wellness", "health & wellness",
        "健康", "医療", "健康状態",
    ),
    Category.RELATIONSHIPS: (
        "relationship", "family", "friends", "social", "family and friends", "family & friends",
        "人間関係", "家族", "交友関係", "関係",
    ),
    Category.PREFERENCES: (
        "preference", "likes", "dislikes", "likes and dislikes", "favorites", "favourites",
        "好み", "嗜好", "好き嫌い",
    ),
    Category.HOBBIES: (
        "hobby", "interests", "interest", "hobbies and interests", "hobbies & interests", "leisure",
        "趣味", "娯楽", "興味", "趣味・興味",
    ),
    Category.GOALS: (
        "goal", "aspirations", "plans", "goals and plans", "ambitions",
        "目標", "計画", "夢", "目的",
    ),
    Category.FINANCIAL: (
        "finance", "finances", "money",
        "財務", "金融", "お金", "経済状況", "家計",
    ),
    Category.EDUCATIONAL: (
        "education", "school", "academic", "studies", "learning",
        "教育", "学歴", "学業", "学習",
    ),
    Category.TRAVEL: (
        "travels", "trips", "trip", "traveling", "travelling",
        "旅行", "旅",
    ),
    Category.EMOTIONAL: (
        "emotion", "emotions", "feelings", "mood", "emotional state",
        "感情", "気持ち", "情緒", "感情面",
    ),
    Category.TECHNICAL_SKILLS: (
        "technical skill", "technical", "skills", "skill", "technology", "tech skills",
        "技術", "技術スキル", "技術的スキル", "スキル", "技能",
    ),
    Category.DIETARY: (
        "diet", "food", "nutrition", "dietary preferences", "dietary restrictions",
        "食事", "食生活", "食習慣", "食",
    ),
    Category.BEHAVIORAL_PATTERNS: (
        "behavioral pattern", "behavioural patterns", "behavioural pattern", "behavior", "behaviour",
        "habits", "habit", "routine", "routines",
        "行動パターン", "行動", "習慣", "行動様式",
    ),
    Category.COMMUNICATION_STYLE: (
        "communication styles", "communication", "communication preferences",
        "コミュニケーションスタイル", "コミュニケーション", "話し方", "伝え方",
    ),
}  # fmt: skip

_NEGLIGIBLE: Final = re.compile(r"[\W_]+")
_LABEL: Final = re.compile(r"\A\s*(?:category|カテゴリー?|分類)\s*[:\uff1a]", re.IGNORECASE)


def parse_category(text: str) -> Category | None:
    """The category that a text names, by its own name or a known synonym, in English or Japanese; else None.

    Case, width, spaces, hyphens, punctuation and a label such as `Category:` make no difference. Only the
    whole text counts, never a part of it: "manager" is not "age", and "no preference" is not a preference.
    """
    return _BY_KEY.get(_key(_LABEL.sub("", text)))


def _key(name: str) -> str:
    return _NEGLIGIBLE.sub("", unicodedata.normalize("NFKC", name).casefold())


_BY_KEY: Final[Mapping[str, Category]] = MappingProxyType(
    {_key(name): category for category, names in _SYNONYMS.items() for name in (category, *names)}
)
