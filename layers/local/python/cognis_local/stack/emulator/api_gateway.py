"""How the REST API reads requests and answers failures."""

from __future__ import annotations

from typing import Any

from cognis_local.stack.emulator.patching import Function, module, wrap


class _FunctionFailed(Exception):
    """The function behind a route ended with an error."""


def patch() -> None:
    service = module("services.apigateway_v1")
    wrap(module("app"), "_handle_execute_api_request", _with_the_path_as_sent)
    wrap(service, "_build_lambda_event_v1", _with_last_query_values)
    wrap(service, "_lambda_proxy_response", _refusing_failures)
    wrap(service, "_invoke_lambda_proxy_v1", lambda invoke: _hiding_failures(invoke, service))


def _with_the_path_as_sent(handle: Function) -> Function:
    """A REST API passes the path and its parameters percent-encoded, and `%2F` separates no segments."""

    async def handled(host: str, path: str, *arguments: Any, raw_path: str | None = None, **rest: Any) -> Any:
        return await handle(host, raw_path or path, *arguments, raw_path=raw_path, **rest)

    return handled


def _with_last_query_values(build: Function) -> Function:
    """Of a key that the query repeats, `queryStringParameters` holds the last value."""

    def built(*arguments: Any, **rest: Any) -> dict[str, Any]:
        event: dict[str, Any] = build(*arguments, **rest)
        values = event["multiValueQueryStringParameters"]
        event["queryStringParameters"] = (
            {key: several[-1] for key, several in values.items()} if values else None
        )
        return event

    return built


def _refusing_failures(shape: Function) -> Function:
    def shaped(result: dict[str, Any]) -> Any:
        if result.get("error") and not result.get("throttle"):
            raise _FunctionFailed
        return shape(result)

    return shaped


def _hiding_failures(invoke: Function, service: Any) -> Function:
    """A function's error becomes the gateway response DEFAULT_5XX; MiniStack shows its message."""

    async def invoked(*arguments: Any, **rest: Any) -> Any:
        try:
            return await invoke(*arguments, **rest)
        except _FunctionFailed:
            return service._gw_error("DEFAULT_5XX", "Internal server error")

    return invoked
