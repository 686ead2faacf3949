"""What the account holds outlives the emulator, however that ends."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

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


def make_saved_table(emulated: Emulated, folder: StackFolder) -> None:
    """Makes the table and waits until a checkpoint holds it and its stack."""
    make_table(emulated)
    saved, deadline = folder.emulator / "state" / "cloudformation.json", time.monotonic() + CHECKPOINT_SECONDS
    while not saved.exists() or "CREATE_COMPLETE" not in saved.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def kill(folder: StackFolder) -> None:
    os.kill(int(folder.emulator_pid_file.read_text()), signal.SIGKILL)


def kept(emulated: Emulated) -> dict[str, str]:
    """The value of each item, by key."""
    items = emulated.account.dynamodb().scan(TableName="kept")["Items"]
    return {item["pk"]["S"]: item["v"]["S"] for item in items}


def item(key: str, value: str) -> dict[str, Any]:
    return {"pk": {"S": key}, "v": {"S": value}}


def put(key: str, value: str) -> dict[str, Any]:
    return {"Put": {"TableName": "kept", "Item": item(key, value)}}


def test_a_killed_emulator_has_lost_no_answered_write(start: Start, folder: StackFolder) -> None:
    with start() as emulated:
        make_saved_table(emulated, folder)
        tables = emulated.account.dynamodb()
        for key in ("put", "updated", "deleted"):
            tables.put_item(TableName="kept", Item=item(key, "記憶"))
        tables.update_item(
            TableName="kept",
            Key={"pk": {"S": "updated"}},
            UpdateExpression="SET v = :v",
            ExpressionAttributeValues={":v": {"S": "new"}},
        )
        tables.delete_item(TableName="kept", Key={"pk": {"S": "deleted"}})
        tables.batch_write_item(RequestItems={"kept": [{"PutRequest": {"Item": item("batch", "1")}}]})
        tables.transact_write_items(TransactItems=[put("both", "1"), put("of them", "2")])
        kill(folder)
    expected = {"put": "記憶", "updated": "new", "batch": "1", "both": "1", "of them": "2"}
    with start() as emulated:
        assert kept(emulated) == expected
        stacks = emulated.account.cloudformation().describe_stacks(StackName="s")["Stacks"]
        assert [stack["StackStatus"] for stack in stacks] == ["CREATE_COMPLETE"]
        emulated.account.dynamodb().put_item(TableName="kept", Item=item("put", "again"))
        kill(folder)
    with start() as emulated:
        assert kept(emulated) == expected | {"put": "again"}


def test_a_refused_write_stays_refused(start: Start, folder: StackFolder) -> None:
    absent = {"ConditionExpression": "attribute_not_exists(pk)"}
    with start() as emulated:
        make_saved_table(emulated, folder)
        tables = emulated.account.dynamodb()
        tables.put_item(TableName="kept", Item=item("a", "first"))
        with pytest.raises(tables.exceptions.ConditionalCheckFailedException):
            tables.put_item(TableName="kept", Item=item("a", "second"), **absent)
        refused = {"Put": {**put("a", "second")["Put"], **absent}}
        with pytest.raises(tables.exceptions.TransactionCanceledException):
            tables.transact_write_items(TransactItems=[put("b", "1"), refused])
        kill(folder)
    with start() as emulated:
        assert kept(emulated) == {"a": "first"}


def test_a_write_that_was_torn_counts_for_nothing(start: Start, folder: StackFolder) -> None:
    with start() as emulated:
        make_saved_table(emulated, folder)
        emulated.account.dynamodb().put_item(TableName="kept", Item=item("a", "whole"))
        emulated.account.dynamodb().put_item(TableName="kept", Item=item("a", "torn"))
        kill(folder)
    log = max((folder.emulator / "state").glob("dynamodb.*.log"), key=lambda path: path.stat().st_size)
    os.truncate(log, log.stat().st_size - 5)
    with start() as emulated:
        assert kept(emulated) == {"a": "whole"}


def test_a_checkpoint_holds_what_the_logs_held(start: Start, folder: StackFolder) -> None:
    state = folder.emulator / "state"
    with start() as emulated:
        make_saved_table(emulated, folder)
        emulated.account.dynamodb().put_item(TableName="kept", Item=item("a", "1"))
        deadline = time.monotonic() + CHECKPOINT_SECONDS
        while any(log.stat().st_size for log in state.glob("dynamodb.*.log")):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        kill(folder)
    with start() as emulated:
        assert kept(emulated) == {"a": "1"}


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
