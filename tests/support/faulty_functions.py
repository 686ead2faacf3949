"""The functions of a deployment behind their state machines, as processes that die and are started again.

Every call of a function goes through its real handler, from JSON to JSON, and through the retries, catches
and redrives of the state machine; the client repeats its request as clients do.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import hash_models
from api_gateway import proxy_event
from cloud import Cloud
from fakes import NOW, ManualClock, SentenceExtractor
from fault_injection import FaultLine, FaultyPort, Unforeseen, watch_requests
from functions.ingest import handler as ingest
from lambda_context import InvocationContext
from machines import Killed, Machines, Run, invoke

from cognis_memory.adapters.files import FolderPayloadStore
from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.errors import Conflict, TransientError, UnexpectedError
from cognis_memory.models.event import Event
from cognis_memory.runtime.models import Models
from cognis_memory.runtime.wiring import Deployment, deployment
from cognis_memory.services.replaying import ReplayPorts, replay_event
from cognis_memory.services.sweep import IDLE

_T = TypeVar("_T")

TENANT: Final = "acme"
KEY: Final = {"principalId": "key", "tenant_id": TENANT, "key_id": "key"}
RECORDED: Final = ("RecordFailure", True)
"""The state and the event of an execution that has failed for good, with its reason recorded."""

REPEATS: Final = 10
"""A client, EventBridge and somebody who redrives an execution try so often at most."""


class Stores(Protocol):
    """What outlives every process."""

    def open(self, opened: Deployment, models: Models, line: FaultLine) -> None:
        """Wires a new process to the stores, over the line."""

    def save(self) -> None:
        """Keeps what they hold for `restore`."""

    def restore(self) -> None:
        """Makes them hold what was saved and nothing else."""

    def payload_keys(self) -> Sequence[str]:
        """The keys of all payloads."""


class FunctionProcesses:
    """`post`, `carry_out` and `sweep` are the doors; between them the line strikes.

    `replays` says whether executions that failed raw are replayed, and not redriven, once their end is known.
    """

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.extractor: Any = SentenceExtractor()
        self.replays = False
        self.clock = ManualClock()
        self.machines = Machines()
        self.line = FaultLine(on_death=self.start)
        self.start()

    @property
    def opened(self) -> Deployment:
        """The present process's deployment."""
        return deployment()

    def use(self, extractor: Any) -> None:
        """Has every process from now on call that model."""
        self.extractor = extractor
        self.start()

    def start(self) -> None:
        """A new process in the place of the last."""
        deployment.cache_clear()
        opened, models = deployment(), hash_models.provide({})
        opened.clock = self.clock
        opened.starter = self._port("starter", self.machines)
        opened.models = Models(
            embedder=self._port("embedder", models.embedder),
            reranker=None,
            extractor=self._port("extractor", self.extractor),
            calibrations=models.calibrations,
        )
        self.stores.open(opened, opened.models, self.line)

    def save(self) -> None:
        """Keeps what the stores hold, for `restore`."""
        self.stores.save()
        self.start()

    def restore(self) -> None:
        """Everything is as it was when it was saved."""
        self.stores.restore()
        self.machines.runs.clear()
        self.clock.now = NOW
        self.start()

    def post(
        self,
        user_id: str,
        messages: Sequence[Mapping[str, Any]],
        *,
        key: str = "once",
        repeats: int = REPEATS,
    ) -> str | None:
        """The event of a request that the client repeats until it is accepted; None when it gave up."""
        body = {"user_id": user_id, "messages": list(messages)}
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        given = proxy_event("POST", "/v1/memories", json.dumps(body), headers, authorizer=KEY)
        for _ in range(repeats):
            self.line.stage = "Accept"
            try:
                answer = ingest.handle(given, InvocationContext("ingest"))
            except Killed:
                continue
            if answer["statusCode"] == 202:
                event_id: str = json.loads(answer["body"])["event_id"]
                return event_id
            assert answer["statusCode"] in (500, 503), answer
        return None

    def tell(self, user_id: str, messages: Sequence[Mapping[str, Any]], *, key: str = "once") -> Event:
        """A request that is carried out to its end."""
        event_id = self.post(user_id, messages, key=key)
        assert event_id is not None
        return self.carry_out(event_id)

    def carry_out(self, event_id: str) -> Event:
        """Runs the event's executions to the event's end: redriven, replayed and started by sweeps as they
        need it.

        One that failed for good, with its reason recorded, is left FAILED.
        """
        for _ in range(REPEATS):
            run = self.machines.runs.get(self.event(event_id).execution_name)
            if run is None:
                self.sweep_later()
            elif self.carry_on(run).error is None or (run.state, self.event(event_id).failed) == RECORDED:
                return self.event(event_id)
            else:
                self.report_end(run)
                if self.replays:
                    self.replay(event_id)
        raise AssertionError(f"{event_id} does not end")

    def carry_on(self, run: Run) -> Run:
        """Runs an execution, redriven where it has failed, as far as it comes."""
        if not run.running:
            run.redrive()
        return self.carry_until(run, "")

    def carry_until(self, run: Run, state: str) -> Run:
        """Runs an execution up to that state, or its end."""
        while run.running and run.state != state:
            self.line.stage = run.state
            run.step()
        return run

    def replay(self, event_id: str) -> None:
        """What an operator does with `cognis-admin events replay`."""

        def command() -> None:
            opened = self.opened
            ports = ReplayPorts(opened.ledger, opened.payloads, opened.starter, opened.clock)
            with suppress(Conflict):  # an earlier try was done, and its answer lost
                replay_event(ports, TENANT, event_id)

        self._again("Replay", command)

    def sweep_later(self) -> None:
        """The schedule, once everything that stands still counts as idle, until it finds nothing to do."""
        self.clock.advance(IDLE + timedelta(seconds=1))
        for _ in range(REPEATS):
            if not any(self._again("Sweep", lambda: invoke("sweep", {"source": "aws.events"})).values()):
                return
        raise AssertionError("the sweep does not come to its end")

    def report_end(self, run: Run) -> None:
        """EventBridge tells of the execution's end, and again when the function is lost or fails."""
        self._again("RecordEndedExecution", lambda: invoke("record_ended_execution", run.ended_event()))

    def event(self, event_id: str) -> Event:
        event = self.opened.ledger.get_event(TENANT, event_id)
        assert event is not None
        return event

    def _again(self, stage: str, work: Callable[[], _T]) -> _T:
        """Until it comes to its end, in one process or the next."""
        for _ in range(REPEATS):
            self.line.stage = stage
            try:
                return work()
            except (Killed, TransientError, UnexpectedError, Unforeseen):
                continue
        raise AssertionError(f"{stage} does not come to its end")

    def _port(self, name: str, port: object) -> Any:
        return FaultyPort(self.line, name, port)


class LocalStores:
    """SQLite and folders; every write of a port goes over the line."""

    def __init__(self, folder: Path) -> None:
        self._held = folder / "held"
        self._saved = folder / "saved"
        self._ledger: SqliteLedger | None = None

    def open(self, opened: Deployment, models: Models, line: FaultLine) -> None:
        if self._ledger is not None:
            self._ledger.close()
        self._ledger = SqliteLedger(self._held / "ledger.sqlite3")
        opened.ledger = FaultyPort(line, "ledger", self._ledger)
        opened.payloads = FaultyPort(line, "payloads", FolderPayloadStore(self._held / "payloads"))
        index = UserShards(FolderShardStore(self._held / "shards"), models.embedder.model_id)
        opened.index = FaultyPort(line, "index", index)
        opened.indexes = [opened.index]
        opened.user_hash = lambda owner: "hash"

    def save(self) -> None:
        self._close()
        shutil.copytree(self._held, self._saved)

    def restore(self) -> None:
        self._close()
        shutil.rmtree(self._held)
        shutil.copytree(self._saved, self._held)

    def payload_keys(self) -> Sequence[str]:
        root = self._held / "payloads"
        return [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]

    def _close(self) -> None:
        if self._ledger is not None:
            self._ledger.close()


class AwsStores:
    """DynamoDB and S3, or what stands in for them; every writing request goes over the line."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._items: list[dict[str, Any]] = []
        self._objects: dict[tuple[str, str], bytes] = {}

    def open(self, opened: Deployment, models: Models, line: FaultLine) -> None:
        for service in ("dynamodb", "s3"):
            watch_requests(line, opened._client(service))

    def save(self) -> None:
        s3 = self._cloud.s3
        self._items = self._scan()
        self._objects = {
            (bucket, key): s3.get_object(Bucket=bucket, Key=key)["Body"].read()
            for bucket, key in self._keys()
        }

    def restore(self) -> None:
        self._write(
            [{"DeleteRequest": {"Key": {"pk": item["pk"], "sk": item["sk"]}}} for item in self._scan()]
        )
        self._write([{"PutRequest": {"Item": item}} for item in self._items])
        for bucket, key in self._keys():
            self._cloud.s3.delete_object(Bucket=bucket, Key=key)
        for (bucket, key), body in self._objects.items():
            self._cloud.s3.put_object(Bucket=bucket, Key=key, Body=body)

    def payload_keys(self) -> Sequence[str]:
        return [key for bucket, key in self._keys() if bucket == "payloads"]

    def _scan(self) -> list[dict[str, Any]]:
        pages = self._cloud.dynamodb.get_paginator("scan").paginate(TableName="ledger")
        return [item for page in pages for item in page["Items"]]

    def _write(self, requests: list[Any]) -> None:
        for start in range(0, len(requests), 25):
            self._cloud.dynamodb.batch_write_item(RequestItems={"ledger": requests[start : start + 25]})

    def _keys(self) -> list[tuple[str, str]]:
        listed = {bucket: self._cloud.s3.list_objects_v2(Bucket=bucket) for bucket in ("payloads", "shards")}
        return [
            (bucket, entry["Key"]) for bucket, page in listed.items() for entry in page.get("Contents", [])
        ]
