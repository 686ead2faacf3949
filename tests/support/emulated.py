"""Functions, state machines and APIs in the emulated account, made for a test."""

from __future__ import annotations

import io
import json
import socket
import time
import uuid
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config

from cognis_local.stack.aws import ACCOUNT, REGION, EmulatedAccount

ROLE = f"arn:aws:iam::{ACCOUNT}:role/test"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def zipped(files: Mapping[str, str]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as content:
        for name, text in files.items():
            content.writestr(name, text)
    return archive.getvalue()


@dataclass(frozen=True, slots=True)
class Emulated:
    """Makes what a test needs; every name is new."""

    account: EmulatedAccount

    def function(self, source: str, **settings: Any) -> str:
        """The ARN of a function whose `handle(event, context)` stands in `source`."""
        answer = self.account.functions().create_function(
            FunctionName=f"f-{uuid.uuid4().hex[:12]}",
            Runtime="python3.13",
            Handler="handler.handle",
            Role=ROLE,
            Code={"ZipFile": zipped({"handler.py": source})},
            Timeout=20,
            **settings,
        )
        return answer["FunctionArn"]

    def layer(self, files: Mapping[str, str]) -> str:
        name = f"l-{uuid.uuid4().hex[:12]}"
        answer = self.account.functions().publish_layer_version(
            LayerName=name, Content={"ZipFile": zipped(files)}
        )
        return answer["LayerVersionArn"]

    def invoke(self, function: str, event: Any = None) -> Any:
        """What the function returned, or the document of its error."""
        answer = self.account.functions().invoke(FunctionName=function, Payload=json.dumps(event).encode())
        return json.loads(answer["Payload"].read())

    def execute(self, function: str, **task: Any) -> dict[str, Any]:
        """The ended execution of a machine whose only state is the function; `task` adds to that state."""
        return self.ended(self.start(function, **task))

    def start(self, function: str, **task: Any) -> str:
        state = {"Type": "Task", "Resource": function, "End": True, **task}
        client = self.account.states()
        machine = client.create_state_machine(
            name=f"m-{uuid.uuid4().hex[:12]}",
            definition=json.dumps({"StartAt": "Only", "States": {"Only": state}}),
            roleArn=ROLE,
        )
        return client.start_execution(stateMachineArn=machine["stateMachineArn"], input="{}")["executionArn"]

    def ended(self, execution: str) -> dict[str, Any]:
        client, deadline = self.account.states(), time.monotonic() + 30
        while (described := client.describe_execution(executionArn=execution))["status"] == "RUNNING":
            assert time.monotonic() < deadline, described
            time.sleep(0.05)
        return dict(described)

    def api(self, function: str, path: str) -> str:
        """The URL of a REST API that passes GET on one path to the function."""
        client = self.client("apigateway")
        api = client.create_rest_api(name="test")["id"]
        resource = client.get_resources(restApiId=api)["items"][0]["id"]
        for part in path.strip("/").split("/"):
            resource = client.create_resource(restApiId=api, parentId=resource, pathPart=part)["id"]
        method = {"restApiId": api, "resourceId": resource, "httpMethod": "GET"}
        client.put_method(**method, authorizationType="NONE")
        uri = f"arn:aws:apigateway:{REGION}:lambda:path/2015-03-31/functions/{function}/invocations"
        client.put_integration(**method, type="AWS_PROXY", integrationHttpMethod="POST", uri=uri)
        client.create_deployment(restApiId=api, stageName="test")
        return f"{self.account.endpoint}/_aws/execute-api/{api}/test"

    def client(self, service: Any) -> Any:
        return boto3.client(
            service,
            endpoint_url=self.account.endpoint,
            region_name=REGION,
            aws_access_key_id=ACCOUNT,
            aws_secret_access_key="test",
            config=Config(proxies={}),
        )
