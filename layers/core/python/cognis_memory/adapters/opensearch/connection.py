"""How requests travel to an OpenSearch cluster, and what becomes of those that fail."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from opensearchpy import OpenSearch, RequestsHttpConnection, SerializationError, TransportError
from opensearchpy.exceptions import ConnectionError as NoAnswer
from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import ProtocolError
from urllib3.util import Retry

from cognis_memory.adapters.keep_alive import TimeoutInTime, retries_in_time
from cognis_memory.adapters.opensearch.circuit import Circuit
from cognis_memory.deadline import fits
from cognis_memory.errors import (
    CognisError,
    ConfigurationError,
    Conflict,
    DeadlineExceeded,
    IndexRefused,
    IndexUnavailable,
    NotFound,
)

_PASSING: Final = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may succeed."""

_PASSING_FAULTS: Final = frozenset({"cluster_block_exception", "snapshot_in_progress_exception"})
"""Faults of a while: writes are refused while an index is moved, deletions while a snapshot is taken."""

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})

_FAILURES_TO_OPEN: Final = 3
_OPEN_SECONDS: Final = 5.0

Json = Mapping[str, Any]


class Missing(NotFound):
    """There is no such document."""


class VersionConflict(Conflict):
    """A document is at another version than the request's condition says."""


class OpenSearchConnection:
    """Keep-alive HTTP to one cluster, one a process, safe to share between threads.

    `endpoint`: `https://…` with the certificate verified, each request signed by `signer`; `http://…` only to
    this machine. Failures to connect and the statuses 429, 502, 503 and 504 are tried `retries` more times,
    with growing pauses and jitter, a lost or late answer once more; so every request must bear repetition.
    After three requests in a row without an answer, or with such a status, the circuit opens: for five
    seconds requests fail at once, then one tries. The deadline of the
    invocation ends all of this.

    Raises ConfigurationError for an endpoint of another kind.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        signer: AuthBase | None = None,
        connect_seconds: float = 1.0,
        read_seconds: float = 10.0,
        retries: int = 3,
    ) -> None:
        parts = urlsplit(endpoint)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigurationError("the OpenSearch endpoint is no https:// address")
        secure = parts.scheme == "https"
        if not secure and parts.hostname not in _LOOPBACK:
            raise ConfigurationError("an OpenSearch endpoint on another machine needs https://")
        # The client logs the bodies of requests at one level, and at another what is no fault here.
        logging.getLogger("opensearch").setLevel(logging.ERROR)
        self._client = OpenSearch(
            hosts=[{"host": parts.hostname, "port": parts.port or (443 if secure else 80)}],
            connection_class=_Connection,
            retry=retries_in_time(retries, _PASSING),
            trust_env=secure,
            http_auth=signer,
            use_ssl=secure,
            verify_certs=secure,
            timeout=TimeoutInTime(connect_seconds, read_seconds),
            max_retries=0,
        )
        self._connect_seconds = connect_seconds
        self._circuit = Circuit(_FAILURES_TO_OPEN, _OPEN_SECONDS)

    def request(
        self,
        method: str,
        path: str,
        body: Json | str | None = None,
        *,
        params: Mapping[str, str] | None = None,
        seconds: float | None = None,
    ) -> Any:
        """The answer's JSON; `body` a document, or lines for `_bulk` and `_msearch`.

        `seconds` to wait for the answer where the usual time is too short. Raises what `error_of` makes of
        an answer, and IndexUnavailable where there is none.
        """
        if not fits(0):
            raise DeadlineExceeded("no time of this invocation is left to ask OpenSearch")
        if not self._circuit.lets_pass():
            raise IndexUnavailable("OpenSearch has not answered lately; it is asked again soon")
        options: dict[str, Any] = dict(params or {})
        if seconds is not None:
            options["request_timeout"] = TimeoutInTime(self._connect_seconds, seconds)
        try:
            answer = self._client.transport.perform_request(method, path, params=options, body=body)
            if not isinstance(answer, dict | list):
                raise SerializationError("an answer without JSON")
        except (NoAnswer, SerializationError) as error:
            if fits(0):  # else it was not given the time to answer
                self._circuit.failed()
            raise IndexUnavailable(f"no answer from OpenSearch: {type(error).__name__}") from None
        except TransportError as error:
            status = int(error.status_code)
            if status in _PASSING:
                self._circuit.failed()
            else:
                self._circuit.answered()
            raise error_of(status, _name(error)) from None
        self._circuit.answered()
        return answer

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


class _WholeAnswers(HTTPAdapter):
    """Reads an answer at once: requests would in pieces of 10 kB, which takes four times as long."""

    def build_response(self, req: PreparedRequest, resp: BaseHTTPResponse) -> Response:
        response = super().build_response(req, resp)
        response._content = resp.read(decode_content=True)
        return response


class _Connection(RequestsHttpConnection):
    """Requests with retries; without `trust_env` neither proxies nor ~/.netrc are looked for."""

    def __init__(self, *, retry: Retry, trust_env: bool, **options: Any) -> None:
        super().__init__(**options)
        self.session.trust_env = trust_env
        adapter = _WholeAnswers(max_retries=retry, pool_maxsize=10)
        self.session.mount("https://", adapter)
        self.session.mount("http://", adapter)
        self._retries = retry.total

    def perform_request(self, *arguments: Any, **options: Any) -> Any:
        """What is cut within its body is asked for once more, too: Retry ends with the answer's head."""
        try:
            return super().perform_request(*arguments, **options)
        except NoAnswer as error:
            if not self._retries or not isinstance(error.info, ProtocolError) or not fits(0):
                raise
        return super().perform_request(*arguments, **options)


def error_of(status: int, name: str) -> CognisError:
    """The error for an answer of that HTTP status and OpenSearch's name for the fault.

    Its explanation stays out, since that may quote the request.
    """
    said = f"OpenSearch answered {status} {name}".rstrip()
    if name == "index_not_found_exception":
        return IndexUnavailable(f"{said}: there is no index yet; run `cognis-admin index create`")
    if status in _PASSING or name in _PASSING_FAULTS:
        return IndexUnavailable(said)
    if status == 404:
        return Missing(said)
    if status == 409:
        return VersionConflict(said)
    if status in (401, 403):
        return ConfigurationError(f"{said}: the role of this process may not do that")
    return IndexRefused(said)


def _name(error: TransportError) -> str:
    name = error.error if isinstance(error.error, str) else ""
    return name if name.isascii() and name.replace("_", "").isalpha() else ""
