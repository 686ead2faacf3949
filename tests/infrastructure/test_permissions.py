"""Roles allow what their functions need, and nothing beyond."""

from __future__ import annotations

from collections.abc import Iterator

from assemblies import Assembly, as_list, resolved

FOR_ALL_RESOURCES = {
    "xray:PutTraceSegments",
    "xray:PutTelemetryRecords",
    "xray:GetSamplingRules",
    "xray:GetSamplingTargets",
    "logs:CreateLogDelivery",
    "logs:GetLogDelivery",
    "logs:UpdateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:DescribeResourcePolicies",
    "logs:DescribeLogGroups",
    "ecr:GetAuthorizationToken",
    "cloudwatch:PutMetricData",
}
"""Actions for which AWS knows no narrower resource."""

MANAGED_POLICIES = {"AmazonAPIGatewayPushToCloudWatchLogs"}
"""The one that API Gateway needs to write any log, once for a region."""

LEDGER_READS = {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}


def _actions(assembly: Assembly, function: str, service: str) -> dict[str, set[str]]:
    """The actions of a service that a function may take, by the resource they are allowed on."""
    found: dict[str, set[str]] = {}
    for statement in assembly.policies(function):
        for resource in as_list(statement["Resource"]):
            actions = {a for a in as_list(statement["Action"]) if a.startswith(f"{service}:")}
            if actions:
                found.setdefault(resolved(resource), set()).update(actions)
    return found


def _named(actions: dict[str, set[str]], part: str) -> Iterator[str]:
    for resource, allowed in actions.items():
        if part in resource:
            yield from allowed


def test_no_role_may_do_anything_of_a_service(assembly: Assembly) -> None:
    for id_, statement in assembly.allowed():
        assert not any("*" in action for action in as_list(statement["Action"])), id_


def test_only_what_cannot_be_narrowed_is_allowed_on_everything(assembly: Assembly) -> None:
    for id_, statement in assembly.allowed():
        if "*" in as_list(statement["Resource"]):
            assert set(as_list(statement["Action"])) <= FOR_ALL_RESOURCES, id_


def test_roles_have_no_policies_of_others(assembly: Assembly) -> None:
    managed = [
        resolved(arn).rsplit("/", 1)[1]
        for role in assembly.resources("AWS::IAM::Role")
        for arn in role.properties.get("ManagedPolicyArns", ())
    ]
    assert set(managed) <= MANAGED_POLICIES


def test_the_authorizer_reads_credentials_and_nothing_else(assembly: Assembly) -> None:
    (table,) = (t for t in assembly.resources("AWS::DynamoDB::Table") if t.name == "Credentials")
    (allowed,) = _actions(assembly, "Authorizer", "dynamodb").items()
    assert table.id in allowed[0]
    assert allowed[1] == {"dynamodb:GetItem"}
    for service in ("s3", "states", "bedrock", "secretsmanager", "es", "sagemaker"):
        assert _actions(assembly, "Authorizer", service) == {}


def test_only_the_authorizer_reads_credentials(assembly: Assembly) -> None:
    for function in assembly.functions.keys() - {"Authorizer"}:
        assert not list(_named(_actions(assembly, function, "dynamodb"), "Credentials"))


def test_searching_changes_nothing_in_the_ledger(assembly: Assembly) -> None:
    allowed = _actions(assembly, "Retrieve", "dynamodb")
    assert set().union(*allowed.values()) == LEDGER_READS
    assert _actions(assembly, "Retrieve", "states") == {}
    assert not list(_named(_actions(assembly, "Retrieve", "s3"), "Payloads"))


def test_only_those_who_start_executions_may(assembly: Assembly) -> None:
    starters = {
        function
        for function in assembly.functions
        if "states:StartExecution" in set().union(*_actions(assembly, function, "states").values())
    }
    assert starters == {"Ingest", "Sweep"}


def test_s3_tells_who_reads_objects_that_one_is_missing(assembly: Assembly) -> None:
    """Without the right to list, S3 answers 403 in place of 404."""
    for function in assembly.functions:
        allowed = _actions(assembly, function, "s3")
        for resource, actions in allowed.items():
            if "s3:GetObject" in actions:
                bucket, _, _ = resource.partition("/")
                assert "s3:ListBucket" in allowed[bucket]


def test_models_of_bedrock_are_called_by_those_who_need_them(payperuse: Assembly) -> None:
    callers = {f for f in payperuse.functions if _actions(payperuse, f, "bedrock")}
    ingesting = {"Ingest", "StoreMessages", "ExtractMemories", "EmbedAndCommitMemories"}
    assert callers == {*ingesting, "Retrieve", "ImportUser"}
    extraction = _actions(payperuse, "ExtractMemories", "bedrock")
    assert extraction.keys().isdisjoint(_actions(payperuse, "StoreMessages", "bedrock"))
    profile = payperuse.environment(payperuse.functions["ExtractMemories"])["COGNIS_EXTRACTION_MODEL_ID"]
    assert any(resource.endswith(f"inference-profile/{profile}") for resource in extraction)


def test_the_model_behind_a_profile_is_called_through_it_alone(payperuse: Assembly) -> None:
    for statement in payperuse.policies("ExtractMemories"):
        resources = [resolved(resource) for resource in as_list(statement["Resource"])]
        if any("foundation-model" in resource for resource in resources):
            assert "bedrock:InferenceProfileArn" in statement["Condition"]["StringEquals"]


def test_models_that_a_deployment_chooses_take_the_place_of_the_others(payperuse_chosen: Assembly) -> None:
    embedding = {
        function: allowed
        for function in payperuse_chosen.functions
        if (allowed := _actions(payperuse_chosen, function, "sagemaker"))
    }
    assert {"Ingest", "StoreMessages", "EmbedAndCommitMemories", "Retrieve"} <= embedding.keys()
    for allowed in embedding.values():
        ((resource, actions),) = allowed.items()
        assert resource.endswith(":endpoint/nomic")
        assert actions == {"sagemaker:InvokeEndpoint"}

    ranking = _actions(payperuse_chosen, "Retrieve", "bedrock")
    model = payperuse_chosen.environment(payperuse_chosen.functions["Retrieve"])["COGNIS_RERANK_MODEL_ARN"]
    assert resolved(model).endswith("foundation-model/amazon.rerank-v1:0")
    assert {
        resource.rpartition(":foundation-model/")[2]: actions for resource, actions in ranking.items()
    } == {
        "amazon.rerank-v1:0": {"bedrock:InvokeModel"},
        "*": {"bedrock:Rerank"},
    }


def test_a_guardrail_is_named_and_allowed_to_extraction_alone(payperuse_chosen: Assembly) -> None:
    allowed = {
        (function, resource)
        for function in payperuse_chosen.functions
        for resource, actions in _actions(payperuse_chosen, function, "bedrock").items()
        if "bedrock:ApplyGuardrail" in actions
    }
    ((function, resource),) = allowed
    assert function == "ExtractMemories"
    assert resource.endswith(":guardrail/gr1abc")
    named = payperuse_chosen.environment(payperuse_chosen.functions[function])["COGNIS_EXTRACTION_GUARDRAIL"]
    assert named == "gr1abc:3"


def test_the_search_domain_lets_in_only_whose_role_names_it(prod: Assembly) -> None:
    (domain,) = prod.resources("AWS::OpenSearchService::Domain")
    assert "AccessPolicies" not in domain.properties
    for function in prod.functions:
        for resource in _actions(prod, function, "es"):
            named, _, path = resource.partition("/")
            assert domain.id in named
            assert path.startswith(
                ("cognis-memories-read/_", "cognis-memories-write/_", "_snapshot/cognis-memories")
            )


def test_a_stage_that_moves_may_use_both_indexes(
    prod: Assembly, payperuse: Assembly, prod_moving: Assembly
) -> None:
    for function in prod.functions.keys() - {"SnapshotIndex"}:
        for service, stage in (("es", prod), ("s3", payperuse)):
            used = _actions(stage, function, service)
            moving = _actions(prod_moving, function, service)
            assert sorted(map(sorted, moving.values())) == sorted(map(sorted, used.values()))


def test_a_node_of_this_machine_takes_no_permission(local_opensearch: Assembly) -> None:
    for function in local_opensearch.functions:
        assert not _actions(local_opensearch, function, "es")
        assert not list(_named(_actions(local_opensearch, function, "s3"), "Shards"))


def test_snapshots_are_written_by_the_domain_to_their_bucket_and_nowhere_else(prod: Assembly) -> None:
    (role,) = (r for r in prod.resources("AWS::IAM::Role") if r.name == "SnapshotRole")
    (bucket,) = (b for b in prod.resources("AWS::S3::Bucket") if b.name == "Snapshots")
    (trust,) = role.properties["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"Service": "es.amazonaws.com"}
    assert "aws:SourceAccount" in trust["Condition"]["StringEquals"]
    (domain,) = prod.resources("AWS::OpenSearchService::Domain")
    assert domain.id in resolved(trust["Condition"]["ArnLike"]["aws:SourceArn"])
    for id_, statement in prod.allowed():
        if id_ == role.id:
            assert {resolved(r).partition("/")[0] for r in as_list(statement["Resource"])} == {bucket.id}


def test_the_snapshot_role_is_handed_on_by_who_takes_snapshots_alone(prod: Assembly) -> None:
    (role,) = (r.id for r in prod.resources("AWS::IAM::Role") if r.name == "SnapshotRole")
    for function in prod.functions:
        passed = _actions(prod, function, "iam")
        assert passed == ({role: {"iam:PassRole"}} if function == "SnapshotIndex" else {})


def test_the_search_domain_speaks_and_stores_encrypted(prod: Assembly) -> None:
    (domain,) = (d.properties for d in prod.resources("AWS::OpenSearchService::Domain"))
    assert domain["DomainEndpointOptions"]["EnforceHTTPS"]
    assert domain["NodeToNodeEncryptionOptions"] == {"Enabled": True}
    assert domain["EncryptionAtRestOptions"] == {"Enabled": True}
