"""Every state of an ingestion in a process of its own, joined by nothing but small JSON."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import run_stage
from aws_engines import create_stores
from deployment import Deployment, MessageInput
from engines import Description, describe, open_deployment
from moto.server import ThreadedMotoServer
from snapshots import end_state

from cognis_memory.models.event import EventStatus
from cognis_memory.services.ingestion.state import IngestionState

MAX_STATE_BYTES = 256 * 1024
USER = "ana@example.com"

RULES = [
    {"role": "user", "content": "I live in Tokyo.", "timestamp": "2026-07-01T09:00:00Z", "speaker": "Ana"},
    {"role": "assistant", "content": "Nice! How long have you been there?"},
    {"role": "user", "content": "I moved to Osaka last week.", "speaker": "Ana"},
    {"role": "user", "content": "私の趣味は釣りです。", "speaker": "Ana"},
]
SENTENCES = ["My home is Tokyo. My job is baker.", "What a day!", "My home is Osaka.", "私の趣味は釣りです。"]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


COMBINATIONS = [
    ("sqlite", "folder", "rules", RULES),
    ("sqlite", "s3", "sentences", SENTENCES),
    ("dynamodb", "folder", "sentences", SENTENCES),
    ("dynamodb", "s3", "rules", RULES),
]


@dataclass(frozen=True)
class Run:
    """One ingestion, the event of it and what each state printed."""

    description: Description
    event_id: str
    states: list[str]


@pytest.fixture(scope="module")
def runs(endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[Run]]]:
    """The runs of all combinations, two at a time, by the name of ledger and shards."""
    with ThreadPoolExecutor(max_workers=2) as executor:
        yield {
            f"{ledger}-{shards}": executor.submit(
                _run_apart,
                describe(
                    tmp_path_factory.mktemp("apart"),
                    ledger=ledger,
                    shards=shards,
                    payloads=shards,
                    extractor=extractor,
                    endpoint=endpoint,
                    stores=f"{ledger}-{shards}",
                ),
                messages,
            )
            for ledger, shards, extractor, messages in COMBINATIONS
        }


def _run_apart(description: Description, messages: Sequence[MessageInput]) -> Run:
    create_stores(description)
    deployment = open_deployment(description)
    accepted = deployment.accept(USER, messages)
    deployment.close()
    states = [accepted.model_dump_json()]
    for stage in run_stage.STAGES:
        states.append(_in_fresh_process(stage, description, states[-1]))
    return Run(description, accepted.event_id, states)


def _in_fresh_process(stage: str, description: Description, state: str) -> str:
    command = [sys.executable, run_stage.__file__, stage, json.dumps(description), state]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(("ledger", "shards", "extractor", "messages"), COMBINATIONS)
def test_stages_in_fresh_processes_end_where_one_process_ends(
    ledger: str,
    shards: str,
    extractor: str,
    messages: Sequence[MessageInput],
    runs: dict[str, Future[Run]],
    tmp_path: Path,
) -> None:
    run = runs[f"{ledger}-{shards}"].result()
    apart = open_deployment(run.description)
    together = open_deployment(describe(tmp_path, extractor=extractor))
    event = together.add(USER, messages)

    assert event.status is EventStatus.SUCCEEDED
    assert event.operations
    assert end_state(apart, USER, [run.event_id]) == end_state(together, USER, [event.event_id])
    apart.close()
    together.close()


@pytest.mark.parametrize("combination", ["sqlite-folder", "sqlite-s3", "dynamodb-folder", "dynamodb-s3"])
def test_what_passes_between_stages_is_small_and_names_nobody(
    combination: str, runs: dict[str, Future[Run]]
) -> None:
    for state in runs[combination].result().states:
        assert len(state.encode()) <= MAX_STATE_BYTES
        assert not any(word in state for word in (USER, "Ana", "Tokyo", "Osaka", "釣り", "day"))


def test_a_state_is_small_whatever_the_request(deployment: Deployment) -> None:
    state = deployment.accept("ana", [f"My thing{number} is {'x' * 900}." for number in range(200)])

    for stage in run_stage.STAGES.values():
        state = stage(deployment.ingestion, state)
        assert len(state.model_dump_json()) < 400


def test_a_state_is_what_the_stage_before_printed(deployment: Deployment) -> None:
    state = deployment.accept("ana", "My home is Tokyo.")
    for stage in run_stage.STAGES.values():
        state = stage(deployment.ingestion, IngestionState.model_validate_json(state.model_dump_json()))

    assert deployment.texts("ana") == ["The home is Tokyo"]
