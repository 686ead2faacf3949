"""Settings from an environment, and what is said when one is wrong."""

from __future__ import annotations

import pytest

from cognis_memory.errors import ConfigurationError
from cognis_memory.runtime.settings import VARIABLES, Settings, variable

GIVEN = {
    "COGNIS_STAGE": "payperuse",
    "COGNIS_LEDGER_TABLE": "ledger",
    "COGNIS_SEARCH": "shards",
    "COGNIS_MODEL_PROVIDER": "cognis_local.provider:local_models",
    "COGNIS_MODELS_FOLDER": "",
    "PATH": "/usr/bin",
}


def test_each_field_is_its_variable_and_an_empty_one_is_not_set() -> None:
    settings = Settings.from_environment(GIVEN)

    assert (settings.stage, settings.search) == ("payperuse", "shards")
    assert settings.required("ledger_table") == "ledger"
    assert settings.payload_bucket is None
    assert settings.models_folder is None
    assert settings.environ["PATH"] == "/usr/bin"


def test_the_variables_are_those_that_the_template_sets() -> None:
    assert set(VARIABLES) == {
        "COGNIS_STAGE",
        "COGNIS_LEDGER_TABLE",
        "COGNIS_CREDENTIAL_TABLE",
        "COGNIS_PAYLOAD_BUCKET",
        "COGNIS_TRANSFER_BUCKET",
        "COGNIS_SHARD_BUCKET",
        "COGNIS_SEARCH",
        "COGNIS_ALSO_INDEX",
        "COGNIS_OPENSEARCH_ENDPOINT",
        "COGNIS_OPENSEARCH_INDEX",
        "COGNIS_SNAPSHOT_BUCKET",
        "COGNIS_SNAPSHOT_ROLE_ARN",
        "COGNIS_SNAPSHOTS_KEPT",
        "COGNIS_MODEL_PROVIDER",
        "COGNIS_EXTRACTION_MODEL_ID",
        "COGNIS_EXTRACTION_OUTPUT",
        "COGNIS_EXTRACTION_GUARDRAIL",
        "COGNIS_EMBEDDING_MODEL_ID",
        "COGNIS_EMBEDDING_ENDPOINT",
        "COGNIS_RERANK_ENDPOINT",
        "COGNIS_RERANK_MODEL_ARN",
        "COGNIS_INGESTION_MACHINE_ARN",
        "COGNIS_ERASURE_MACHINE_ARN",
        "COGNIS_EXPORT_MACHINE_ARN",
        "COGNIS_IMPORT_MACHINE_ARN",
        "COGNIS_LOG_KEY_SECRET_ARN",
        "COGNIS_MODELS_FOLDER",
        "COGNIS_MASK_SECRETS",
        "COGNIS_QUERY_EMBEDDING_MS",
        "COGNIS_RERANK_MS",
        "COGNIS_PRICES",
        "COGNIS_CALIBRATIONS",
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("COGNIS_STAGE", ""),
        ("COGNIS_SEARCH", "elastic"),
        ("COGNIS_MASK_SECRETS", "no"),
        ("COGNIS_EXTRACTION_OUTPUT", "json"),
        ("COGNIS_EXTRACTION_GUARDRAIL", "gr1abc"),
        ("COGNIS_EXTRACTION_GUARDRAIL", "gr1abc:0"),
        ("COGNIS_EXTRACTION_GUARDRAIL", ":DRAFT"),
        ("COGNIS_RERANK_MS", "fast"),
        ("COGNIS_RERANK_MS", "0"),
        ("COGNIS_QUERY_EMBEDDING_MS", "-1"),
        ("COGNIS_MODEL_PROVIDER", "cognis_local.provider"),
        ("COGNIS_MODEL_PROVIDER", "os; rm:x"),
        ("COGNIS_MODEL_PROVIDER", "a.b:c:d"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_variable(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=name) as refused:
        Settings.from_environment({**GIVEN, name: value})
    assert not value or value not in str(refused.value)


def test_a_setting_that_is_needed_and_missing_is_named() -> None:
    with pytest.raises(ConfigurationError, match="COGNIS_SHARD_BUCKET is not set"):
        Settings.from_environment(GIVEN).required("shard_bucket")
    assert variable("shard_bucket") == "COGNIS_SHARD_BUCKET"


@pytest.mark.parametrize(("given", "masks"), [("", True), ("true", True), ("false", False)])
def test_secrets_are_masked_unless_the_deployment_says_otherwise(given: str, masks: bool) -> None:
    assert Settings.from_environment({**GIVEN, "COGNIS_MASK_SECRETS": given}).masks_secrets is masks


def test_budgets_are_milliseconds() -> None:
    settings = Settings.from_environment({**GIVEN, "COGNIS_RERANK_MS": "400"})

    assert (settings.rerank_seconds, settings.query_embedding_seconds) == (0.4, None)


def test_credentials_of_the_environment_are_not_shown() -> None:
    settings = Settings.from_environment({**GIVEN, "AWS_SECRET_ACCESS_KEY": "hush"})

    assert "hush" not in repr(settings)
