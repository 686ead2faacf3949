"""Logs and traces of a process, made when they are first used.

No text of a memory, a message or a query gets into either, no speaker and no user id: what is written are
ids, counts, times and names of errors. Traces patch no client library, because what these say of a failed
call may quote its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from aws_lambda_powertools import Logger, Tracer

from cognis_memory.errors import CognisError, UnexpectedError, places
from cognis_memory.runtime.metrics import Metric, emit


@cache
def logger() -> Logger:
    """One JSON object a line; service and level come from `POWERTOOLS_SERVICE_NAME` and `…_LOG_LEVEL`."""
    return Logger()


@cache
def tracer() -> Tracer:
    """Of AWS X-Ray; does nothing outside Lambda or with `POWERTOOLS_TRACE_DISABLED`."""
    return Tracer(auto_patch=False)


@contextmanager
def observed(name: str) -> Iterator[None]:
    """Traces a piece of work under its name and turns exceptions nobody foresaw into UnexpectedError."""
    with tracer().provider.in_subsegment(f"## {name}"), _foreseen(name):
        yield


def log_unexpected(name: str, error: BaseException) -> None:
    """What kind of exception it was and where it came from; its message may quote a user's text."""
    about = {"in": name, "error": type(error).__name__, "places": places(error)}
    logger().error("unexpected_error", extra=about)
    emit({Metric.UNEXPECTED_ERRORS: 1})


@contextmanager
def _foreseen(name: str) -> Iterator[None]:
    try:
        yield
    except CognisError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, its message must not get out
        log_unexpected(name, error)
        raise UnexpectedError(f"{type(error).__name__} in {name}") from None
