"""The API that is deployed is the one in the code, and its gateway speaks as the code does."""

from __future__ import annotations

import json

from assemblies import Assembly, Json, Resource, resolved

from cognis_memory.runtime.http.problems import CONTENT_TYPE, Problem
from cognis_memory.runtime.http.routes import ROUTES

NAMES_USERS = ("$context.path", "$context.identity", "querystring", "$context.authorizer.user_id")
"""Variables of the access log by which it would say who a user is, or where."""


def _paths(assembly: Assembly) -> dict[str, str]:
    """The whole path of each resource of the API by its logical id."""
    resources = {r.id: r.properties for r in assembly.resources("AWS::ApiGateway::Resource")}

    def path(id_: str) -> str:
        parent = resources[id_]["ParentId"].get("Ref")
        return f"{path(parent) if parent else ''}/{resources[id_]['PathPart']}"

    return {id_: path(id_) for id_ in resources}


def _methods(assembly: Assembly) -> list[tuple[str, str, str, bool]]:
    """Method, path, function and whether a credential is asked for."""
    paths = _paths(assembly)
    found = []
    for method in (m.properties for m in assembly.resources("AWS::ApiGateway::Method")):
        uri = resolved(method["Integration"]["Uri"])
        (function,) = (name.lower() for name, f in assembly.functions.items() if f.id in uri)
        authorized = method["AuthorizationType"] == "CUSTOM" and "AuthorizerId" in method
        found.append((method["HttpMethod"], paths[method["ResourceId"]["Ref"]], function, authorized))
    return found


def _gateway_responses(assembly: Assembly) -> dict[str, Json]:
    responses = assembly.resources("AWS::ApiGateway::GatewayResponse")
    return {response.properties["ResponseType"]: response.properties for response in responses}


def _stage(assembly: Assembly) -> Resource:
    (stage,) = assembly.resources("AWS::ApiGateway::Stage")
    return stage


def test_the_gateway_has_the_routes_of_the_code(assembly: Assembly) -> None:
    expected = [(route.method, route.path, route.function, route.authorized) for route in ROUTES]
    assert sorted(_methods(assembly)) == sorted(expected)


def test_functions_get_requests_as_they_come(assembly: Assembly) -> None:
    for method in assembly.resources("AWS::ApiGateway::Method"):
        assert method.properties["Integration"]["Type"] == "AWS_PROXY"


def test_a_credential_is_checked_for_every_request_wherever_it_stands(assembly: Assembly) -> None:
    """A cached answer would outlive a revoked key, and a required header would shut out the other one."""
    (authorizer,) = (a.properties for a in assembly.resources("AWS::ApiGateway::Authorizer"))
    assert authorizer["Type"] == "REQUEST"
    assert authorizer["AuthorizerResultTtlInSeconds"] == 0
    assert not authorizer.get("IdentitySource")


def test_the_gateway_may_call_what_it_has_routes_to(assembly: Assembly) -> None:
    permissions = [p.properties for p in assembly.resources("AWS::Lambda::Permission")]
    callable_ = {
        resolved(permission["FunctionName"])
        for permission in permissions
        if permission["Principal"] == "apigateway.amazonaws.com"
    }
    assert callable_ == {assembly.functions[name].id for name in ("Authorizer", "Ingest", "Retrieve")}


def test_what_the_gateway_answers_is_a_problem_with_the_requests_id(assembly: Assembly) -> None:
    for type_, response in _gateway_responses(assembly).items():
        body = response["ResponseTemplates"]["application/json"].replace("$context.requestId", "req-1")
        problem = Problem.model_validate_json(body)
        assert (str(problem.status), problem.request_id) == (response["StatusCode"], "req-1"), type_
        headers = response["ResponseParameters"]
        assert headers["gatewayresponse.header.Content-Type"] == f"'{CONTENT_TYPE}'"
        assert headers["gatewayresponse.header.X-Request-Id"] == "context.requestId"


def test_the_gateways_answers_have_the_statuses_of_the_contract(assembly: Assembly) -> None:
    statuses = {
        type_: int(response["StatusCode"]) for type_, response in _gateway_responses(assembly).items()
    }
    expected = {
        "UNAUTHORIZED": 401,
        "ACCESS_DENIED": 403,
        "MISSING_AUTHENTICATION_TOKEN": 404,
        "REQUEST_TOO_LARGE": 413,
        "UNSUPPORTED_MEDIA_TYPE": 415,
        "THROTTLED": 429,
        "AUTHORIZER_FAILURE": 503,
        "INTEGRATION_TIMEOUT": 503,
        "DEFAULT_5XX": 500,
    }
    assert expected.items() <= statuses.items()
    assert "DEFAULT_4XX" in statuses


def test_who_is_to_come_again_is_told_when(assembly: Assembly) -> None:
    for type_, response in _gateway_responses(assembly).items():
        retry = "gatewayresponse.header.Retry-After" in response["ResponseParameters"]
        assert retry is (response["StatusCode"] in ("429", "503")), type_


def test_the_access_log_names_no_user(assembly: Assembly) -> None:
    format_ = _stage(assembly).properties["AccessLogSetting"]["Format"]
    assert "$context.resourcePath" in json.loads(format_)["route"]
    assert not [variable for variable in NAMES_USERS if variable in format_]


def test_the_gateway_logs_no_bodies_and_limits_the_rate(assembly: Assembly) -> None:
    (settings,) = _stage(assembly).properties["MethodSettings"]
    assert (settings["DataTraceEnabled"], settings["LoggingLevel"]) == (False, "OFF")
    assert 0 < settings["ThrottlingRateLimit"] <= settings["ThrottlingBurstLimit"]
