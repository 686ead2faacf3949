"""The two alarms of the reference: searches grow slow, ingestions fail."""

from __future__ import annotations

from typing import Final

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from cognis_cdk.config import StageConfig
from cognis_memory.runtime.metrics import NAMESPACE, Metric, dimensions

_PERIOD: Final = 5
"""Minutes."""


def search_latency_metric(config: StageConfig) -> cloudwatch.Metric:
    """How long searches take, in milliseconds, as the 99th percentile."""
    return cloudwatch.Metric(
        namespace=NAMESPACE,
        metric_name=Metric.SEARCH_LATENCY.value,
        dimensions_map=dimensions(config.name),
        statistic=cloudwatch.Stats.percentile(99),
        period=Duration.minutes(_PERIOD),
    )


def failed_ingestions_metric(machine: sfn.IStateMachine) -> cloudwatch.Metric:
    """Executions that failed. Counted by Step Functions, so that it holds when no function can run at all."""
    return machine.metric_failed(period=Duration.minutes(_PERIOD), statistic=cloudwatch.Stats.SUM)


def search_latency_alarm(scope: Construct, config: StageConfig) -> cloudwatch.Alarm:
    """Goes off when searches were too slow in two of three periods; without any search all is well."""
    threshold_ms = config.alarm_latency_ms
    return search_latency_metric(config).create_alarm(
        scope,
        "SearchLatencyAlarm",
        alarm_description=f"The 99th percentile of search latency is above {threshold_ms} ms",
        threshold=threshold_ms,
        comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluation_periods=3,
        datapoints_to_alarm=2,
        treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
    )


def ingestion_failure_alarm(scope: Construct, machine: sfn.IStateMachine) -> cloudwatch.Alarm:
    """Goes off at the first ingestion that fails: what was said is then not remembered."""
    return failed_ingestions_metric(machine).create_alarm(
        scope,
        "IngestionFailureAlarm",
        alarm_description="An ingestion failed; its event says why, and its execution can be redriven",
        threshold=1,
        comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluation_periods=1,
        treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
    )
