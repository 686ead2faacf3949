"""From a file to answers, as `make run` does it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cognis_local.conversations import Conversation, Session, load_sample
from cognis_local.conversations.files import sample_file
from cognis_local.conversations.locomo import TIME_FORMAT

Cognis = Callable[..., Any]


@dataclass(frozen=True)
class Run:
    """What a run of the sample, which nothing disturbed, left and said."""

    folder: Path
    report: dict[str, Any]


@pytest.fixture(scope="module")
def sample() -> Conversation:
    return load_sample()


@pytest.fixture(scope="module")
def sample_run(cognis: Cognis, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("sample")
    (report,) = cognis("run", "--folder", folder)
    return Run(folder, report)


def state(cognis: Cognis, folder: Path, user: str) -> list[list[Any]]:
    """Everything a user holds that does not depend on when it was ingested, from the ledger and the index."""
    options = ("--user", user, "--folder", folder)
    held = cognis("search", "Lina Takumi Osaka 大阪 Mugi むぎ", "--top-k", "100", *options)["results"]
    page: list[str] = []
    while True:
        listed = cognis("list", "--include-history", "--limit", "100", *page, *options)
        held += listed["memories"]
        if listed["next_cursor"] is None:
            return sorted((_lasting(memory) for memory in held), key=repr)
        page = ["--cursor", listed["next_cursor"]]


def _lasting(memory: dict[str, Any]) -> list[Any]:
    names = ("kind", "memory", "category", "speaker", "timestamp", "event_time", "event_end", "version")
    return [memory[name] for name in (*names, "is_current")]


def as_locomo(name: str, sessions: tuple[Session, ...]) -> dict[str, Any]:
    conversation: dict[str, Any] = {"speaker_a": "Lina", "speaker_b": "Takumi"}
    for number, session in enumerate(sessions, start=1):
        conversation[f"session_{number}_date_time"] = session.started_at.strftime(TIME_FORMAT)
        conversation[f"session_{number}"] = [
            {"speaker": turn.speaker, "dia_id": f"D{number}:{position}", "text": turn.text}
            for position, turn in enumerate(session.turns, start=1)
        ]
    asked = {"question": "What does Mei study?", "answer": "Biology", "evidence": ["D1:14"], "category": 4}
    return {"sample_id": name, "conversation": conversation, "qa": [asked]}


def test_the_sample_goes_in_and_its_questions_are_answered(sample: Conversation, sample_run: Run) -> None:
    report = sample_run.report
    assert (report["messages"], report["failed"]) == (sample.turn_count, [])
    assert report["operations"]["ADD"] > 0
    assert report["operations"]["UPDATE"] > 0
    assert len(report["questions"]) == len(sample.questions)
    answerable = [asked for asked in report["questions"] if asked["expected"] is not None]
    found = [asked for asked in answerable if asked["evidence_rank"] is not None]
    assert len(found) >= 0.7 * len(answerable)


@pytest.mark.parametrize(
    ("before", "after", "question", "old", "new"),
    [
        ("I live in Tokyo.", "I moved to Osaka last month.", "Where does Ana live?", "Tokyo", "Osaka"),
        ("東京に住んでいます。", "大阪に引っ越しました。", "どこに住んでいますか？", "東京", "大阪"),
    ],
    ids=["english", "japanese"],
)
def test_processes_after_the_one_that_ingested_know_what_changed(
    cognis: Cognis, tmp_path: Path, before: str, after: str, question: str, old: str, new: str
) -> None:
    sessions = [
        {"started_at": f"{day}T10:00:00Z", "turns": [{"speaker": "Ana", "text": text}]}
        for day, text in (("2026-01-05", before), ("2026-06-05", after))
    ]
    path = tmp_path / "ana.json"
    path.write_text(json.dumps({"sessions": sessions}), encoding="utf-8")
    options = ("--folder", tmp_path / "memory")
    cognis("ingest", path, *options)
    asked = cognis("ask", question, *options)
    assert new in asked["results"][0]["memory"]
    assert [old in version["memory"] for version in asked["versions"]] == [True, False]
    assert cognis("history", new, *options)["history"] == asked["versions"]
    assert len(cognis("list", *options)["memories"]) == 1


def test_every_conversation_of_a_locomo_file_becomes_a_user(
    cognis: Cognis, sample: Conversation, tmp_path: Path
) -> None:
    entries = [as_locomo("first", sample.sessions[:2]), as_locomo("second", sample.sessions[:1])]
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    first, second = cognis("run", path, "--folder", tmp_path / "memory")
    assert (first["user_id"], first["messages"], first["failed"]) == ("first", 33, [])
    assert (second["user_id"], second["messages"], second["failed"]) == ("second", 16, [])
    assert first["questions"][0]["evidence_rank"] is not None


def test_after_kills_a_last_run_ends_as_if_undisturbed(
    cognis: Cognis, killed: Callable[..., None], sample: Conversation, sample_run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "sample.json"
    path.write_text(sample_file().read_text(encoding="utf-8"), encoding="utf-8")
    ingest = ("ingest", path, "--user", sample.id, "--folder", tmp_path / "memory")
    for after, delay in ((16, 0.0), (33, 0.1), (65, 0.3), (98, 0.6)):
        killed(*ingest, after=after, delay=delay)
    (report,) = cognis(*ingest)
    assert (report["messages"], report["failed"]) == (sample.turn_count, [])
    assert report["operations"] == sample_run.report["operations"]
    assert state(cognis, tmp_path / "memory", sample.id) == state(cognis, sample_run.folder, sample.id)
