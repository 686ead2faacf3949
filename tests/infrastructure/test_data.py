"""Tables are what the adapters expect, and buckets keep nothing longer than they must."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from assemblies import Assembly, Resource

from cognis_memory.adapters.dynamodb.credentials import credential_table_definition
from cognis_memory.adapters.dynamodb.schema import TTL_ATTRIBUTE, table_definition

DEFINITIONS = {"Ledger": table_definition("any"), "Credentials": credential_table_definition("any")}
LISTS = ("AttributeDefinitions", "LocalSecondaryIndexes", "GlobalSecondaryIndexes")


def _tables(assembly: Assembly) -> dict[str, Resource]:
    return {table.name: table for table in assembly.resources("AWS::DynamoDB::Table")}


def _in_any_order(values: Iterable[Any]) -> list[str]:
    return sorted(map(repr, values))


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_table_has_the_keys_and_indexes_that_its_adapter_expects(assembly: Assembly, name: str) -> None:
    table, definition = _tables(assembly)[name].properties, DEFINITIONS[name]
    assert table["KeySchema"] == definition["KeySchema"]
    assert table["BillingMode"] == definition["BillingMode"]
    for part in LISTS:
        assert _in_any_order(table.get(part, ())) == _in_any_order(definition.get(part, ()))


def test_idempotency_records_go_by_themselves(assembly: Assembly) -> None:
    ledger = _tables(assembly)["Ledger"].properties
    assert ledger["TimeToLiveSpecification"] == {"AttributeName": TTL_ATTRIBUTE, "Enabled": True}


def test_tables_can_be_restored_and_are_not_deleted_by_mistake(assemblies: dict[str, Assembly]) -> None:
    for stage, assembly in assemblies.items():
        for table in _tables(assembly).values():
            backed_up = table.properties.get("PointInTimeRecoverySpecification", {})
            assert backed_up.get("PointInTimeRecoveryEnabled", False) is (stage != "local")
            assert table.properties.get("DeletionProtectionEnabled", False) is (stage != "local")


def test_buckets_are_closed_and_what_is_deleted_is_gone(assembly: Assembly) -> None:
    for bucket in (b.properties for b in assembly.resources("AWS::S3::Bucket")):
        assert "VersioningConfiguration" not in bucket
        assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
        assert bucket["BucketEncryption"]


def test_a_stage_with_a_search_domain_has_a_bucket_for_its_snapshots(assemblies: dict[str, Assembly]) -> None:
    for stage, assembly in assemblies.items():
        names = {bucket.name for bucket in assembly.resources("AWS::S3::Bucket")}
        assert names - {"Payloads", "Transfers", "Shards"} == ({"Snapshots"} if stage == "prod" else set())


def test_payloads_that_nobody_needs_go_and_the_rest_stays(assembly: Assembly) -> None:
    rules = {
        bucket.name: bucket.properties["LifecycleConfiguration"]["Rules"]
        for bucket in assembly.resources("AWS::S3::Bucket")
    }
    expiry = {name: [rule.get("ExpirationInDays") for rule in rules[name]] for name in rules}
    assert (expiry.pop("Payloads"), expiry.pop("Transfers")) == ([30], [1])
    assert set(map(tuple, expiry.values())) == {(None,)}


def test_buckets_refuse_requests_without_tls(assembly: Assembly) -> None:
    policies = {
        policy.properties["Bucket"]["Ref"]: policy.properties["PolicyDocument"]["Statement"]
        for policy in assembly.resources("AWS::S3::BucketPolicy")
    }
    for bucket in assembly.resources("AWS::S3::Bucket"):
        denials = (s for s in policies[bucket.id] if s["Effect"] == "Deny" and s["Action"] == "s3:*")
        assert {"Bool": {"aws:SecureTransport": "false"}} in [denial["Condition"] for denial in denials]
