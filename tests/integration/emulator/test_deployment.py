"""Assemblies become stacks: created, updated, left alone, and refused with a reason."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from emulated import Emulated

from cognis_local.stack.assembly import Assembly, Asset, StackTemplate
from cognis_local.stack.deployment import Outputs, deploy, deployed
from cognis_local.stack.errors import StackError

GOOD: dict[str, Any] = {"Queue": {"Type": "AWS::SQS::Queue", "Properties": {}}}
BAD: dict[str, Any] = {"Alarm": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"Threshold": 1}}}

Deploy = Callable[[dict[str, Any]], Outputs]


@pytest.fixture
def name() -> str:
    return f"s-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def deploy_stack(emulated: Emulated, tmp_path: Path, name: str) -> Deploy:
    """Deploys these resources as the test's stack, beside an object `code.zip` with a function's code."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "handler.py").write_text("def handle(event, context): return 'deployed'")

    def deploying(resources: dict[str, Any]) -> Outputs:
        outputs = {"Names": {"Value": ",".join(resources)}}
        content = json.dumps({"Resources": resources, "Outputs": outputs})
        key = f"{uuid.uuid4().hex}.json"
        (tmp_path / key).write_text(content)
        assets = (
            Asset(tmp_path / key, zipped=False, bucket="assets", key=key),
            Asset(tmp_path / "code", zipped=True, bucket="assets", key="code.zip"),
        )
        return deploy(emulated.account, Assembly((StackTemplate(name, "assets", key),), assets), list)

    return deploying


def function() -> dict[str, Any]:
    properties = {
        "Runtime": "python3.13",
        "Handler": "handler.handle",
        "Role": "arn:aws:iam::000000000000:role/test",
        "Code": {"S3Bucket": "assets", "S3Key": "code.zip"},
    }
    return {"Function": {"Type": "AWS::Lambda::Function", "Properties": properties}}


def test_a_folder_becomes_the_code_of_a_function(emulated: Emulated, deploy_stack: Deploy, name: str) -> None:
    assert deploy_stack(function()) == {name: {"Names": "Function"}}
    resources = emulated.account.cloudformation().describe_stack_resources(StackName=name)["StackResources"]
    assert emulated.invoke(resources[0]["PhysicalResourceId"]) == "deployed"


def test_a_stack_is_updated_and_left_alone_when_nothing_changed(
    emulated: Emulated, deploy_stack: Deploy, name: str
) -> None:
    assert not deployed(emulated.account, [name])
    deploy_stack(GOOD)
    assert deployed(emulated.account, [name])
    assert deploy_stack(GOOD) == {name: {"Names": "Queue"}}
    topic = {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {}}}
    assert deploy_stack({**GOOD, **topic}) == {name: {"Names": "Queue,Topic"}}


def test_a_failure_names_resource_and_reason_and_can_be_mended(deploy_stack: Deploy, name: str) -> None:
    with pytest.raises(StackError, match=rf"Stack {name} .* Alarm \(AWS::CloudWatch::Alarm\): .+"):
        deploy_stack({**GOOD, **BAD})
    assert deploy_stack(GOOD) == {name: {"Names": "Queue"}}


def test_a_failed_update_leaves_what_was_there(emulated: Emulated, deploy_stack: Deploy, name: str) -> None:
    deploy_stack(GOOD)
    before = emulated.account.cloudformation().describe_stack_resources(StackName=name)["StackResources"]
    with pytest.raises(StackError, match=r"Alarm \(AWS::CloudWatch::Alarm\)"):
        deploy_stack({**GOOD, **BAD})
    after = emulated.account.cloudformation().describe_stack_resources(StackName=name)["StackResources"]
    assert [r["PhysicalResourceId"] for r in after] == [r["PhysicalResourceId"] for r in before]
    assert deploy_stack(GOOD) == {name: {"Names": "Queue"}}


def test_an_alarm_on_an_expression_of_metrics_is_taken(emulated: Emulated, deploy_stack: Deploy) -> None:
    metric = {"Namespace": "AWS/States", "MetricName": "ExecutionsFailed"}
    queries = [
        {"Id": "sum", "Expression": "FILL(failed, 0)", "ReturnData": True},
        {"Id": "failed", "MetricStat": {"Metric": metric, "Period": 300, "Stat": "Sum"}, "ReturnData": False},
    ]
    name = f"alarm-{uuid.uuid4().hex[:8]}"
    properties = {
        "AlarmName": name,
        "Metrics": queries,
        "Threshold": 1,
        "EvaluationPeriods": 1,
        "ComparisonOperator": "GreaterThanOrEqualToThreshold",
    }
    deploy_stack({"Alarm": {"Type": "AWS::CloudWatch::Alarm", "Properties": properties}})
    alarms = emulated.client("cloudwatch").describe_alarms(AlarmNames=[name])["MetricAlarms"]
    assert [alarm["Threshold"] for alarm in alarms] == [1.0]
