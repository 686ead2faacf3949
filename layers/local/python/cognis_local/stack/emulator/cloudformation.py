"""What CloudFormation makes of tables, alarms and stacks whose update the emulator's end interrupted."""

from __future__ import annotations

from typing import Any, Final

from cognis_local.stack.emulator.patching import Function, module, wrap

_AFTER_INTERRUPTION: Final = {
    "UPDATE_IN_PROGRESS": "UPDATE_ROLLBACK_COMPLETE",
    "UPDATE_ROLLBACK_IN_PROGRESS": "UPDATE_ROLLBACK_COMPLETE",
    "CREATE_IN_PROGRESS": "CREATE_FAILED",
    "ROLLBACK_IN_PROGRESS": "ROLLBACK_FAILED",
    "DELETE_IN_PROGRESS": "DELETE_FAILED",
}


def patch() -> None:
    service, tables = module("services.cloudformation"), module("services.dynamodb")
    provisioners = module("services.cloudformation.provisioners")
    handlers = provisioners._RESOURCE_HANDLERS
    for kind in ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable"):
        handlers[kind]["create"] = _enabling_time_to_live(handlers[kind]["create"], tables)
    wrap(provisioners, "_cw_metric_alarm_record", _taking_metric_queries)
    wrap(service, "_restore_state", lambda restore: _ending_interrupted(restore, service))


def _enabling_time_to_live(create: Function, tables: Any) -> Function:
    """A table's TimeToLiveSpecification holds; MiniStack's CloudFormation passes it over."""

    def created(logical_id: str, properties: dict[str, Any], stack: str) -> Any:
        name, attributes = create(logical_id, properties, stack)
        if specification := properties.get("TimeToLiveSpecification"):
            enabled = {**specification, "Enabled": True}
            tables._update_ttl({"TableName": name, "TimeToLiveSpecification": enabled})
        return name, attributes

    return created


def _taking_metric_queries(record: Function) -> Function:
    """An alarm may stand on queries and expressions; MiniStack refuses these. Here it stands on the first of
    their metrics: none of them is ever measured on one machine."""

    def recorded(name: str, properties: dict[str, Any]) -> Any:
        queries = properties.get("Metrics", ())
        first = next((query["MetricStat"] for query in queries if "MetricStat" in query), None)
        if first is None:
            return record(name, properties)
        rest = {key: value for key, value in properties.items() if key != "Metrics"}
        return record(name, {**rest, **first["Metric"], "Period": first["Period"]})

    return recorded


def _ending_interrupted(restore: Function, service: Any) -> Function:
    """Nobody goes on with an operation on a stack that was under way; in its end state it can be repeated."""

    def restored(data: Any) -> None:
        restore(data)
        for stack in service._stacks._data.values():
            status = stack.get("StackStatus", "")
            stack["StackStatus"] = _AFTER_INTERRUPTION.get(status, status)

    return restored
