"""A memory behind the HTTP API, with the methods that the command line asks of one."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import urllib3
from urllib3.exceptions import HTTPError

from cognis_local.stack.errors import StackError
from cognis_local.stack.folder import write_record
from cognis_memory.errors import InvalidInput, NotFound
from cognis_memory.models.answers import EventAnswer, SearchAnswer
from cognis_memory.models.event import EventStatus
from cognis_memory.models.values import format_time

_TIMEOUT: Final = urllib3.Timeout(connect=5.0, read=35.0)
_TRIES: Final = 6
_BUSY: Final = frozenset({429, 500, 502, 503, 504})
"""Answers after which the same request may go through; all requests here can be repeated."""

_EVENT_SECONDS: Final = 900.0
_FIRST_POLL_SECONDS: Final = 0.1
_LAST_POLL_SECONDS: Final = 1.0


class ApiMemory:
    """Speaks to the API at `url` with an API key.

    `journal` is a file that remembers the event of each idempotency key, longer than the API does: what was
    ingested last week is not ingested again.
    """

    def __init__(self, url: str, api_key: str, journal: Path) -> None:
        self._url = url
        self._headers = {"X-Api-Key": api_key, "Content-Type": "application/json"}
        self._journal = _Journal(journal)
        self._pool = urllib3.PoolManager(timeout=_TIMEOUT, retries=False)

    def add(
        self,
        user_id: str,
        messages: Sequence[Mapping[str, Any]],
        *,
        context_id: str | None = None,
        timezone: str = "UTC",
        idempotency_key: str,
    ) -> EventAnswer:
        """Ingests messages, waits for the event's end and returns it, whether it succeeded or not."""
        known = self._journal.event_id(idempotency_key)
        if known is not None and (event := self._event_if_there(known)):
            return event
        body = {"user_id": user_id, "messages": messages, "context_id": context_id, "timezone": timezone}
        answer = self.call("POST", "/v1/memories", body, {"Idempotency-Key": idempotency_key})
        event = self._settled(answer["event_id"])
        if event.status is EventStatus.SUCCEEDED:
            self._journal.note(idempotency_key, event.event_id)
        return event

    def search(self, user_id: str, query: str, **options: Any) -> SearchAnswer:
        """Answers a query with the options of `POST /v1/memories/search`; times may be datetimes."""
        set_options = {name: _plain(value) for name, value in options.items() if value is not None}
        return SearchAnswer.model_validate(
            self.call("POST", "/v1/memories/search", {"user_id": user_id, "query": query, **set_options})
        )

    def _event_if_there(self, event_id: str) -> EventAnswer | None:
        try:
            return self._settled(event_id)
        except NotFound:
            return None

    def _settled(self, event_id: str) -> EventAnswer:
        deadline, pause = time.monotonic() + _EVENT_SECONDS, _FIRST_POLL_SECONDS
        while True:
            event = EventAnswer.model_validate(self.call("GET", f"/v1/events/{quote(event_id)}"))
            if event.status in (EventStatus.SUCCEEDED, EventStatus.FAILED):
                return event
            if time.monotonic() > deadline:
                raise StackError(
                    f"Event {event_id} is still {event.status} in stage {event.stage} after "
                    f"{_EVENT_SECONDS:.0f} s; `make executions` shows why."
                )
            time.sleep(pause)
            pause = min(pause * 1.5, _LAST_POLL_SECONDS)

    def call(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] = {}
    ) -> dict[str, Any]:
        """The answer's JSON; repeats what is throttled or failed for the moment.

        Raises NotFound, InvalidInput for other refusals, StackError when the API cannot be reached.
        """
        content = json.dumps(body) if body is not None else None
        for remaining in reversed(range(_TRIES)):
            response = self._request(method, path, content, headers)
            if response.status not in _BUSY or not remaining:
                break
            time.sleep(float(response.headers.get("Retry-After", "1")))
        answer = _json(response)
        if response.status >= 400:
            raise _refusal(response.status, answer)
        return answer

    def status(self, method: str, path: str) -> int:
        """The answer's status alone, whatever it is."""
        return self._request(method, path, None, {}).status

    def _request(
        self, method: str, path: str, content: str | None, headers: Mapping[str, str]
    ) -> urllib3.BaseHTTPResponse:
        try:
            return self._pool.request(
                method, f"{self._url}{path}", body=content, headers={**self._headers, **headers}
            )
        except HTTPError as error:
            raise StackError(f"The API at {self._url} does not answer: {error}") from error


class _Journal:
    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._events: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            self._events = {}

    def event_id(self, key: str) -> str | None:
        return self._events.get(key)

    def note(self, key: str, event_id: str) -> None:
        self._events[key] = event_id
        write_record(self._path, self._events)


def _plain(value: Any) -> Any:
    return format_time(value) if hasattr(value, "tzinfo") else value


def _json(response: urllib3.BaseHTTPResponse) -> dict[str, Any]:
    try:
        answer = response.json()
    except ValueError:
        answer = None
    return answer if isinstance(answer, dict) else {}


def _refusal(status: int, problem: Mapping[str, Any]) -> Exception:
    detail = str(problem.get("detail") or problem.get("message") or f"The API answered {status}.")
    if status == 404:
        return NotFound(detail)
    return InvalidInput(detail) if status < 500 else StackError(detail)
