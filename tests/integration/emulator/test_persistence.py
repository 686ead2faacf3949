"""What the account holds outlives the emulator, however that ends."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from emulated import Emulated, free_port

from cognis_local.stack.aws import EmulatedAccount
from cognis_local.stack.emulator.process import check_port, running_emulator
from cognis_local.stack.errors import StackError
from cognis_local.stack.folder import StackFolder

TABLE = {
    "Type": "AWS::DynamoDB::Table",
    "Properties": {
        "TableName": "kept",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True},
    },
}
WAITING = """
import time
from pathlib import Path

def handle(event, context):
    while not Path(MARK).exists():
        time.sleep(0.05)
    return "done"
"""
CHECKPOINT_SECONDS = 15.0

Start = Callable[[], AbstractContextManager[Emulated]]


@pytest.fixture
def folder(tmp_path: Path) -> StackFolder:
    return StackFolder(tmp_path / "stack")


@pytest.fixture
def start(folder: StackFolder) -> Start:
    """Starts an emulator on the folder."""

    @contextmanager
    def started() -> Iterator[Emulated]:
        with running_emulator(folder, free_port()) as emulator:
            yield Emulated(EmulatedAccount(emulator.endpoint))

    return started


def make_table(emulated: Emulated) -> None:
    stacks = emulated.account.cloudformation()
    stacks.create_stack(StackName="s", TemplateBody=json.dumps({"Resources": {"Kept": TABLE}}))
    stacks.get_waiter("stack_create_complete").wait(StackName="s", WaiterConfig={"Delay": 1})


def test_an_interrupted_execution_goes_on(start: Start, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    with start() as emulated:
        execution = emulated.start(emulated.function(WAITING.replace("MARK", repr(str(mark)))))
        time.sleep(0.5)
        assert emulated.account.states().describe_execution(executionArn=execution)["status"] == "RUNNING"
    mark.touch()
    with start() as emulated:
        assert emulated.ended(execution)["output"] == '"done"'


def test_a_killed_emulator_has_saved_what_is_some_seconds_old(start: Start, folder: StackFolder) -> None:
    with start() as emulated:
        make_table(emulated)
        emulated.account.dynamodb().put_item(TableName="kept", Item={"pk": {"S": "a"}})
        saved, deadline = folder.emulator / "state" / "dynamodb.json", time.monotonic() + CHECKPOINT_SECONDS
        while not saved.exists() or '"pk": {"S": "a"}' not in saved.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        os.kill(int(folder.emulator_pid_file.read_text()), signal.SIGKILL)
    with start() as emulated:
        found = emulated.account.dynamodb().get_item(TableName="kept", Key={"pk": {"S": "a"}})
        assert found["Item"] == {"pk": {"S": "a"}}
        stacks = emulated.account.cloudformation().describe_stacks(StackName="s")["Stacks"]
        assert [stack["StackStatus"] for stack in stacks] == ["CREATE_COMPLETE"]


def test_time_to_live_holds(start: Start) -> None:
    with start() as emulated:
        make_table(emulated)
        described = emulated.account.dynamodb().describe_time_to_live(TableName="kept")
        assert described["TimeToLiveDescription"] == {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}


def test_a_state_that_cannot_be_read_is_told_and_kept(start: Start, folder: StackFolder) -> None:
    broken = folder.emulator / "state" / "dynamodb.json"
    broken.parent.mkdir(parents=True)
    broken.write_text('{"cut off')
    with pytest.raises(StackError, match=r"dynamodb\.json cannot be read"), start():
        pass
    assert broken.read_text() == '{"cut off'


def test_a_taken_port_is_told_with_its_number(start: Start, folder: StackFolder, tmp_path: Path) -> None:
    with start() as emulated:
        port = int(emulated.account.endpoint.rpartition(":")[2])
        with pytest.raises(StackError, match=f"Port {port} .* make run PORT={port + 1}"):
            check_port(StackFolder(tmp_path / "other"), port)
