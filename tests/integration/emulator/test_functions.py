"""Functions run as on AWS: errors under their own names, processes that serve on, layers, environment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from emulated import Emulated

from cognis_local.stack.emulator.lambda_workers import MAX_PROCESSES
from cognis_local.stack.function_logs import lines_since

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)

RAISING = """
class LedgerUnavailable(Exception):
    pass

calls = 0

def handle(event, context):
    global calls
    calls += 1
    if calls == 1:
        raise LedgerUnavailable("the ledger is away")
    return {"calls": calls}
"""

DYING = """
import os
from pathlib import Path

def handle(event, context):
    mark = Path(MARK)
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return "second"
"""


def test_an_exception_is_named_by_its_class_and_its_process_serves_on(emulated: Emulated) -> None:
    function = emulated.function(RAISING)
    raised = emulated.invoke(function)
    assert (raised["errorType"], raised["errorMessage"]) == ("LedgerUnavailable", "the ledger is away")
    assert any("raise LedgerUnavailable" in line for line in raised["stackTrace"])
    assert emulated.invoke(function) == {"calls": 2}


def test_a_state_retries_an_error_by_its_name(emulated: Emulated) -> None:
    retry = [{"ErrorEquals": ["LedgerUnavailable"], "IntervalSeconds": 1, "MaxAttempts": 2}]
    assert emulated.execute(emulated.function(RAISING), Retry=retry)["status"] == "SUCCEEDED"
    other = [{"ErrorEquals": ["IndexUnavailable"], "IntervalSeconds": 1, "MaxAttempts": 2}]
    failed = emulated.execute(emulated.function(RAISING), Retry=other)
    assert (failed["status"], failed["error"]) == ("FAILED", "LedgerUnavailable")


def test_a_process_that_ends_is_an_error_to_retry(emulated: Emulated, tmp_path: Path) -> None:
    function = emulated.function(DYING.replace("MARK", repr(str(tmp_path / "mark"))))
    failed = emulated.execute(function)
    assert (failed["status"], failed["error"]) == ("FAILED", "Runtime.ExitError")
    assert emulated.execute(function)["output"] == '"second"'


def test_a_throttled_function_is_named_so(emulated: Emulated) -> None:
    function = emulated.function("def handle(event, context): return 1")
    emulated.account.functions().put_function_concurrency(
        FunctionName=function, ReservedConcurrentExecutions=0
    )
    failed = emulated.execute(function)
    assert failed["error"] == "Lambda.TooManyRequestsException"


def test_calls_wait_for_one_of_few_processes(emulated: Emulated) -> None:
    source = "import os, time\ndef handle(event, context):\n    time.sleep(0.2)\n    return os.getpid()"
    function = emulated.function(source)
    with ThreadPoolExecutor(3 * MAX_PROCESSES) as pool:
        pids = list(pool.map(lambda _: emulated.invoke(function), range(3 * MAX_PROCESSES)))
    assert 1 < len(set(pids)) <= MAX_PROCESSES


@pytest.mark.parametrize(
    ("body", "logged"),
    [
        ("print('one\\ntwo')", ["one", "two"]),
        ("pass", []),
        ("raise KeyError('gone')", ["KeyError: 'gone'"]),
    ],
    ids=["lines", "silence", "a traceback"],
)
def test_a_call_logs_what_it_printed(emulated: Emulated, body: str, logged: list[str]) -> None:
    function = emulated.function(f"def handle(event, context):\n    {body}")
    emulated.invoke(function)
    group = {"f": f"/aws/lambda/{function.rpartition(':')[2]}"}
    lines = [line.message for line in lines_since(emulated.account, group, LONG_AGO)]
    own = [line for line in lines if not line.startswith(("START ", "END ", "REPORT "))]
    assert [line for line in own if line in logged] == logged
    assert own == logged or own[0].startswith("[ERROR] Traceback")


def test_functions_share_an_unpacked_layer(emulated: Emulated) -> None:
    layer = emulated.layer({"python/of_the_layer.py": "NAME = 'layer'"})
    source = "import of_the_layer\ndef handle(event, context): return of_the_layer.__file__"
    paths = {emulated.invoke(emulated.function(source, Layers=[layer])) for _ in range(2)}
    assert [Path(path).read_text() for path in paths] == ["NAME = 'layer'"]


def test_a_later_layer_covers_an_earlier_one(emulated: Emulated) -> None:
    layers = [emulated.layer({"python/named.py": f"NAME = {name!r}"}) for name in ("first", "second")]
    source = "import named\ndef handle(event, context): return named.NAME"
    assert emulated.invoke(emulated.function(source, Layers=layers)) == "second"


def test_functions_see_nothing_of_the_users_environment(emulated: Emulated) -> None:
    source = "import os\ndef handle(event, context): return dict(os.environ)"
    variables = {"Variables": {"COGNIS_STAGE": "local"}}
    environment = emulated.invoke(emulated.function(source, Environment=variables))
    assert environment["COGNIS_STAGE"] == "local"
    assert environment["AWS_ENDPOINT_URL"] == emulated.account.endpoint
    assert not {"AWS_PROFILE", "AWS_ENDPOINT_URL_S3", "USERS_SECRET"} & environment.keys()
