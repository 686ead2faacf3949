"""Roles allow enough: the whole application on an emulator that refuses what no policy of theirs allows."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import urllib3
from assemblies import Assembly
from emulated import free_port

from cognis_local.models.process import stop_model_process
from cognis_local.stack.assembly import read_assembly
from cognis_local.stack.aws import ACCOUNT, REGION, EmulatedAccount
from cognis_local.stack.deployment import Outputs, deploy
from cognis_local.stack.emulator import process
from cognis_local.stack.folder import StackFolder
from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore
from cognis_memory.services.credentials import create_key, create_tenant

pytestmark = pytest.mark.long

NOW = datetime(2026, 7, 15, tzinfo=UTC)
EVENT_SECONDS = 120


@dataclass(frozen=True)
class Deployed:
    """The application behind its URL, and its functions."""

    account: EmulatedAccount
    outputs: Outputs
    api_key: str

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's document; every request here is one that succeeds."""
        api = self.outputs["cognis-local-api"]["ApiId"]
        url = f"{self.account.endpoint}/_aws/execute-api/{api}/local{path}"
        headers = {"X-Api-Key": self.api_key, "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body)
        answer = urllib3.request(method, url, body=content, headers=headers, timeout=60, retries=False)
        assert answer.status < 300, answer.data
        return json.loads(answer.data or b"null")

    def ended(self, accepted: Any) -> Any:
        deadline = time.monotonic() + EVENT_SECONDS
        while (event := self.request("GET", f"/v1/events/{accepted['event_id']}"))["status"] not in (
            "SUCCEEDED",
            "FAILED",
        ):
            assert time.monotonic() < deadline, event
            time.sleep(0.5)
        return event

    def invoke(self, function: str, event: Any) -> Any:
        client = self.account.functions()
        names = [found["FunctionName"] for found in client.list_functions()["Functions"]]
        (name,) = (name for name in names if f"-{function}" in name)
        answer = client.invoke(FunctionName=name, Payload=json.dumps(event).encode())
        payload = json.loads(answer["Payload"].read())
        assert "FunctionError" not in answer, payload
        return payload


@pytest.fixture
def deployed(local: Assembly, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployed]:
    monkeypatch.setenv("AUTH", "true")
    monkeypatch.setattr(process, "_INHERITED", (*process._INHERITED, "AUTH"))
    assembly = shutil.copytree(local.folder, tmp_path / "assembly")
    _without_tls(assembly)
    folder = StackFolder(tmp_path / "stack")
    with process.running_emulator(folder, free_port()) as emulator:
        account = EmulatedAccount(emulator.endpoint)
        outputs = deploy(account, read_assembly(assembly, ACCOUNT, REGION), lambda stack: None)
        store = DynamoCredentialStore(outputs["cognis-local-data"]["CredentialTableName"], account.dynamodb())
        create_tenant(store, "acme", None, now=NOW)
        yield Deployed(account, outputs, create_key(store, "acme", now=NOW)[1])
    stop_model_process(folder.models)


def _without_tls(assembly: Path) -> None:
    """The emulator speaks none, and the buckets' policies demand it."""
    file = assembly / "cognis-local-data.template.json"
    template = json.loads(file.read_text())
    resources = template["Resources"].items()
    kept = {id_: body for id_, body in resources if body["Type"] != "AWS::S3::BucketPolicy"}
    file.write_text(json.dumps({**template, "Resources": kept}))


def test_every_function_may_do_its_work(deployed: Deployed) -> None:
    said = [{"role": "user", "speaker": "Ana", "content": "I live in Osaka."}]
    accepted = deployed.request("POST", "/v1/memories", {"user_id": "ana", "messages": said})
    assert deployed.ended(accepted)["status"] == "SUCCEEDED"

    asked = {"user_id": "ana", "query": "Where does Ana live?"}
    (memory,) = deployed.request("GET", "/v1/memories?user_id=ana")["memories"]
    assert memory["id"] in [
        found["id"] for found in deployed.request("POST", "/v1/memories/search", asked)["results"]
    ]
    assert memory["id"] in deployed.request("POST", "/v1/context", asked)["memory_ids"]
    for path in ("", "/history"):
        deployed.request("GET", f"/v1/memories/{memory['id']}{path}?user_id=ana")

    changes = {"user_id": "ana", "content": "Ana lives in Kobe"}
    changed = deployed.request("PATCH", f"/v1/memories/{memory['id']}", changes)
    deployed.request("DELETE", f"/v1/memories/{changed['id']}?user_id=ana")

    reference = {"tenant_id": "acme", "event_id": accepted["event_id"]}
    failure = {"Error": "ExtractionFailed", "Cause": "{}"}
    deployed.invoke("RecordFailure", {"state": reference, "error": failure})
    deployed.invoke("RecordEndedExecution", {"detail": {"status": "ABORTED", "input": json.dumps(reference)}})
    assert deployed.invoke("Sweep", {})["faults"] == 0

    exported = deployed.ended(deployed.request("POST", "/v1/users/ana/export"))
    file = urllib3.request("GET", exported["download_url"], timeout=60, retries=False).data
    imported = deployed.request("POST", "/v1/users/ben/import")
    urllib3.request("PUT", imported["upload_url"], body=file, timeout=60, retries=False)
    assert deployed.ended(imported)["counts"] == exported["counts"]
    refused = deployed.request("POST", "/v1/users/ben/import")
    urllib3.request("PUT", refused["upload_url"], body=b"{}", timeout=60, retries=False)
    assert deployed.ended(refused)["error"]["type"] == "InvalidInput"

    assert deployed.ended(deployed.request("DELETE", "/v1/users/ana"))["status"] == "SUCCEEDED"
    assert deployed.request("GET", "/v1/memories?user_id=ana")["memories"] == []
