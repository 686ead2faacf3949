"""What a process opens: nothing before it is needed, and nothing heavy to check a credential."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cognis_memory.adapters.opensearch import OpenSearchIndex
from cognis_memory.adapters.shards import UserShards
from cognis_memory.domain.pricing import ModelPrice, Prices
from cognis_memory.errors import ConfigurationError
from cognis_memory.runtime.settings import Settings
from cognis_memory.runtime.wiring import Deployment

AWS = {"AWS_DEFAULT_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}

CHECK_CREDENTIALS = """
import sys
from cognis_memory.runtime.wiring import deployment
imported = sorted({"boto3.session", "botocore.session"} & set(sys.modules))
assert deployment().credentials is deployment().credentials
print(sorted({"numpy", "apsw", "aws_lambda_powertools"} & set(sys.modules)))
"""

IMPORT_HANDLERS = """
import os
before = dict(os.environ)
os.environ.clear()
from functions.{name} import handler
assert callable(handler.handle)
"""

FUNCTIONS = [
    "store_messages",
    "resolve_speakers_and_dates",
    "acquire_user_lease",
    "extract_memories",
    "embed_and_commit_memories",
    "release_user_lease",
    "record_failure",
    "erase_ledger",
    "erase_payloads",
    "drop_indexes",
    "verify_erasure",
    "record_ended_execution",
    "sweep",
]


def settings(**variables: str) -> Settings:
    return Settings.from_environment({"COGNIS_STAGE": "test", **variables})


def python(code: str, **variables: str) -> str:
    environment = {"PYTHONPATH": ":".join(["", *sys.path]), **AWS, **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_process_that_checks_credentials_loads_nothing_heavy() -> None:
    printed = python(CHECK_CREDENTIALS, COGNIS_STAGE="test", COGNIS_CREDENTIAL_TABLE="credentials")

    assert printed == "[]"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_handler_is_imported_without_an_environment(name: str) -> None:
    python(IMPORT_HANDLERS.format(name=name))


@pytest.mark.parametrize(
    ("port", "variable"),
    [
        ("ledger", "COGNIS_LEDGER_TABLE"),
        ("payloads", "COGNIS_PAYLOAD_BUCKET"),
        ("credentials", "COGNIS_CREDENTIAL_TABLE"),
        ("index", "COGNIS_SEARCH"),
        ("starter", "COGNIS_INGESTION_MACHINE_ARN"),
        ("user_hash", "COGNIS_LOG_KEY_SECRET_ARN"),
    ],
)
def test_what_a_process_needs_and_has_not_is_named(
    monkeypatch: pytest.MonkeyPatch, port: str, variable: str
) -> None:
    for name, value in AWS.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=f"{variable} is not set"):
        getattr(Deployment(settings()), port)


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"COGNIS_MODEL_PROVIDER": "no.such.module:models"}, "COGNIS_MODEL_PROVIDER: No module named"),
        ({"COGNIS_MODEL_PROVIDER": "hash_models:nothing"}, "COGNIS_MODEL_PROVIDER: .*nothing"),
    ],
)
def test_models_that_nobody_provides_are_a_fault_of_the_settings(
    variables: dict[str, str], words: str
) -> None:
    with pytest.raises(ConfigurationError, match=words):
        _ = Deployment(settings(**variables)).models


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("extractor", "COGNIS_EXTRACTION_MODEL_ID"),
        ("embedder", "COGNIS_EMBEDDING_MODEL_ID"),
        ("query_embedder", "COGNIS_EMBEDDING_MODEL_ID"),
    ],
)
def test_models_of_aws_that_are_not_named_are_a_fault_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, model: str, variable: str
) -> None:
    for name, value in AWS.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=f"{variable} is not set"):
        getattr(Deployment(settings()).models, model)


def test_the_provider_is_given_the_environment() -> None:
    given = settings(COGNIS_MODEL_PROVIDER="provider_probe:provide", COGNIS_MODELS_FOLDER="models")

    assert Deployment(given).models.embedder.model_id == "models"


OPENSEARCH = {
    "COGNIS_LEDGER_TABLE": "ledger",
    "COGNIS_SEARCH": "opensearch",
    "COGNIS_OPENSEARCH_ENDPOINT": "http://127.0.0.1:9",
    "COGNIS_MODEL_PROVIDER": "hash_models:provide",
}


def test_a_search_in_opensearch_serves_both_sides_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    opened = Deployment(settings(**OPENSEARCH))

    assert isinstance(opened.index, OpenSearchIndex)
    assert opened.retrieval.combined is opened.index
    assert opened.indexes == [opened.index]


def test_tokens_cost_what_the_deployment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    named = {**OPENSEARCH, "COGNIS_PAYLOAD_BUCKET": "payloads", "COGNIS_EXTRACTION_MODEL_ID": "own"}
    opened = Deployment(settings(**named, COGNIS_PRICES='{"own": [1, 5]}'))

    assert opened.ingestion.prices == Prices(extraction=ModelPrice(1.0, 5.0))
    with pytest.raises(ConfigurationError, match="COGNIS_PRICES"):
        _ = Deployment(settings(**named, COGNIS_PRICES='{"own": "cheap"}')).ingestion


def test_models_that_are_paid_by_the_token_and_have_no_price_are_known() -> None:
    """Neither those of a provider nor those of an endpoint are paid so."""
    named = {"COGNIS_EXTRACTION_MODEL_ID": "own.model", "COGNIS_EMBEDDING_MODEL_ID": "own.embedder"}
    titan = {**named, "COGNIS_EMBEDDING_MODEL_ID": "amazon.titan-embed-text-v2:0"}
    unknown = {
        "both": Deployment(settings(**named)),
        "one": Deployment(settings(**titan)),
        "priced": Deployment(
            settings(**named, COGNIS_PRICES='{"own.model": [1, 5], "own.embedder": [1, 0]}')
        ),
        "endpoint": Deployment(settings(**named, COGNIS_EMBEDDING_ENDPOINT="tei")),
        "provider": Deployment(settings(**named, COGNIS_MODEL_PROVIDER="hash_models:provide")),
    }

    assert {name: opened.prices.unknown for name, opened in unknown.items()} == {
        "both": ("own.model", "own.embedder"),
        "one": ("own.model",),
        "priced": (),
        "endpoint": ("own.model",),
        "provider": (),
    }


def test_another_engine_is_written_to_as_well_where_the_settings_say_so() -> None:
    opened = Deployment(settings(**OPENSEARCH, COGNIS_ALSO_INDEX="shards", COGNIS_SHARD_BUCKET="shards"))

    assert [type(index) for index in opened.indexes] == [OpenSearchIndex, UserShards]


@pytest.mark.parametrize(
    ("endpoint", "complaint"),
    [("search.example", "https://"), ("http://search.example", "https://"), ("ftp://127.0.0.1", "https://")],
)
def test_an_endpoint_on_another_machine_needs_tls(endpoint: str, complaint: str) -> None:
    opened = Deployment(settings(**{**OPENSEARCH, "COGNIS_OPENSEARCH_ENDPOINT": endpoint}))

    with pytest.raises(ConfigurationError, match=complaint):
        _ = opened.index


def test_the_clock_reads_whole_milliseconds() -> None:
    moment = Deployment(settings()).clock()

    assert moment.utcoffset() is not None
    assert moment.microsecond % 1_000 == 0
