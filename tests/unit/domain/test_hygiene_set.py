"""The promised figures on the labelled texts of `bench/data`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cognis_local.extraction import RulesExtractor

BENCH = Path(__file__).parents[3] / "bench" / "hygiene.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_hygiene", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("parts", [("dev", "holdout"), ("holdout",)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_targets(bench: ModuleType, parts: tuple[str, ...], language: str) -> None:
    rows = [row for row in bench.load(*parts) if row["lang"] == language]
    score = bench.score(rows, RulesExtractor())

    assert score.false_positives() <= 0.02
    assert score.recall() >= 0.95


def test_the_set_is_large_and_half_of_it_is_harmless(bench: ModuleType) -> None:
    rows = bench.load("dev", "holdout")

    assert len(rows) >= 300
    assert 0.4 <= sum(row["kind"] == "harmless" for row in rows) / len(rows) <= 0.6
    assert min(sum(row["lang"] == language for row in rows) for language in ("en", "ja")) >= 150
