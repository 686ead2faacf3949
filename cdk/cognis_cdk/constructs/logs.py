"""Log groups that forget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aws_cdk import RemovalPolicy
from aws_cdk import aws_logs as logs
from constructs import Construct

from cognis_cdk.config import StageConfig
from cognis_cdk.config.stage import LogDays

_RETENTION: Final[Mapping[LogDays, logs.RetentionDays]] = {
    7: logs.RetentionDays.ONE_WEEK,
    14: logs.RetentionDays.TWO_WEEKS,
    30: logs.RetentionDays.ONE_MONTH,
    90: logs.RetentionDays.THREE_MONTHS,
    365: logs.RetentionDays.ONE_YEAR,
}


def log_group(scope: Construct, id_: str, config: StageConfig) -> logs.LogGroup:
    """It goes with its stack: what it holds is for running the stack."""
    return logs.LogGroup(
        scope, id_, retention=_RETENTION[config.log_days], removal_policy=RemovalPolicy.DESTROY
    )
