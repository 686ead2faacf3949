"""Holds answers against the OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from cognis_memory.runtime.http.openapi import openapi_json
from cognis_memory.runtime.http.routes import Route

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def validator(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Draft202012Validator:
    """Of a schema that stands in the document, with what it refers to there."""
    resource: Resource[Any] = Resource.from_contents({"$schema": _DIALECT, **document})
    registry: Registry[Any] = Registry().with_resource("urn:api", resource)
    text = json.dumps(schema).replace('"#/', '"urn:api#/')
    return Draft202012Validator(
        json.loads(text), registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


def check_answer(route: Route, status: int, headers: Mapping[str, str], body: str) -> None:
    """Raises AssertionError or a validation error for an answer that the document does not describe."""
    responses = _document()["paths"][route.path][route.method.lower()]["responses"]
    assert str(status) in responses, f"{route.name} answers {status}, which the document does not know"
    described = _resolved(responses[str(status)])
    assert set(described["headers"]) - {"Idempotent-Replayed"} <= set(headers)
    if "content" not in described:
        assert body == ""
        return
    ((content_type, content),) = described["content"].items()
    assert headers["Content-Type"] == content_type
    validator(_document(), content["schema"]).validate(json.loads(body))


def _resolved(response: dict[str, Any]) -> dict[str, Any]:
    name = response.get("$ref", "").rsplit("/", 1)[-1]
    found: dict[str, Any] = _document()["components"]["responses"][name] if name else response
    return found


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(openapi_json())
    return document
