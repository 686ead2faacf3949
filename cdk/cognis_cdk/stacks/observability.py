"""Who is told when something goes wrong, and one page to look at."""

from __future__ import annotations

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from cognis_cdk.config import StageConfig
from cognis_cdk.constructs.alarms import (
    failed_ingestions_metric,
    ingestion_failure_alarm,
    search_latency_alarm,
    search_latency_metric,
)
from cognis_cdk.constructs.machines import Machines
from cognis_cdk.constructs.search_access import DomainAccess
from cognis_cdk.constructs.search_alarms import domain_alarms, snapshot_failure_alarm


class ObservabilityStack(Stack):
    """Alarms with a topic, and a dashboard. Whoever else wants to know subscribes to the topic."""

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        config: StageConfig,
        machines: Machines,
        api: apigateway.RestApi,
        env: Environment,
    ) -> None:
        super().__init__(scope, id_, env=env, description="Cognis: alarms and dashboard")
        self._topic = sns.Topic(self, "Alarms", display_name=f"{config.prefix} alarms", enforce_ssl=True)
        for address in config.alarm_emails:
            self._topic.add_subscription(subscriptions.EmailSubscription(address))
        self._tell_of(search_latency_alarm(self, config))
        self._tell_of(ingestion_failure_alarm(self, machines.ingestion))
        self._dashboard(config, machines, api)
        CfnOutput(self, "AlarmTopicArn", value=self._topic.topic_arn)

    def watch_search(self, search: DomainAccess, snapshots: lambda_.IFunction) -> None:
        """Adds the alarms of a search domain and of the function that takes its snapshots."""
        for alarm in domain_alarms(self, search):
            self._tell_of(alarm)
        self._tell_of(snapshot_failure_alarm(self, snapshots))

    def _tell_of(self, alarm: cloudwatch.Alarm) -> None:
        alarm.add_alarm_action(actions.SnsAction(self._topic))
        alarm.add_ok_action(actions.SnsAction(self._topic))

    def _dashboard(self, config: StageConfig, machines: Machines, api: apigateway.RestApi) -> None:
        period = Duration.minutes(5)
        cloudwatch.Dashboard(
            self,
            "Dashboard",
            widgets=[
                [
                    cloudwatch.GraphWidget(title="Searches", left=[search_latency_metric(config)]),
                    cloudwatch.GraphWidget(
                        title="Ingestions",
                        left=[
                            machines.ingestion.metric_started(period=period),
                            machines.ingestion.metric_succeeded(period=period),
                            failed_ingestions_metric(machines.ingestion),
                        ],
                        right=[machines.ingestion.metric_time(period=period)],
                    ),
                    cloudwatch.GraphWidget(
                        title="Requests",
                        left=[
                            api.metric_count(period=period),
                            api.metric_client_error(period=period),
                            api.metric_server_error(period=period),
                        ],
                    ),
                ]
            ],
        )
