"""The models that a deployment's settings name, reached as a function reaches them."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import botocore
import numpy as np
import pytest
from aws_account import forget_account
from chats import asking
from fakes import HASH_CALIBRATIONS, HashEmbedder
from model_cloud import ModelCloud
from model_operations import RERANK_MODEL

from cognis_local.model_services import Operation
from cognis_memory.errors import ConfigurationError
from cognis_memory.runtime.aws_models import AWS_CALIBRATIONS
from cognis_memory.runtime.models import ModelSet
from cognis_memory.runtime.settings import Settings
from cognis_memory.runtime.wiring import Deployment

PAYPERUSE = {
    "COGNIS_STAGE": "payperuse",
    "COGNIS_EXTRACTION_MODEL_ID": "us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "COGNIS_EMBEDDING_MODEL_ID": "amazon.titan-embed-text-v2:0",
}
PROD = {**PAYPERUSE, "COGNIS_RERANK_ENDPOINT": "reranker"}
NOMIC = {"COGNIS_EMBEDDING_ENDPOINT": "nomic", "COGNIS_EMBEDDING_MODEL_ID": "nomic-ai/nomic-embed-text-v1.5"}

GUARDRAIL_ARN = "arn:aws:bedrock:us-east-1:123456789012:guardrail/gr1abc"
SERVICES = ("BEDROCK_RUNTIME", "BEDROCK_AGENT_RUNTIME", "SAGEMAKER_RUNTIME")

SEARCHES = """
import sys
from cognis_memory.runtime.settings import Settings
from cognis_memory.runtime.wiring import Deployment
import os
models = Deployment(Settings.from_environment(os.environ)).models
models.query_embedder, models.reranker, models.calibrations
names = ("cognis_memory.adapters.bedrock.extraction", "cognis_memory.adapters.sagemaker")
print([name for name in names if name in sys.modules])
"""


@pytest.fixture
def account(cloud: ModelCloud, monkeypatch: pytest.MonkeyPatch) -> ModelCloud:
    """The environment of a function, and the services where it looks for them."""
    forget_account(monkeypatch)
    environment = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_REGION": "us-east-1"}
    environment["AWS_DEFAULT_REGION"] = "us-east-1"
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for service in SERVICES:
        monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", cloud.url)
    return cloud


def models(**variables: str) -> ModelSet:
    return Deployment(Settings.from_environment({**PAYPERUSE, **variables})).models


def test_payperuse_works_with_bedrock_alone(account: ModelCloud) -> None:
    found = models()

    assert found.extractor.extract(asking("Note: likes tea.")).facts[0].content == "likes tea"
    np.testing.assert_allclose(found.embedder.embed(["Osaka"]), HashEmbedder().embed(["Osaka"]), atol=1e-6)
    assert found.query_embedder.model_id == found.embedder.model_id
    assert found.reranker is None
    assert found.calibrations is AWS_CALIBRATIONS
    assert [(call.operation, call.target) for call in account.services.calls] == [
        (Operation.CONVERSE, PAYPERUSE["COGNIS_EXTRACTION_MODEL_ID"]),
        (Operation.INVOKE_MODEL, PAYPERUSE["COGNIS_EMBEDDING_MODEL_ID"]),
    ]


def test_prod_reranks_by_its_endpoint(account: ModelCloud) -> None:
    reranker = models(**PROD).reranker

    assert reranker is not None
    tea, osaka = reranker.rerank("Osaka", ["tea", "Osaka"])
    assert osaka > tea
    assert account.services.calls[0].target == "reranker"


def test_bedrock_reranks_where_a_model_is_named(account: ModelCloud) -> None:
    reranker = models(COGNIS_RERANK_MODEL_ARN=RERANK_MODEL).reranker

    assert reranker is not None
    assert len(reranker.rerank("Osaka", ["tea", "Osaka"])) == 2
    assert account.services.calls[0].operation is Operation.RERANK


def test_an_endpoint_embeds_where_one_is_named(account: ModelCloud) -> None:
    found = models(**NOMIC)
    found.embedder.embed(["Osaka"])
    found.query_embedder.embed(["Osaka"])

    assert [(call.target, call.json["inputs"]) for call in account.services.calls] == [
        ("nomic", ["search_document: Osaka"]),
        ("nomic", ["search_query: Osaka"]),
    ]
    assert found.embedder.model_id == found.query_embedder.model_id


@pytest.mark.parametrize("output", ["text_format", "strict_tool", "tool"])
def test_the_form_is_asked_for_as_the_settings_say(account: ModelCloud, output: str) -> None:
    models(COGNIS_EXTRACTION_OUTPUT=output).extractor.extract(asking("Note: likes tea."))

    (call,) = account.services.calls
    assert ("outputConfig" in call.json) == (output == "text_format")


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("gr1abc:DRAFT", {"guardrailIdentifier": "gr1abc", "guardrailVersion": "DRAFT"}),
        (f"{GUARDRAIL_ARN}:7", {"guardrailIdentifier": GUARDRAIL_ARN, "guardrailVersion": "7"}),
        ("", None),
    ],
)
def test_a_guardrail_goes_along_where_one_is_named(
    account: ModelCloud, given: str, sent: dict[str, str] | None
) -> None:
    models(COGNIS_EXTRACTION_GUARDRAIL=given).extractor.extract(asking("Note: likes tea."))

    (call,) = account.services.calls
    assert call.json.get("guardrailConfig") == sent


def test_scores_mean_what_the_settings_say() -> None:
    given = json.dumps(asdict(HASH_CALIBRATIONS))

    assert models(COGNIS_CALIBRATIONS=given).calibrations == HASH_CALIBRATIONS
    with pytest.raises(ConfigurationError, match="COGNIS_CALIBRATIONS: this is no object"):
        _ = models(COGNIS_CALIBRATIONS=given.replace('"cjk"', '"jp"')).calibrations


def test_a_client_without_output_config_asks_by_a_tool(
    account: ModelCloud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_DATA_PATH", str(_service_model_without_output_config(tmp_path)))

    extraction = models().extractor.extract(asking("Note: likes tea."))

    (call,) = account.services.calls
    assert "outputConfig" not in call.json
    assert "strict" not in call.json["toolConfig"]["tools"][0]["toolSpec"]
    assert extraction.facts[0].content == "likes tea"


def _service_model_without_output_config(folder: Path) -> Path:
    """The service model of Bedrock as clients had it before structured outputs."""
    version = Path("bedrock-runtime", "2023-09-30")
    packed = Path(botocore.__file__).parent / "data" / version / "service-2.json.gz"
    model = json.loads(gzip.decompress(packed.read_bytes()))
    del model["shapes"]["ConverseRequest"]["members"]["outputConfig"]
    del model["shapes"]["ToolSpecification"]["members"]["strict"]
    (folder / version).mkdir(parents=True)
    (folder / version / "service-2.json").write_text(json.dumps(model))
    return folder


@pytest.mark.parametrize(("stage", "loaded"), [(PAYPERUSE, []), (PROD, ["cognis_memory.adapters.sagemaker"])])
def test_a_process_that_searches_loads_no_extraction(stage: dict[str, str], loaded: list[str]) -> None:
    environment = {"PYTHONPATH": ":".join(sys.path), "AWS_DEFAULT_REGION": "us-east-1", **stage}

    printed = subprocess.check_output([sys.executable, "-c", SEARCHES], env=environment, text=True)

    assert printed.strip() == str(loaded)
