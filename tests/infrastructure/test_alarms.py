"""Alarms watch what is really measured, and somebody hears them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from assemblies import ACCOUNT, Assembly, Json, resolved

from cognis_memory.runtime import metrics, wiring
from cognis_memory.runtime.metrics import Metric, emit


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """What a function of the stage writes for CloudWatch when it measures a search."""

    def measured(environment: dict[str, str]) -> Json:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        emit({Metric.SEARCH_LATENCY: 12.5})
        line: Json = json.loads(capsys.readouterr().out)
        return line

    _forget()
    yield measured
    _forget()


def _forget() -> None:
    wiring.deployment.cache_clear()
    metrics._metrics.cache_clear()


def _alarm(assembly: Assembly, name: str) -> Json:
    (alarm,) = (a.properties for a in assembly.resources("AWS::CloudWatch::Alarm") if a.name == name)
    return alarm


def test_slow_searches_are_told_by_the_metric_that_searches_write(prod: Assembly, emitted: Any) -> None:
    alarm = _alarm(prod, "SearchLatencyAlarm")
    written = emitted(prod.environment(prod.functions["Retrieve"]))
    (directive,) = written["_aws"]["CloudWatchMetrics"]
    dimensions = {dimension["Name"]: dimension["Value"] for dimension in alarm["Dimensions"]}

    assert alarm["Namespace"] == directive["Namespace"]
    assert alarm["MetricName"] in [metric["Name"] for metric in directive["Metrics"]]
    assert [sorted(dimensions)] == [sorted(names) for names in directive["Dimensions"]]
    assert all(written[name] == value for name, value in dimensions.items())
    assert (alarm["ExtendedStatistic"], alarm["Threshold"]) == ("p99", 770)
    (metric,) = directive["Metrics"]
    assert metric["Unit"] == "Milliseconds"


def test_failed_ingestions_are_told_by_what_step_functions_counts(assembly: Assembly) -> None:
    alarm = _alarm(assembly, "IngestionFailureAlarm")
    (dimension,) = alarm["Dimensions"]
    (machine,) = (m for m in assembly.resources("AWS::StepFunctions::StateMachine") if m.name == "Ingestion")
    assert (alarm["Namespace"], alarm["MetricName"]) == ("AWS/States", "ExecutionsFailed")
    assert dimension["Name"] == "StateMachineArn"
    assert machine.id in resolved(dimension["Value"])
    assert (alarm["Statistic"], alarm["Threshold"]) == ("Sum", 1)


def test_alarms_reach_the_topic(assembly: Assembly) -> None:
    (topic,) = assembly.resources("AWS::SNS::Topic")
    for alarm in assembly.resources("AWS::CloudWatch::Alarm"):
        assert [resolved(action) for action in alarm.properties["AlarmActions"]] == [topic.id]


def test_a_search_domain_is_watched_by_what_the_service_counts(prod: Assembly) -> None:
    (domain,) = prod.resources("AWS::OpenSearchService::Domain")
    watched = {
        alarm["MetricName"]: alarm
        for alarm in (a.properties for a in prod.resources("AWS::CloudWatch::Alarm"))
        if alarm["Namespace"] == "AWS/ES"
    }
    assert {name: alarm["Threshold"] for name, alarm in watched.items()} == {
        "ClusterStatus.red": 1,
        "ClusterIndexWritesBlocked": 1,
        "FreeStorageSpace": domain.properties["EBSOptions"]["VolumeSize"] * 1_024 / 4,
        "JVMMemoryPressure": 95,
    }
    for name, alarm in watched.items():
        dimensions = {dimension["Name"]: resolved(dimension["Value"]) for dimension in alarm["Dimensions"]}
        assert domain.id in dimensions["DomainName"]
        assert dimensions["ClientId"] == ACCOUNT
        assert alarm["Statistic"] == ("Minimum" if name == "FreeStorageSpace" else "Maximum")


def test_snapshots_that_fail_are_told_by_the_errors_of_their_function(prod: Assembly) -> None:
    alarm = _alarm(prod, "SnapshotFailureAlarm")
    (dimension,) = alarm["Dimensions"]
    assert (alarm["Namespace"], alarm["MetricName"], alarm["Statistic"]) == ("AWS/Lambda", "Errors", "Sum")
    assert prod.functions["SnapshotIndex"].id in resolved(dimension["Value"])


def test_snapshots_are_taken_by_schedule(prod: Assembly) -> None:
    (rule,) = (r.properties for r in prod.resources("AWS::Events::Rule") if r.name == "SnapshotSchedule")
    assert rule["ScheduleExpression"] == "rate(1 day)"
    (target,) = rule["Targets"]
    assert resolved(target["Arn"]) == prod.functions["SnapshotIndex"].id
