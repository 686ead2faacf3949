"""Processes that share a folder, killed ones among them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .builders import OWNER, document, found, ids, open_folder, shard_files

PROGRAM = Path(__file__).with_name("writer_process.py")


def start(folder: Path, first: int, end: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(PROGRAM), str(folder), str(first), str(end)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def remaining(first: int, end: int) -> list[int]:
    """What a writer leaves: it deletes every fourth of five."""
    return [number for number in range(first, end) if not (number % 5 == 3 and number + 1 < end)]


def test_processes_lose_no_change_of_each_other(tmp_path: Path) -> None:
    spans = [(base, base + 25) for base in (1_000, 2_000, 3_000)]
    processes = [start(tmp_path, *span) for span in spans]
    for process in processes:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert len(output.split()) == 25

    expected = [number for span in spans for number in remaining(*span)]
    assert found(open_folder(tmp_path)) == ids(expected)
    assert len(shard_files(tmp_path)) == 2, "older versions are still there"


@pytest.mark.parametrize("commits", [1, 23, 64])
def test_a_killed_writer_leaves_what_it_had_written(tmp_path: Path, commits: int) -> None:
    process = start(tmp_path, 0, 10_000)
    assert process.stdout is not None
    for _ in range(commits):
        last = int(process.stdout.readline())
    process.kill()
    last = max([last, *map(int, process.communicate()[0].split())])

    shards = open_folder(tmp_path, split_at=40, compact_after=15)
    assert shards.exists(OWNER)
    acknowledged, next_too = ids(remaining(0, last + 1)), ids(remaining(0, last + 2))
    assert found(shards) in (acknowledged, next_too)

    shards.apply(OWNER, [document(20_000)], [document(0).id])
    assert found(shards) - ids([20_000]) in (acknowledged - ids([0]), next_too - ids([0]))
    assert len(shard_files(tmp_path)) <= 2, "what the killed writer left is still there"
