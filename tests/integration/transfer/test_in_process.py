"""Exports and imports of a folder on this machine, from Python and from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fakes import HashEmbedder, SentenceExtractor
from transfers import lines_of

from cognis_local import Memory
from cognis_local.cli.app import cognis
from cognis_memory.errors import InvalidInput
from cognis_memory.models.event import EventStatus


def _open(folder: Path) -> Memory:
    return Memory(folder, embedder=HashEmbedder(), extractor=SentenceExtractor())


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with _open(tmp_path / "memories") as opened:
        opened.add("ana", ["My home is Tokyo.", "私の趣味は釣りです。"])
        yield opened


@pytest.fixture
def cli(memory: Memory, tmp_path: Path) -> Callable[..., Result]:
    def invoke(*arguments: str | Path) -> Result:
        given = [*map(str, arguments), "--folder", str(tmp_path / "memories")]
        return CliRunner().invoke(cognis, given, obj=_open)

    return invoke


def _files(tmp_path: Path) -> list[Path]:
    """What is left in the folder of transfers."""
    return [file for file in (tmp_path / "memories" / "transfers").rglob("*") if file.is_file()]


def test_a_user_is_brought_to_another_folder(memory: Memory, tmp_path: Path) -> None:
    exported = memory.export_user("ana", tmp_path / "ana.jsonl")
    assert (exported.status, exported.counts) == (EventStatus.SUCCEEDED, {"memories": 2, "messages": 2})
    with _open(tmp_path / "other") as other:
        imported = other.import_user("ben", tmp_path / "ana.jsonl")
        assert (imported.status, imported.counts) == (EventStatus.SUCCEEDED, exported.counts)
        assert [m.memory for m in other.list("ben").memories] == [
            m.memory for m in memory.list("ana").memories
        ]
        assert other.search("ben", "Where is home?").results[0].memory == "The home is Tokyo"
        other.export_user("ben", tmp_path / "again.jsonl")
    first, again = ((tmp_path / name).read_bytes() for name in ("ana.jsonl", "again.jsonl"))
    assert lines_of(first)[1:] == lines_of(again)[1:]
    assert _files(tmp_path) == []


def test_a_file_at_fault_leaves_nothing(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"type": "header"}\n{}\n')
    refused = memory.import_user("ben", tmp_path / "bad.jsonl")
    assert refused.status is EventStatus.FAILED
    assert {fault.line for fault in refused.errors} == {1, 2}
    assert memory.list("ben").memories == []
    assert _files(tmp_path) == []


@pytest.mark.parametrize("door", ["export_user", "import_user"])
def test_a_file_that_cannot_be_used_is_refused(memory: Memory, tmp_path: Path, door: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be used"):
        getattr(memory, door)("ana", tmp_path)
    assert memory.resume() == []


def test_an_export_that_fails_leaves_the_last_one(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.export_user("ana", tmp_path / "ana.jsonl")
    last = (tmp_path / "ana.jsonl").read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(memory, "_carry_out", lambda event: None)
        memory.export_user("ana", tmp_path / "ana.jsonl")
    assert (tmp_path / "ana.jsonl").read_bytes() == last


def test_an_import_that_was_cut_off_is_finished_by_the_next_start(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.export_user("ana", tmp_path / "ana.jsonl")
    with monkeypatch.context() as patched:
        patched.setattr(memory, "_carry_out", lambda event: None)
        memory.import_user("ben", tmp_path / "ana.jsonl")
    (resumed,) = memory.resume()
    assert (resumed.status, resumed.user_id) == (EventStatus.SUCCEEDED, "ben")
    assert len(memory.list("ben").memories) == 2


def test_the_commands_take_a_user_away_and_bring_it_back(cli: Callable[..., Result], tmp_path: Path) -> None:
    exported = cli("export", tmp_path / "ana.jsonl", "--user", "ana")
    assert exported.exit_code == 0, exported.output
    assert exported.stdout == f"2 memories and 2 messages of ana are in {tmp_path / 'ana.jsonl'}.\n"
    imported = cli("import", tmp_path / "ana.jsonl", "--user", "ben", "--json")
    assert json.loads(imported.stdout)["counts"] == {"memories": 2, "messages": 2}
    assert cli("import", tmp_path / "ana.jsonl", "--user", "ben").stdout.startswith("ben now has 0 memories")


def test_a_failed_import_names_the_lines_and_what_to_do(cli: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"type": "header"}\n{}\n')
    refused = cli("import", tmp_path / "bad.jsonl", "--user", "ben")
    assert refused.exit_code == 1
    assert "line 2: type must be one of header, memory, message" in refused.stderr
    cli("export", tmp_path / "ana.jsonl", "--user", "ana")
    (tmp_path / "empty.jsonl").write_bytes((tmp_path / "ana.jsonl").read_bytes().splitlines()[0])
    assert "the file has 0 of the 2" in cli("import", tmp_path / "empty.jsonl", "--user", "ben").stderr
