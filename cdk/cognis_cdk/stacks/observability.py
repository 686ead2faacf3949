"""Who is told when something goes wrong, and one page to look at."""

from __future__ import annotations

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
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
        topic = sns.Topic(self, "Alarms", display_name=f"{config.prefix} alarms", enforce_ssl=True)
        for address in config.alarm_emails:
            topic.add_subscription(subscriptions.EmailSubscription(address))
        for alarm in (
            search_latency_alarm(self, config),
            ingestion_failure_alarm(self, machines.ingestion),
        ):
            alarm.add_alarm_action(actions.SnsAction(topic))
            alarm.add_ok_action(actions.SnsAction(topic))
        self._dashboard(config, machines, api)
        CfnOutput(self, "AlarmTopicArn", value=topic.topic_arn)

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
