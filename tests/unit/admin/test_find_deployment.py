"""How the commands on indexes find the deployment: by its stacks, or by the variables of its functions."""

from __future__ import annotations

import json
from collections.abc import Iterator

import boto3
import pytest
from aws_account import only_region
from moto import mock_aws

from cognis_admin.deployment import find_deployment
from cognis_memory.errors import NotFound

REGION = "eu-central-1"
DATA = {"LedgerTableName": "ledger", "PayloadBucketName": "payloads", "ShardBucketName": "shards"}
MACHINES = {"IngestionMachineArn": "arn:ingestion", "ErasureMachineArn": "arn:erasure"}


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    only_region(monkeypatch, REGION)
    with mock_aws():
        yield


def deploy(stack: str, outputs: dict[str, str]) -> None:
    template = {
        "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
        "Outputs": {name: {"Value": value} for name, value in outputs.items()},
    }
    client = boto3.client("cloudformation", region_name=REGION)
    client.create_stack(StackName=stack, TemplateBody=json.dumps(template))


def test_stores_and_search_are_those_of_the_stacks() -> None:
    deploy("cognis-prod-data", DATA)
    deploy("cognis-prod-search", {"SearchEndpoint": "https://search.example.org"})
    deploy("cognis-prod-ingestion", MACHINES)

    settings = find_deployment("prod").settings
    assert (settings.ledger_table, settings.payload_bucket, settings.shard_bucket) == tuple(DATA.values())
    assert (settings.search, settings.opensearch_endpoint) == ("opensearch", "https://search.example.org")
    assert (settings.ingestion_machine_arn, settings.erasure_machine_arn) == tuple(MACHINES.values())


def test_a_stage_without_a_domain_searches_in_shards() -> None:
    deploy("cognis-payperuse-data", DATA)

    settings = find_deployment("payperuse").settings
    assert (settings.search, settings.opensearch_endpoint) == ("shards", None)


def test_variables_come_before_the_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    deploy("cognis-prod-data", DATA)
    monkeypatch.setenv("COGNIS_SHARD_BUCKET", "other-shards")
    monkeypatch.setenv("COGNIS_SEARCH", "shards")
    assert find_deployment("prod").settings.shard_bucket == "other-shards"

    monkeypatch.setenv("COGNIS_LEDGER_TABLE", "other-ledger")
    settings = find_deployment("nowhere").settings
    assert (settings.ledger_table, settings.payload_bucket) == ("other-ledger", None)


def test_a_stage_that_is_not_deployed_is_named() -> None:
    with pytest.raises(NotFound, match="cognis-nowhere-data"):
        find_deployment("nowhere")
