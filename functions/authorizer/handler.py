"""Whom a request's credential stands for."""

from typing import Any

from cognis_memory.runtime.authorization import authorizer
from cognis_memory.runtime.invocation import in_time


def handle(event: dict[str, Any], context: Any) -> dict[str, Any]:
    with in_time(context):
        return authorizer()(event)
