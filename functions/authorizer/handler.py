"""Whom a request's credential stands for."""

from typing import Any

from cognis_memory.runtime.authorization import authorizer


def handle(event: dict[str, Any], context: object) -> dict[str, Any]:
    return authorizer()(event)
