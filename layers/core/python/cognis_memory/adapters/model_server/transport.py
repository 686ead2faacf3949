"""How a request travels to a model server and its answer back."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Lock
from typing import Protocol

import urllib3
from urllib3.exceptions import HTTPError

from cognis_memory.adapters.keep_alive import TimeoutInTime, retries_in_time
from cognis_memory.adapters.model_server.errors import Refused, Unavailable
from cognis_memory.deadline import fits

_PASSING = frozenset({408, 424, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed; TEI answers 424 when its backend fails."""

_RETRIED_AT_ONCE = frozenset({429, 502, 503})
_ERROR_TYPES = frozenset({"Unhealthy", "Backend", "Overloaded", "Validation", "Tokenizer", "Empty"})


class Transport(Protocol):
    """Carries one request. The messages of what it raises hold no text of a request."""

    def post(self, route: str, body: bytes) -> bytes:
        """The body of the answer to `route`, such as `/embed`. Raises Unavailable or Refused."""


class HttpTransport:
    """Keep-alive HTTP, safe to share between threads.

    `base_url` is the server's, or a function that finds it and starts the server if need be: it is called
    for the first request and again when the server is gone. Failures to connect and the statuses 429, 502
    and 503 are tried `retries` more times, with growing pauses and jitter; a lost or late answer once more.
    Nothing is waited for beyond the deadline of the invocation.
    """

    def __init__(
        self,
        base_url: str | Callable[[], str],
        *,
        connect_seconds: float = 1.0,
        read_seconds: float = 30.0,
        retries: int = 3,
    ) -> None:
        self._locate = base_url if callable(base_url) else lambda: base_url
        self._base_url: str | None = None
        self._lock = Lock()
        self._pool = urllib3.PoolManager(
            maxsize=8,
            timeout=TimeoutInTime(connect_seconds, read_seconds),
            retries=retries_in_time(retries, _RETRIED_AT_ONCE),
        )

    def post(self, route: str, body: bytes) -> bytes:
        """As `Transport.post`."""
        if not fits(0):
            raise Unavailable("no time of this invocation is left to ask the model server")
        base_url = self._url()
        try:
            return self._post(base_url + route, body)
        except _NoAnswer as error:
            if not fits(0):
                raise Unavailable(str(error)) from error
            moved = self._url(gone=base_url)
            if moved == base_url:
                raise Unavailable(str(error)) from error
        try:
            return self._post(moved + route, body)
        except _NoAnswer as error:
            raise Unavailable(str(error)) from error

    def close(self) -> None:
        """Closes the connections."""
        self._pool.clear()

    def _url(self, gone: str | None = None) -> str:
        with self._lock:
            if self._base_url is None or self._base_url == gone:
                self._base_url = self._locate()
            return self._base_url

    def _post(self, url: str, body: bytes) -> bytes:
        try:
            answer = self._pool.request("POST", url, body=body, headers={"Content-Type": "application/json"})
        except HTTPError as error:
            raise _NoAnswer(f"no answer from the model server: {type(error).__name__}") from error
        if answer.status == 200:
            return answer.data
        reason = f"the model server answered {answer.status} {_error_type(answer.data)}".rstrip()
        if answer.status in _PASSING:
            raise Unavailable(reason)
        raise Refused(reason)


class _NoAnswer(Exception):
    """The server could not be reached or hung up."""


def _error_type(answer: bytes) -> str:
    """TEI's word for the fault; its message is left out, since it may quote the request."""
    try:
        error_type = json.loads(answer)["error_type"]
    except (ValueError, TypeError, KeyError):
        return ""
    return error_type if error_type in _ERROR_TYPES else ""
