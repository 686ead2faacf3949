"""Every question can be run without a model, and the figures say so."""

from __future__ import annotations

from pathlib import Path

from qa_files import write_locomo, write_longmemeval

from .conftest import Bench


def test_locomo(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    write_locomo(file, conversations=2, sessions=2)
    run = bench(file, "--scripted")

    assert run.code == 0
    assert run.result is not None
    assert run.result["spent"] == []
    assert (run.row("single-hop")["questions"], run.row("single-hop")["judge"]) == (4, 100)
    assert 0 < run.row("single-hop")["f1"] < 100
    assert "answers by scripted, judge by scripted, facts by rules" in run.out
    assert "a formula judges them" in run.out
    bought = [line for line in bench.lines() if line["category"] == "single-hop"]
    assert all(line["gold"] in line["answer"] for line in bought)


def test_longmemeval_in_english_and_japanese(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "longmemeval.json"
    write_longmemeval(file)
    run = bench(file, "--scripted")

    assert run.code == 0
    answers = {line["id"]: line["answer"] for line in bench.lines()}
    assert "cello" in answers["q1"]
    assert "陶芸" in answers["q2"]
    assert (run.row()["f1"], run.row("single-session-user")["judge"]) == (None, 100)
    assert "89.20" in run.out
