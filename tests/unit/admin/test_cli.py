"""The command line of whoever runs Cognis, on a stand-in for AWS."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import boto3
import pytest
from aws_account import forget_account
from click.testing import CliRunner, Result
from moto import mock_aws

from cognis_admin.cli import cognis_admin
from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore, credential_table_definition
from cognis_memory.domain.api_keys import digest
from cognis_memory.services.credentials import authenticate

REGION = "eu-central-1"
TEMPLATE = {
    "Resources": {
        "Table": {
            "Type": "AWS::DynamoDB::Table",
            "Properties": {
                "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            },
        }
    },
    "Outputs": {"CredentialTableName": {"Value": {"Ref": "Table"}}},
}

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs a command in an account that has a table `credentials`."""
    for name in ("COGNIS_STAGE", "COGNIS_CREDENTIAL_TABLE", "AWS_PROFILE", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)

    def invoke(*arguments: str, table: str | None = "credentials") -> Result:
        named = ["--table", table] if table else []
        return CliRunner().invoke(cognis_admin, [*arguments, *named])

    with mock_aws():
        client = boto3.client("dynamodb", region_name=REGION)
        client.create_table(**credential_table_definition("credentials"))
        yield invoke


@pytest.fixture
def store(run: Run) -> DynamoCredentialStore:
    return DynamoCredentialStore("credentials", boto3.client("dynamodb", region_name=REGION))


def test_a_new_tenant_comes_with_a_key_that_works(run: Run, store: DynamoCredentialStore) -> None:
    made = run("tenant", "create", "acme", "--name", "Acme Ltd.")
    secret = made.stdout.splitlines()[-1]

    assert made.exit_code == 0
    credential = authenticate(store, secret)
    assert credential is not None
    assert (credential.tenant_id, credential.user_id) == ("acme", None)
    assert credential.key_id in made.stdout


def test_json_is_for_machines(run: Run, store: DynamoCredentialStore) -> None:
    tenant = json.loads(run("tenant", "create", "acme", "--json").stdout)
    key = json.loads(run("key", "create", "acme", "--user-id", "アナ", "--json").stdout)

    assert set(tenant) == {"tenant_id", "name", "created_at", "disabled", "key_id", "api_key"}
    assert authenticate(store, tenant["api_key"]) is not None
    bound = authenticate(store, key["api_key"])
    assert bound is not None
    assert (bound.key_id, bound.user_id) == (key["key_id"], "アナ")
    assert json.loads(run("tenant", "list", "--json").stdout) == [
        {name: tenant[name] for name in ("tenant_id", "name", "created_at", "disabled")}
    ]
    listed = json.loads(run("key", "list", "acme", "--json").stdout)
    assert [(each["key_id"], each["user_id"], each["revoked"]) for each in listed] == [
        (tenant["key_id"], None, False),
        (key["key_id"], "アナ", False),
    ]


def test_keys_and_their_digests_are_never_listed(run: Run) -> None:
    secret = json.loads(run("tenant", "create", "acme", "--json").stdout)["api_key"]

    for arguments in (("key", "list", "acme"), ("key", "list", "acme", "--json"), ("tenant", "list")):
        shown = run(*arguments).output
        assert "acme" in shown or "key_" in shown
        assert secret not in shown
        assert digest(secret) not in shown


def test_disabling_and_revoking_take_effect(run: Run, store: DynamoCredentialStore) -> None:
    tenant = json.loads(run("tenant", "create", "acme", "--json").stdout)

    assert run("tenant", "disable", "acme").exit_code == 0
    assert authenticate(store, tenant["api_key"]) is None
    assert "disabled" in run("tenant", "list").stdout
    assert run("tenant", "enable", "acme").exit_code == 0
    assert authenticate(store, tenant["api_key"]) is not None
    assert run("key", "revoke", tenant["key_id"]).exit_code == 0
    assert authenticate(store, tenant["api_key"]) is None
    assert "revoked" in run("key", "list", "acme").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tenant", "create", "acme"), "there is a tenant acme already"),
        (("tenant", "create", "a b"), "letters, digits"),
        (("tenant", "disable", "nobody"), "there is no tenant nobody"),
        (("tenant", "enable", "nobody"), "there is no tenant nobody"),
        (("key", "create", "nobody"), "there is no tenant nobody"),
        (("key", "create", "acme", "--user-id", " "), "user_id"),
        (("key", "list", "nobody"), "there is no tenant nobody"),
        (("key", "revoke", "key_nobodys"), "there is no key key_nobodys"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(run: Run, arguments: tuple[str, ...], said: str) -> None:
    run("tenant", "create", "acme")
    refused = run(*arguments)

    assert refused.exit_code == 1
    assert said in refused.stderr
    assert refused.stdout == ""


def test_the_table_is_found_by_the_stage(run: Run) -> None:
    boto3.client("cloudformation", region_name=REGION).create_stack(
        StackName="cognis-dev-data", TemplateBody=json.dumps(TEMPLATE)
    )
    made = run("tenant", "create", "acme", "--stage", "dev", "--json", table=None)

    assert made.exit_code == 0
    assert "acme" in run("tenant", "list", "--stage", "dev", table=None).stdout
    assert run("tenant", "list").stdout == ""


def test_a_stage_or_table_that_is_not_there_is_named(run: Run) -> None:
    assert "there is no stack cognis-prod-data" in run("tenant", "list", table=None).stderr
    assert "there is no table elsewhere in eu-central-1" in run("tenant", "list", table="elsewhere").stderr


def test_a_stack_without_the_table_is_named(run: Run) -> None:
    boto3.client("cloudformation", region_name=REGION).create_stack(
        StackName="cognis-dev-data", TemplateBody=json.dumps({**TEMPLATE, "Outputs": {}})
    )

    assert "has no output CredentialTableName" in run("tenant", "list", "--stage", "dev", table=None).stderr


def test_without_credentials_or_region_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_account(monkeypatch)
    arguments = ["tenant", "list", "--table", "credentials"]

    assert "set AWS_REGION" in CliRunner().invoke(cognis_admin, arguments).stderr
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    assert "set AWS_PROFILE" in CliRunner().invoke(cognis_admin, arguments).stderr


def test_the_region_of_awss_other_tools_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_REGION", REGION)

    made = run("tenant", "create", "acme")

    assert made.exit_code == 0, made.output
