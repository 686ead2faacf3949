"""Extraction in the model process: the same answers as beside it, whoever asks and whatever happens to it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import urllib3

from cognis_local.conversations import load_sample
from cognis_local.extraction import RulesExtractor
from cognis_local.models.clients import LocalEmbedder, LocalExtractor
from cognis_local.models.process import ensure_model_process, stop_model_process
from cognis_local.models.state import ServerState, read_state
from cognis_memory.errors import ExtractionFailed
from cognis_memory.models.extraction import Extraction, ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message

_EMBED = """
import pathlib, sys
from cognis_local.models.clients import LocalEmbedder
LocalEmbedder(pathlib.Path(sys.argv[1])).embed(["x"])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "models"
    stop_model_process(tmp_path / "models")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder whose process has read a message in each language."""
    folder = tmp_path_factory.mktemp("models")
    for content in ("I live in Osaka.", "大阪に住んでいます。"):
        LocalExtractor(folder).extract(ExtractionRequest((message(content),)))
    yield folder
    stop_model_process(folder)


def message(content: object, **fields: object) -> Message:
    given = {"id": "m", "tenant_id": "t", "user_id": "u", "event_id": "e", "position": 0, "role": "user"}
    times = {"timestamp": "2026-07-08T11:00:00Z", "created_at": "2026-07-08T11:00:00Z"}
    return Message.model_validate({**given, **times, "speaker": "Lina", "content": content, **fields})


def sample_requests() -> list[tuple[ExtractionRequest, Extraction]]:
    """Each turn of the sample with the turns before it and the last facts, and what the rules make of it."""
    conversation, extractor = load_sample(), RulesExtractor()
    pairs: list[tuple[ExtractionRequest, Extraction]] = []
    held: list[LabelledMemory] = []
    for session in conversation.sessions:
        said = [
            message(
                turn.content,
                speaker=turn.speaker,
                role=turn.role,
                timestamp=turn.timestamp,
                timezone=conversation.timezone,
                position=position,
            )
            for position, turn in enumerate(session.turns)
        ]
        for position, turn in enumerate(said):
            labelled = [
                LabelledMemory(label, memory.content, memory.category, memory.subject, memory.slot)
                for label, memory in enumerate(held[-10:], start=1)
            ]
            request = ExtractionRequest(
                (turn,), tuple(said[max(0, position - 2) : position]), tuple(labelled)
            )
            pairs.append((request, extractor.extract(request)))
            held += [
                LabelledMemory(0, fact.content, fact.category, fact.subject, fact.slot)
                for fact in pairs[-1][1].facts
            ]
    return pairs


def state_of(folder: Path) -> ServerState:
    state = read_state(folder / "models.json")
    assert state is not None
    return state


def post(url: str, body: bytes) -> urllib3.BaseHTTPResponse:
    with urllib3.PoolManager(retries=False, timeout=60) as pool:
        return pool.request("POST", f"{url}/extract", body=body, headers={"Content-Type": "application/json"})


def test_answers_as_the_rules_do_beside_it(running: Path) -> None:
    extractor = LocalExtractor(running)
    pairs = sample_requests()
    assert [extractor.extract(request) for request, _ in pairs] == [direct for _, direct in pairs]
    facts = [fact for _, direct in pairs for fact in direct.facts]
    assert {fact.language for fact in facts} == {"en", "ja"}
    assert len({fact.operation for fact in facts}) >= 3


def test_follows_instructions_or_says_that_it_does_not(running: Path) -> None:
    extractor, direct = LocalExtractor(running), RulesExtractor()
    said = (message("I'm allergic to nuts and I live in Osaka."),)
    for instructions in ("Remember dietary facts only", "食事のことだけ覚えて", "Be nice"):
        request = ExtractionRequest(said, instructions=instructions)
        assert extractor.extract(request) == direct.extract(request)


def test_many_callers_get_their_own_answers_beside_searches(running: Path) -> None:
    extractor, embedder = LocalExtractor(running), LocalEmbedder(running)
    pairs = sample_requests()[:60]
    with ThreadPoolExecutor(max_workers=8) as pool:
        embedded = [pool.submit(embedder.embed, [f"query {number}", "x"]) for number in range(20)]
        answers = list(pool.map(extractor.extract, [request for request, _ in pairs]))
    assert answers == [direct for _, direct in pairs]
    assert all(future.result().shape == (2, 768) for future in embedded)


def test_reads_the_longest_message_that_the_api_takes(running: Path) -> None:
    longest = ExtractionRequest((message(("東京に住んでいます。I like jazz. " * 5_000)[:100_000]),))
    assert LocalExtractor(running).extract(longest) == RulesExtractor().extract(longest)


@pytest.mark.parametrize(
    "fields",
    [
        {"timezone": "zebra/crossing"},
        {"timezone": "America"},
        {"timezone": "../zebra"},
        {"timezone": "z" * 5_000},
        {"timestamp": "0001-01-01T00:00:00Z", "timezone": "America/New_York"},
        {"timestamp": "9999-12-31T23:59:59Z", "timezone": "Asia/Tokyo", "content": "I fly to Rome tomorrow."},
    ],
)
def test_odd_places_and_times_are_no_fault_of_the_process(running: Path, fields: dict[str, object]) -> None:
    request = ExtractionRequest((message(**{"content": "I live in Osaka.", **fields}),))
    assert len(LocalExtractor(running).extract(request).facts) <= 1


def test_bad_bodies_are_refused_and_nothing_of_them_is_logged(running: Path) -> None:
    url = ensure_model_process(running)
    said = json.loads(message("zebra").model_dump_json())
    bodies: list[object] = [
        {"messages": [{**said, "zebra": 1}]},
        {"messages": [{**said, "metadata": {"zebra": None}}]},
        {"messages": [said, said]},
        {"messages": []},
        {"messages": [{**said, "role": "zebra"}]},
    ]
    statuses = [post(url, json.dumps(body).encode()).status for body in bodies]
    assert statuses == [422, 422, 422, 400, 422]
    assert post(url, b"zebra").status == 422
    assert post(url, b"x" * 10_000_001).status == 413
    assert "zebra" not in (running / "models.log").read_text(encoding="utf-8")


def test_what_the_process_refuses_is_a_failure_for_good(running: Path) -> None:
    with pytest.raises(ExtractionFailed, match="422 Validation"):
        LocalExtractor(running).extract(ExtractionRequest((message("I live in Osaka."),) * 2))


def test_a_killed_process_is_replaced_under_its_clients(folder: Path) -> None:
    extractor = LocalExtractor(folder)
    request = ExtractionRequest((message("昨日、京都に行きました。"),))
    before = extractor.extract(request)
    os.kill(state_of(folder).pid, signal.SIGKILL)
    assert extractor.extract(request) == before == RulesExtractor().extract(request)


def test_outlives_the_folder_of_the_code_that_started_it(
    folder: Path, unpacked: Path, tmp_path: Path
) -> None:
    """A function's code is unpacked into a folder that goes with the function's process."""
    work = tmp_path / "work"
    work.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    subprocess.run([sys.executable, "-c", _EMBED, str(folder)], env=environment, cwd=work, check=True)
    pid = state_of(folder).pid
    while "rules loaded" not in (folder / "models.log").read_text(encoding="utf-8"):
        assert state_of(folder).pid == pid
        time.sleep(0.05)
    shutil.rmtree(unpacked)
    shutil.rmtree(work)
    request = ExtractionRequest((message("I live in Osaka. 猫が好きです。"),))
    assert LocalExtractor(folder).extract(request) == RulesExtractor().extract(request)
    assert state_of(folder).pid == pid
