from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.categories import parse_category
from cognis_memory.models.values import Category

JAPANESE = {
    "個人情報": Category.PERSONAL_DETAILS,
    "仕事": Category.PROFESSIONAL,
    "健康": Category.HEALTH,
    "人間関係": Category.RELATIONSHIPS,
    "好み": Category.PREFERENCES,
    "趣味": Category.HOBBIES,
    "目標": Category.GOALS,
    "お金": Category.FINANCIAL,
    "教育": Category.EDUCATIONAL,
    "旅行": Category.TRAVEL,
    "感情": Category.EMOTIONAL,
    "技術スキル": Category.TECHNICAL_SKILLS,
    "食事": Category.DIETARY,
    "行動パターン": Category.BEHAVIORAL_PATTERNS,
    "コミュニケーションスタイル": Category.COMMUNICATION_STYLE,
}


@pytest.mark.parametrize("category", Category)
def test_a_categorys_own_name_in_every_spelling(category: Category) -> None:
    words = category.value.split("_")
    spellings = ["_".join(words), "-".join(words), " ".join(words).upper(), "".join(map(str.title, words))]
    assert {parse_category(spelling) for spelling in spellings} == {category}


@pytest.mark.parametrize(("name", "category"), JAPANESE.items())
def test_japanese_names(name: str, category: Category) -> None:
    assert parse_category(name) is category


def test_every_category_has_a_japanese_name() -> None:
    assert set(JAPANESE.values()) == set(Category)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Category: Travel.", Category.TRAVEL),
        ("  'health' ", Category.HEALTH),
        ("**hobbies**", Category.HOBBIES),
        ("Hobbies & Interests", Category.HOBBIES),
        ("Behavioural Patterns", Category.BEHAVIORAL_PATTERNS),
        ("work", Category.PROFESSIONAL),
        ("Food", Category.DIETARY),
        ("カテゴリ：旅行", Category.TRAVEL),
        ("「趣味・興味」", Category.HOBBIES),
        ("ｈｅａｌｔｈ", Category.HEALTH),
    ],
)
def test_how_models_write(text: str, category: Category) -> None:
    assert parse_category(text) is category


@pytest.mark.parametrize(
    "text",
    ["", "_", "manager", "age", "no preference", "unhealthy", "healthcare worker", "travel agent",
     "work, health", "my category: travel", "travel category:", "other", "旅行会社", "不健康"],
)  # fmt: skip
def test_a_name_inside_another_text_is_no_category(text: str) -> None:
    assert parse_category(text) is None


@given(st.sampled_from(Category), st.text(alphabet="abcxyz日本語", min_size=1))
def test_a_category_with_more_letters_is_another_word(category: Category, letters: str) -> None:
    found = parse_category(f"{letters}{category.value}")
    assert found is None


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert parse_category(text) in {None, *Category}
