"""The promised figures on the labelled turns of `bench/data`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cognis_local.extraction import RulesExtractor

BENCH = Path(__file__).parents[3] / "bench" / "extraction.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_extraction", BENCH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("parts", [("dev", "holdout"), ("holdout",)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_targets(bench, parts, language):
    rows = [row for row in bench.load(*parts) if row["lang"] == language]
    ratios = bench.score(rows, RulesExtractor()).ratios()
    assert ratios["precision"] >= 0.90
    assert ratios["recall"] >= 0.60
    assert ratios["operation"] >= 0.85
    assert ratios["subject"] >= 0.90
    assert ratios["category"] >= 0.85


def test_the_set_is_large_and_half_of_it_says_nothing(bench):
    rows = bench.load("dev", "holdout")
    assert len(rows) >= 300
    assert 0.4 <= sum(not row["facts"] for row in rows) / len(rows) <= 0.6
    assert min(sum(row["lang"] == language for row in rows) for language in ("en", "ja")) >= 150
