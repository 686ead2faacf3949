"""What stands in the gateway's proxy events, read so that every part of a request means one thing."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, unquote

from cognis_memory.domain.json_objects import parse_object, unusable
from cognis_memory.errors import FieldError, InputTooLarge, InvalidInput
from cognis_memory.models.credential import Credential
from cognis_memory.models.fields import MAX_IDEMPOTENCY_KEY_CHARACTERS
from cognis_memory.models.requests import MAX_REQUEST_BYTES, names_tenant
from cognis_memory.runtime.http.faults import Unauthenticated, UnsupportedMediaType
from cognis_memory.runtime.http.routes import ROUTES

Event = Mapping[str, Any]

_TEMPLATES: Final = frozenset(route.path for route in ROUTES)

_ENCODED: Final = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*", re.ASCII)
"""A path segment as RFC 3986 writes it."""

_JSON: Final = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json", re.ASCII)
_UTF8: Final = ("utf-8", "utf8")


def request_id(event: Event) -> str:
    """The gateway's own id of the request."""
    return str(event.get("requestContext", {}).get("requestId") or "")


def routed_path(event: Event) -> str:
    """The path with its parameters percent-encoded, whatever they hold.

    API Gateway hands the parameters of a REST API on as they came, percent-encoded; a stand-in may have
    decoded them, and then the event's own path no longer tells where a parameter with a slash in it ends.
    """
    path = str(event.get("resource") or "")
    if path not in _TEMPLATES:
        return str(event.get("path") or "/")
    for name, value in (event.get("pathParameters") or {}).items():
        encoded = value if _ENCODED.fullmatch(value) else quote(value, safe="", errors="surrogatepass")
        path = path.replace("{" + name + "}", encoded)
    return path


def path_parameters(encoded: Mapping[str, str]) -> dict[str, str]:
    """Percent-decoded. Raises InvalidInput for bytes that are not UTF-8 and for U+0000."""
    return {name: _decoded(name, value) for name, value in encoded.items()}


def query_parameters(event: Event) -> dict[str, str]:
    """By name. Raises InvalidInput for a parameter that comes twice or without a value."""
    several: Mapping[str, Sequence[str]] = event.get("multiValueQueryStringParameters") or {
        name: [value] for name, value in (event.get("queryStringParameters") or {}).items()
    }
    faults = [
        FieldError(name, message)
        for name, values in several.items()
        if (message := _query_fault(name, values)) is not None
    ]
    if faults:
        raise InvalidInput(f"the query parameter {faults[0].field} {faults[0].message}", faults)
    return {name: values[0] for name, values in several.items()}


def header(event: Event, name: str) -> str | None:
    """The value of a header, whatever the case of its name. Raises InvalidInput when it comes twice."""
    values = [value for key, values in _headers(event).items() if key.lower() == name for value in values]
    if len(values) > 1:
        raise InvalidInput(
            f"the header {name} was given twice", [FieldError(name, "must not be given twice")]
        )
    return values[0] if values else None


def refuse_tenant(event: Event) -> None:
    """Raises InvalidInput when a header names a tenant: the tenant comes from the credential alone."""
    named = [key for key in _headers(event) if names_tenant(key)]
    if named:
        advice = FieldError(named[0], "must not be given; the tenant comes from the credential")
        raise InvalidInput("a header names a tenant", [advice])


def idempotency_key(event: Event) -> str | None:
    """The header `Idempotency-Key`. Raises InvalidInput for a blank or an overlong one."""
    key = header(event, "idempotency-key")
    if key is None:
        return None
    if not key.strip() or len(key) > MAX_IDEMPOTENCY_KEY_CHARACTERS or unusable(key):
        advice = f"use 1 to {MAX_IDEMPOTENCY_KEY_CHARACTERS} characters, not only spaces"
        raise InvalidInput("the idempotency key cannot be used", [FieldError("Idempotency-Key", advice)])
    return key


def credential(event: Event) -> Credential:
    """What the authorizer found out. Raises Unauthenticated where no authorizer spoke."""
    context = event.get("requestContext", {}).get("authorizer") or {}
    if not context.get("tenant_id") or not context.get("key_id"):
        raise Unauthenticated("send an API key in the header X-Api-Key")
    return Credential(context["tenant_id"], context["key_id"], context.get("user_id"))


def json_body(event: Event) -> dict[str, Any]:
    """The body, a JSON object of at most MAX_REQUEST_BYTES.

    Raises UnsupportedMediaType, InputTooLarge or InvalidInput.
    """
    _check_content_type(header(event, "content-type"))
    data = _body_bytes(event)
    if len(data) > MAX_REQUEST_BYTES:
        raise InputTooLarge(f"the body has {len(data)} bytes; the limit is {MAX_REQUEST_BYTES}")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise InvalidInput("the body is not UTF-8", [FieldError("", "must be UTF-8")]) from None
    return parse_object(text)


def refuse_body(event: Event) -> None:
    """Raises InvalidInput for a body that would be ignored."""
    if event.get("body"):
        raise InvalidInput("this route takes no body", [FieldError("", "send no body")])


def _headers(event: Event) -> Mapping[str, Sequence[str]]:
    return event.get("multiValueHeaders") or {
        name: [value] for name, value in (event.get("headers") or {}).items()
    }


def _decoded(name: str, value: str) -> str:
    try:
        decoded = unquote(value, errors="strict")
    except UnicodeDecodeError:
        raise InvalidInput(f"{name} is not UTF-8", [FieldError(name, "must be UTF-8")]) from None
    if (fault := unusable(decoded)) is not None:
        raise InvalidInput(f"{name} {fault}", [FieldError(name, fault)])
    return decoded


def _query_fault(name: str, values: Sequence[str]) -> str | None:
    if len(values) != 1:
        return "must be given once"
    if not values[0]:
        return "must have a value; leave it out instead"
    return unusable(name) or unusable(values[0])


def _check_content_type(content_type: str | None) -> None:
    """`application/json` and its kin, in UTF-8 as all JSON is."""
    media_type, _, parameters = (content_type or "").lower().partition(";")
    charset = re.search(r"charset\s*=\s*\"?([^\s\";]+)", parameters)
    if not _JSON.fullmatch(media_type.strip()) or (charset and charset[1] not in _UTF8):
        raise UnsupportedMediaType("send the body with Content-Type: application/json")


def _body_bytes(event: Event) -> bytes:
    body: str = event.get("body") or ""
    if not event.get("isBase64Encoded"):
        return body.encode(errors="surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("the body is not base64", [FieldError("", "must be base64")]) from None
