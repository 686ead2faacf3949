"""Plays the sample events of `events/` through the functions, on a stand-in for AWS: `make events`.

The samples name ids and times. So the clock stands still at the samples' time, and what they are about is
put in place before the first is played.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO
from unittest.mock import patch

from cloud import NOW, Cloud
from lambda_context import InvocationContext
from moto import mock_aws

from cognis_memory.domain.ids import RANDOM_BYTES, event_id
from cognis_memory.models.event import EventKind
from cognis_memory.models.requests import IngestRequest
from cognis_memory.models.values import Owner
from cognis_memory.runtime import metrics, observability
from cognis_memory.runtime.authorization import authorizer
from cognis_memory.runtime.http.routes import ROUTES
from cognis_memory.runtime.wiring import deployment
from cognis_memory.services.credentials import create_key, create_tenant
from cognis_memory.services.ingestion.accept import accept
from cognis_memory.services.ingestion.state import LEASE_DURATION
from cognis_memory.services.memories.erasing import request_erasure
from cognis_memory.services.transfer.files import upload_key
from cognis_memory.services.transfer.state import request_transfer

Json = dict[str, Any]

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "events"
ANSWERS = "answers.json"
IMPORTED = "import.jsonl"
LOCAL_MODELS = "cognis_local.provider:local_models"

IDLE = timedelta(minutes=5)
"""So long before the sweep an event was accepted whose execution nobody started."""


@dataclass(frozen=True, slots=True)
class Played:
    """One sample; the body of an HTTP answer is JSON already."""

    file: str
    function: str
    expected: Json
    answer: Json
    milliseconds: float

    @property
    def as_expected(self) -> bool:
        return contains(self.answer, self.expected)


def main(folder: Path = SAMPLES) -> int:
    """Prints a line for each sample; 1 when an answer is not the expected one, with what was logged."""
    log, failed = io.StringIO(), False
    for played in play(folder, log=log):
        failed |= not played.as_expected
        outcome = _shortened(played.answer) if played.as_expected else _complaint(played)
        print(
            f"{played.file:<40} {played.function:<26} {played.milliseconds:>6.0f} ms  {outcome}", flush=True
        )
    if failed:
        print(log.getvalue(), file=sys.stderr)
    return int(failed)


def play(folder: Path = SAMPLES, *, log: TextIO) -> Iterator[Played]:
    """Plays the samples in the order of their answers; what the functions log goes to `log`."""
    answers = json.loads((folder / ANSWERS).read_text())
    samples = {file: json.loads((folder / file).read_text()) for file in answers}
    with _fresh_deployment() as cloud:
        _prepare(cloud, samples)
        for file, expected in answers.items():
            started = time.perf_counter()
            with redirect_stdout(log):
                answer = _invoke(function_of(file), samples[file])
            milliseconds = (time.perf_counter() - started) * 1_000
            yield Played(file, function_of(file), expected, answer, milliseconds)


def function_of(file: str) -> str:
    """The function's folder: requests are named by their route, all other samples by the function itself."""
    routes = {route.name: route.function for route in ROUTES}
    folder, name = file.removesuffix(".json").split("/")
    return routes.get(name, name) if folder == "http" else name


def contains(answer: Any, expected: Any) -> bool:
    """Whether of an object the expected fields are there, and of a list elements like the expected ones."""
    if isinstance(expected, dict) and isinstance(answer, dict):
        return all(name in answer and contains(answer[name], value) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(answer, list):
        return all(any(contains(element, wanted) for element in answer) for wanted in expected)
    return bool(answer == expected)


@contextmanager
def _fresh_deployment() -> Iterator[Cloud]:
    """Nothing that this process opened for another deployment is used, nor anything of this one later."""
    with mock_aws():
        cloud = Cloud()
        named = {"COGNIS_MODEL_PROVIDER": LOCAL_MODELS, "POWERTOOLS_SERVICE_NAME": "events"}
        with patch.dict(os.environ, {**cloud.environment, **named}):
            _forget()
            deployment().clock = lambda: NOW
            try:
                yield cloud
            finally:
                _forget()


def _forget() -> None:
    for opened in (deployment, authorizer, observability.logger, observability.tracer, metrics._metrics):
        opened.cache_clear()


def _prepare(cloud: Cloud, samples: Mapping[str, Json]) -> None:
    """The tenant and the key of the samples, and the events that they name, accepted but not begun."""
    request = IngestRequest.model_validate_json(samples["http/add_messages.json"]["body"])
    stored, failed = samples["states/store_messages.json"], samples["states/record_failure.json"]["state"]
    ended = json.loads(samples["eventbridge/record_ended_execution.json"]["detail"]["input"])
    erasure = samples["states/erase_ledger.json"]
    tenant = erasure["tenant_id"]
    create_tenant(cloud.credentials, tenant, None, now=NOW)
    create_key(cloud.credentials, tenant, now=NOW, random_bytes=_counted)
    for named in (stored, failed, ended):
        _accept(tenant, request, named["event_id"], NOW)
    _accept(tenant, request, _id_of(NOW - IDLE), NOW - IDLE)
    _prepare_transfers(tenant, samples)
    erased = samples["http/erase_user.json"]["pathParameters"]["user_id"]
    _accept(tenant, request.model_copy(update={"user_id": erased}), _id_of(NOW), NOW)
    request_erasure(deployment().ledger, Owner(tenant, erased), erasure["event_id"], deployment().clock)


def _prepare_transfers(tenant: str, samples: Mapping[str, Json]) -> None:
    """An export, an import whose file is there and whose lease is held, and one that is to be undone."""
    ledger, clock = deployment().ledger, deployment().clock
    ana = Owner(tenant, samples["http/export_user.json"]["pathParameters"]["user_id"])
    cleo = Owner(tenant, samples["http/import_user.json"]["pathParameters"]["user_id"])
    named = {name: samples[f"states/{name}.json"]["event_id"] for name in ("export_user", "undo_import")}
    imported = samples["states/find_upload.json"]["event_id"]
    request_transfer(ledger, ana, EventKind.EXPORT, named["export_user"], clock)
    for id_ in (imported, named["undo_import"]):
        request_transfer(ledger, cleo, EventKind.IMPORT, id_, clock)
    deployment().transfer_files.write(upload_key(cleo, imported), [(SAMPLES / IMPORTED).read_bytes()])
    ledger.acquire_lease(cleo, imported, now=clock(), duration=LEASE_DURATION)


def _accept(tenant: str, request: IngestRequest, id_: str, accepted_at: datetime) -> None:
    accept(
        request,
        tenant_id=tenant,
        ledger=deployment().ledger,
        payloads=deployment().payloads,
        clock=lambda: accepted_at,
        new_event_id=lambda: id_,
    )


def _id_of(moment: datetime) -> str:
    return event_id(int(moment.timestamp() * 1_000), _counted(RANDOM_BYTES))


def _counted(number: int) -> bytes:
    """In place of random bytes: the sample key is made of 0, 1, 2 and so on."""
    return bytes(range(number))


def _invoke(function: str, event: Json) -> Json:
    """What the function answers, through JSON as Lambda hands it on."""
    handle = import_module(f"functions.{function}.handler").handle
    context = InvocationContext(function_name=function, aws_request_id="sample")
    try:
        answer: Json = json.loads(json.dumps(handle(event, context)))
    except Exception as error:  # noqa: BLE001 - as Lambda does
        return {"errorType": type(error).__name__, "errorMessage": str(error)}
    if answer.get("body"):
        answer["body"] = json.loads(answer["body"])
    return answer


def _complaint(played: Played) -> str:
    return f"NOT AS EXPECTED: {json.dumps(played.answer)} lacks {json.dumps(played.expected)}"


def _shortened(answer: Json) -> str:
    status, body = answer.get("statusCode", ""), answer.get("body", "") if "statusCode" in answer else answer
    text = json.dumps(body, ensure_ascii=False) if body else ""
    return f"{status} {text if len(text) <= 100 else text[:99] + '…'}".strip()


if __name__ == "__main__":
    sys.path.insert(0, str(PROJECT))
    sys.exit(main())
