"""The category of a fact."""

from __future__ import annotations

import pytest

from cognis_memory.models.values import Category


@pytest.mark.parametrize(
    ("said", "category"),
    [
        ("I live in Ghent.", Category.PERSONAL_DETAILS),
        ("I work as a pilot.", Category.PROFESSIONAL),
        ("I'm allergic to penicillin.", Category.HEALTH),
        ("My wife is expecting a baby.", Category.RELATIONSHIPS),
        ("I love opera.", Category.PREFERENCES),
        ("I play the trombone.", Category.HOBBIES),
        ("I want to open a hostel.", Category.GOALS),
        ("I save 300 euros a month.", Category.FINANCIAL),
        ("I study biology at university.", Category.EDUCATIONAL),
        ("I visited Peru.", Category.TRAVEL),
        ("I feel lonely.", Category.EMOTIONAL),
        ("I know Python.", Category.TECHNICAL_SKILLS),
        ("I'm vegan.", Category.DIETARY),
        ("I always wake up before six.", Category.BEHAVIORAL_PATTERNS),
        ("Please always answer me briefly.", Category.COMMUNICATION_STYLE),
        ("名古屋に住んでいます。", Category.PERSONAL_DETAILS),
        ("市役所で働いています。", Category.PROFESSIONAL),
        ("そばアレルギーです。", Category.HEALTH),
        ("結婚しています。", Category.RELATIONSHIPS),
        ("納豆が好きです。", Category.PREFERENCES),
        ("趣味は登山です。", Category.HOBBIES),
        ("毎月貯金しています。", Category.FINANCIAL),
        ("資格試験に合格しました。", Category.EDUCATIONAL),
        ("ヨーロッパを旅行しました。", Category.TRAVEL),
        ("最近気分が落ち込んでいます。", Category.EMOTIONAL),
        ("ベジタリアンです。", Category.DIETARY),
        ("いつも朝6時に起きます。", Category.BEHAVIORAL_PATTERNS),
        ("箇条書きで答えてほしいです。", Category.COMMUNICATION_STYLE),
    ],
)
def test_category(extract, said, category):
    assert [fact.category for fact in extract(said)] == [category]
