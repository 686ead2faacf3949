"""A deployment on moto's DynamoDB and S3, and its functions behind state machines that tests step through."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import hash_models
import pytest
from cloud import Cloud
from fakes import ManualClock
from interruptions import STEPS, Watched
from machines import Json, Killed, Machines, Run, invoke
from moto import mock_aws

from cognis_memory.domain.ids import RANDOM_BYTES, event_id
from cognis_memory.models.answers import EventAnswer
from cognis_memory.models.event import Event
from cognis_memory.models.requests import IngestRequest, SearchRequest, read_request
from cognis_memory.models.values import Owner
from cognis_memory.runtime import metrics, observability
from cognis_memory.runtime.wiring import Deployment, deployment
from cognis_memory.services.events import describe_event
from cognis_memory.services.ingestion.accept import accept, start
from cognis_memory.services.memories.erasing import request_erasure
from cognis_memory.services.retrieval.search import search

TENANT = "acme"


class Swappable:
    """A model that a test can replace while everything that was wired with it stays."""

    def __init__(self, model: object) -> None:
        self.model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)


@dataclass(slots=True)
class Stage:
    """The deployment with the doors that its functions, and its users, have.

    `embedder` and `extractor` hold the models; `after` is called after each step that leaves a trace.
    """

    deployment: Deployment
    machines: Machines
    clock: ManualClock
    capture: pytest.CaptureFixture[str]
    embedder: Swappable
    extractor: Swappable
    after: Callable[[str], None] = lambda step: None
    numbers: Iterator[int] = field(default_factory=count)

    def accept(self, user_id: str, *messages: str, **options: Any) -> Event:
        """A request that was taken in and whose execution was not started."""
        body = [{"role": "user", "content": message} for message in messages]
        event, _ = accept(
            read_request(IngestRequest, {"user_id": user_id, "messages": body, **options}),
            tenant_id=TENANT,
            ledger=self.deployment.ledger,
            payloads=self.deployment.payloads,
            clock=self.clock,
            new_event_id=self._new_event_id,
        )
        return event

    def post(self, user_id: str, *messages: str, **options: Any) -> Run:
        event = self.accept(user_id, *messages, **options)
        start(event, self.machines)
        return self.machines.runs[event.id]

    def tell(self, user_id: str, *messages: str) -> EventAnswer:
        return self.event(self.post(user_id, *messages).finish())

    def request_erasure(self, user_id: str) -> Run:
        owner = Owner(TENANT, user_id)
        event = request_erasure(self.deployment.ledger, owner, self._new_event_id(), self.clock)
        start(event, self.machines)
        return self.machines.runs[event.id]

    def event(self, run: Run) -> EventAnswer:
        return describe_event(self.deployment.ledger, self.held(run), self.clock())

    def held(self, run: Run) -> Event:
        event = self.deployment.ledger.get_event(TENANT, json.loads(run.first_input)["event_id"])
        assert event is not None
        return event

    def ended(self, run: Run) -> Json:
        """EventBridge reports the end of an execution."""
        return invoke("record_ended_execution", run.ended_event())

    def sweep(self) -> Json:
        return invoke("sweep", {"source": "aws.events", "detail-type": "Scheduled Event"})

    def found(self, user_id: str, query: str, *, include_messages: bool = False) -> list[str]:
        body = {"user_id": user_id, "query": query, "include_messages": include_messages}
        request = read_request(SearchRequest, body)
        answer = search(self.deployment.retrieval, Owner(TENANT, user_id), request, request_id="r")
        return [result.memory for result in answer.results]

    def payload_keys(self) -> Sequence[str]:
        """What lies in the bucket of payloads."""
        listed = self.deployment._client("s3").list_objects_v2(Bucket="payloads")
        return [entry["Key"] for entry in listed.get("Contents", [])]

    def lines(self) -> list[Mapping[str, Any]]:
        """All log lines since the last call, metrics among them."""
        return [json.loads(line) for line in self.capture.readouterr().out.splitlines()]

    def kill_after(self, step: str, times: int = 1) -> None:
        """The process that does that step for the n-th time from now is no more."""
        done = count(1)

        def after(name: str) -> None:
            if name == step and next(done) == times:
                self.after = lambda _: None
                raise Killed

        self.after = after

    def _new_event_id(self) -> str:
        return event_id(int(self.clock().timestamp() * 1_000), next(self.numbers).to_bytes(RANDOM_BYTES))


@pytest.fixture
def stage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> Iterator[Stage]:
    with mock_aws():
        for name, value in Cloud().environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", request.node.nodeid)  # a logger that writes to capsys
        _forget()
        yield _open(Machines(), ManualClock(), capsys)
    _forget()


def _open(machines: Machines, clock: ManualClock, capture: pytest.CaptureFixture[str]) -> Stage:
    """The process's deployment with machines, clock and models of the test's."""
    opened, provided = deployment(), hash_models.provide({})
    embedder, extractor = Swappable(provided.embedder), Swappable(provided.extractor)
    stage = Stage(opened, machines, clock, capture, embedder, extractor)

    def after(step: str) -> None:
        stage.after(step)

    opened.clock, opened.starter = clock, machines
    opened.models = replace(provided, embedder=embedder, extractor=extractor)
    opened.ledger = Watched(opened.ledger, (*STEPS["ledger"], "erase", "raise_erasure_epoch"), after)
    opened.payloads = Watched(opened.payloads, STEPS["payloads"], after)
    return stage


def _forget() -> None:
    deployment.cache_clear()
    observability.logger.cache_clear()
    observability.tracer.cache_clear()
    metrics._metrics.cache_clear()
