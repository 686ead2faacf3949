"""Snapshots of the search index, by schedule, of stages with a search domain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from constructs import Construct

from cognis_cdk.constructs.buckets import private_bucket
from cognis_cdk.constructs.function import FunctionMaker
from cognis_cdk.constructs.resources import Resources
from cognis_cdk.constructs.search_access import DomainAccess
from cognis_cdk.constructs.snapshot_access import SnapshotAccess, snapshot_role
from cognis_cdk.functions import SNAPSHOT_INDEX


class SnapshotStack(Stack):
    """The bucket of the snapshots, and the function that takes them.

    The service's own hourly snapshots can be restored into the same domain alone and go with it.
    """

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        resources: Resources,
        search: DomainAccess,
        dependencies: Path,
        env: Environment,
    ) -> None:
        super().__init__(scope, id_, env=env, description="Cognis: snapshots of the search index")
        bucket = private_bucket(self, "Snapshots", protected=resources.config.protect_data)
        role = snapshot_role(self, "SnapshotRole", search.domain, bucket)
        snapshots = SnapshotAccess(search, bucket, role)
        functions = FunctionMaker(self, replace(resources, snapshots=snapshots), dependencies)
        self.function = functions.make(SNAPSHOT_INDEX)
        schedule = events.Rule(
            self,
            "SnapshotSchedule",
            description=SNAPSHOT_INDEX.description,
            schedule=events.Schedule.rate(Duration.hours(search.config.snapshot_hours)),
        )
        schedule.add_target(targets.LambdaFunction(self.function))
        CfnOutput(self, "SnapshotBucketName", value=bucket.bucket_name)
        CfnOutput(self, "SnapshotFunctionName", value=self.function.function_name)
