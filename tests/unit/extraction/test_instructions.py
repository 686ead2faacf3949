"""What becomes of a request's instructions."""

from __future__ import annotations

import pytest

from cognis_local.extraction.instructions import only_categories
from cognis_memory.models.event import Notice
from cognis_memory.models.extraction import ExtractionRequest
from cognis_memory.models.values import Category

from .builders import message

SAID = message("I'm vegan and I work as a welder.")


@pytest.mark.parametrize(
    ("instructions", "categories"),
    [
        ("Remember dietary facts only", {Category.DIETARY}),
        ("Only keep health and work information.", {Category.HEALTH, Category.PROFESSIONAL}),
        ("Remember only the user's hobbies, travel and goals, and nothing else", {
            Category.HOBBIES, Category.TRAVEL, Category.GOALS,
        }),
        ("Save technical_skills only", {Category.TECHNICAL_SKILLS}),
        ("食事のことだけ覚えて", {Category.DIETARY}),
        ("健康と仕事に関する情報のみ保存してください。", {Category.HEALTH, Category.PROFESSIONAL}),
        ("Only keep things about my dog", None),
        ("Never remember dietary facts", None),
        ("Remember dietary facts", None),
        ("Write in bullet points", None),
        ("犬のことだけ覚えて", None),
        ("食事のことを覚えて", None),
    ],
)  # fmt: skip
def test_categories_named_exclusively(instructions, categories):
    assert only_categories(instructions) == categories


def test_named_categories_are_kept_alone(extractor):
    extraction = extractor.extract(ExtractionRequest((SAID,), instructions="Remember dietary facts only"))
    assert [fact.category for fact in extraction.facts] == [Category.DIETARY]
    assert extraction.notices == ()


def test_other_instructions_are_ignored_and_noticed(extractor):
    extraction = extractor.extract(ExtractionRequest((SAID,), instructions="Prefer short facts"))
    assert len(extraction.facts) == 2
    assert extraction.notices == (Notice(code="instructions_ignored"),)


@pytest.mark.parametrize("instructions", [None, ""])
def test_without_instructions_nothing_is_noticed(extractor, instructions):
    extraction = extractor.extract(ExtractionRequest((SAID,), instructions=instructions))
    assert (len(extraction.facts), extraction.notices) == (2, ())
