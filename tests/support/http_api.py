"""The API as a client has it: requests through the gateway, the authorizer and the functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from api_gateway import Answer, Gateway, route_of
from cloud import Cloud
from functions.authorizer import handler as authorizer_function
from functions.ingest import handler as ingest
from functions.retrieve import handler as retrieve
from moto import mock_aws
from openapi_checks import check_answer

from cognis_local.pipeline import run_ingestion
from cognis_local.transfers import run_export, run_import
from cognis_memory.models.event import EventReference
from cognis_memory.runtime.authorization import authorizer
from cognis_memory.runtime.wiring import deployment
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.memories.erasing import erase_user


@dataclass(slots=True)
class Api:
    """One tenant's client, whose answers are held against the OpenAPI document.

    `done` are the events whose executions have been run.
    """

    cloud: Cloud
    gateway: Gateway
    key: str
    done: set[str] = field(default_factory=set)

    def call(self, method: str, url: str, body: Any = None, *, key: str | None = None, **rest: Any) -> Answer:
        answer = self.gateway.call(method, url, body, key=key or self.key, **rest)
        route = route_of(method, url)
        if route is not None and answer.status != 401:
            check_answer(route, answer.status, answer.headers, answer.body)
        return answer

    def post(self, url: str, body: Any = None, **rest: Any) -> Answer:
        return self.call("POST", url, body, **rest)

    def get(self, url: str, **rest: Any) -> Answer:
        return self.call("GET", url, **rest)

    def patch(self, url: str, body: Any, **rest: Any) -> Answer:
        return self.call("PATCH", url, body, **rest)

    def delete(self, url: str, **rest: Any) -> Answer:
        return self.call("DELETE", url, **rest)

    def run(self) -> None:
        """Carries out the executions that were started, as the state machines would."""
        for started in self._new("ingestion"):
            run_ingestion(deployment().ingestion, IngestionState(**started))
        for started in self._new("erasure"):
            erase_user(deployment().memories, EventReference(**started))
        for started in self._new("export"):
            run_export(deployment().transfers, deployment().ingestion, EventReference(**started))
        for started in self._new("import"):
            run_import(deployment().transfers, deployment().ingestion, EventReference(**started))

    def tell(self, user_id: str, text: str, *, key: str | None = None, **options: Any) -> Mapping[str, Any]:
        """Ingests one message and returns the event at its end."""
        body = {"user_id": user_id, "messages": [{"role": "user", "content": text}], **options}
        accepted = self.post("/v1/memories", body, key=key)
        assert accepted.status == 202, accepted.body
        self.run()
        event: Mapping[str, Any] = self.get(accepted.headers["Location"], key=key).json
        return event

    def found(self, user_id: str, query: str, **rest: Any) -> list[str]:
        """The texts of the results, best first."""
        answer = self.post("/v1/memories/search", {"user_id": user_id, "query": query}, **rest)
        return [result["memory"] for result in answer.json["results"]]

    def listed(self, user_id: str, **rest: Any) -> list[str]:
        """The texts of the first page of the list, newest first."""
        answer = self.get(f"/v1/memories?user_id={user_id}", **rest)
        return [memory["memory"] for memory in answer.json["memories"]]

    def _new(self, machine: str) -> list[dict[str, Any]]:
        found = [each for each in self.cloud.started(machine) if each["event_id"] not in self.done]
        self.done |= {each["event_id"] for each in found}
        return found


@contextmanager
def opened_api(**environment: str) -> Iterator[Api]:
    """The API of a new deployment on a stand-in for AWS, with these variables besides."""
    with mock_aws(), pytest.MonkeyPatch.context() as patched:
        cloud = Cloud()
        for name, value in (cloud.environment | environment).items():
            patched.setenv(name, value)
        deployment.cache_clear()
        authorizer.cache_clear()
        functions = {"ingest": ingest.handle, "retrieve": retrieve.handle}
        yield Api(cloud, Gateway(functions, authorizer_function.handle), cloud.tenant("acme"))
        deployment.cache_clear()
