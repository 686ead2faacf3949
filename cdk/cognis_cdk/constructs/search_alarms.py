"""Alarms of a search domain, by the metrics that OpenSearch Service counts itself.

Thresholds are those of its Developer Guide, "Recommended CloudWatch alarms for Amazon OpenSearch Service".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from cognis_cdk.constructs.search_access import DomainAccess

_PERIOD: Final = Duration.minutes(1)
_FREE_SHARE: Final = 0.25
"""Of each data node's volume. Below it merging segments may find no room."""
_MIB_PER_GIB: Final = 1_024
_HEAP_PERCENT: Final = 95

_ABOVE: Final = cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
_BELOW: Final = cloudwatch.ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD


def domain_alarms(scope: Construct, search: DomainAccess) -> Iterator[cloudwatch.Alarm]:
    """Shards without a primary, writes that are refused, disks that fill, heaps that are full."""
    domain = search.domain
    yield domain.metric_cluster_status_red(period=_PERIOD).create_alarm(
        scope,
        "SearchClusterRedAlarm",
        alarm_description="A primary shard is on no node: its users' memories cannot be found",
        threshold=1,
        comparison_operator=_ABOVE,
        evaluation_periods=1,
    )
    yield domain.metric_cluster_index_writes_blocked(period=Duration.minutes(5)).create_alarm(
        scope,
        "SearchWritesBlockedAlarm",
        alarm_description="The search domain refuses writes, for want of disk or memory",
        threshold=1,
        comparison_operator=_ABOVE,
        evaluation_periods=1,
    )
    yield domain.metric_free_storage_space(period=_PERIOD).create_alarm(
        scope,
        "SearchStorageAlarm",
        alarm_description=f"A data node has less than {_FREE_SHARE:.0%} of its disk free",
        threshold=search.config.volume_gib * _MIB_PER_GIB * _FREE_SHARE,
        comparison_operator=_BELOW,
        evaluation_periods=1,
    )
    yield domain.metric_jvm_memory_pressure(period=_PERIOD).create_alarm(
        scope,
        "SearchMemoryAlarm",
        alarm_description=f"A node has used {_HEAP_PERCENT}% of its heap for three minutes",
        threshold=_HEAP_PERCENT,
        comparison_operator=_ABOVE,
        evaluation_periods=3,
    )


def snapshot_failure_alarm(scope: Construct, snapshots: lambda_.IFunction) -> cloudwatch.Alarm:
    """Goes off when a run of the function fails; Lambda repeats it twice before it gives up."""
    return snapshots.metric_errors(period=Duration.hours(1), statistic=cloudwatch.Stats.SUM).create_alarm(
        scope,
        "SnapshotFailureAlarm",
        alarm_description="A snapshot of the search index failed; the log of the function says why",
        threshold=1,
        comparison_operator=_ABOVE,
        evaluation_periods=1,
        treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
    )
