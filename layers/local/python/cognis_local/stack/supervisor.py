"""Brings the stack up in order, and takes it down."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import urllib3
from filelock import Timeout
from urllib3.exceptions import HTTPError

from cognis_local.models.process import ensure_model_process, stop_model_process
from cognis_local.stack.assembly import read_assembly
from cognis_local.stack.aws import ACCOUNT, REGION, EmulatedAccount
from cognis_local.stack.credentials import working_key
from cognis_local.stack.deployment import Outputs, deploy, deployed
from cognis_local.stack.emulator.process import Emulator, check_port, running_emulator
from cognis_local.stack.errors import AlreadyRunning, StackError
from cognis_local.stack.folder import Deployment, Run, StackFolder, read_record, write_record
from cognis_local.stack.language_model import DEFAULT_MODEL, running_language_model
from cognis_local.stack.search import (
    OPENSEARCH,
    SHARDS,
    Search,
    SearchNode,
    empty_shards,
    prepare_index,
    running_search_node,
)
from cognis_local.stack.synthesis import (
    Synthesis,
    is_synthesised,
    project_folder,
    synthesis_of,
    synthesise,
)
from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore

DATA_STACK: Final = "cognis-local-data"
API_STACK: Final = "cognis-local-api"

Say = Callable[[str], None]

_HEALTH_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class RunningStack:
    """A stack that answers, and the processes that keep it up; `node` where it searches in OpenSearch."""

    run: Run
    emulator: Emulator
    node: SearchNode | None


@contextmanager
def running_stack(
    folder: StackFolder,
    port: int,
    say: Say,
    search: Search = SHARDS,
    *,
    llm: str | None = None,
    llm_model: str = DEFAULT_MODEL,
) -> Iterator[RunningStack]:
    """The whole application, answering; everything ends with the block, all data saved.

    `llm`: what extracts in place of the rules, see `running_language_model`. Raises AlreadyRunning, and
    StackError or NodeError with what is in the way.
    """
    with _alone(folder):
        check_port(folder, port)
        with running_search_node(folder.opensearch, search, say) as node:
            synthesis = _synthesised(folder, node.url if node else None, say)
            ensure_model_process(folder.models)
            try:
                say(f"Starting the emulator on port {port}")
                with (
                    running_language_model(llm, llm_model, folder.models) as variables,
                    running_emulator(folder, port, variables) as emulator,
                ):
                    run = _deployed_run(EmulatedAccount(emulator.endpoint), folder, synthesis, node, say)
                    yield RunningStack(run, emulator, node)
            finally:
                folder.run_file.unlink(missing_ok=True)
                stop_model_process(folder.models)


@contextmanager
def _alone(folder: StackFolder) -> Iterator[None]:
    folder.root.mkdir(parents=True, exist_ok=True)
    folder.root.chmod(0o700)  # memories and keys are in it
    lock = folder.run_lock()
    try:
        lock.acquire(timeout=0)
    except Timeout:
        run = read_record(folder.run_file, Run)
        where = f"at {run.url}" if run else "and not ready yet"
        raise AlreadyRunning(f"The stack is running already, {where}; `make stop` ends it.") from None
    try:
        folder.run_file.unlink(missing_ok=True)
        folder.pid_file.write_text(str(os.getpid()), encoding="utf-8")
        yield
    finally:
        lock.release()


def _synthesised(folder: StackFolder, search_node: str | None, say: Say) -> Synthesis:
    """The assembly that searches in the node with that endpoint, or in user shards, made if need be."""
    project = project_folder()
    synthesis = synthesis_of(project, folder, search_node)
    if not is_synthesised(synthesis):
        say("Synthesising the stacks (the first time packages are gathered for it)")
        synthesise(project, synthesis, folder.logs / "synthesis.log")
    return synthesis


def _deployed_run(
    account: EmulatedAccount, folder: StackFolder, synthesis: Synthesis, node: SearchNode | None, say: Say
) -> Run:
    """The run, written down once its API answers."""
    outputs = _deployed(account, folder, synthesis, node, say)
    url = _api_url(account.endpoint, outputs)
    _wait_for_health(url)
    run = Run(url, _key(account, outputs, folder), account.endpoint, os.getpid())
    write_record(folder.run_file, run)
    return run


def _deployed(
    account: EmulatedAccount, folder: StackFolder, synthesis: Synthesis, node: SearchNode | None, say: Say
) -> Outputs:
    """The stacks' outputs; they are deployed unless the account holds what this fingerprint made.

    An engine that was not in use until now is emptied first, see `search`.
    """
    search = SHARDS if node is None else OPENSEARCH
    last = read_record(folder.deployment_file, Deployment)
    stale = last is None or last.search != search
    if node:
        prepare_index(node.url, anew=stale)
    if last and last.fingerprint == synthesis.fingerprint and deployed(account, list(last.outputs)):
        say("The stacks are as they were deployed last")
        return last.outputs
    folder.deployment_file.unlink(missing_ok=True)  # until all stacks are as this fingerprint says
    assembly = read_assembly(synthesis.folder, ACCOUNT, REGION)
    outputs = deploy(account, assembly, on_stack=lambda name: say(f"Deploying {name}"))
    if stale and node is None:
        empty_shards(account.s3(), outputs[DATA_STACK]["ShardBucketName"])
    write_record(folder.deployment_file, Deployment(synthesis.fingerprint, outputs, search))
    return outputs


def _api_url(endpoint: str, outputs: Outputs) -> str:
    """The API's address at the emulator, which needs no header to be found."""
    api = outputs[API_STACK]
    return f"{endpoint}/_aws/execute-api/{api['ApiId']}/{api['ApiStage']}"


def _key(account: EmulatedAccount, outputs: Outputs, folder: StackFolder) -> str:
    store = DynamoCredentialStore(outputs[DATA_STACK]["CredentialTableName"], account.dynamodb())
    return working_key(store, folder.credentials_file, datetime.now(UTC))


def _wait_for_health(url: str) -> None:
    deadline, last = time.monotonic() + _HEALTH_SECONDS, "nothing"
    with urllib3.PoolManager(retries=False, timeout=_HEALTH_SECONDS) as pool:
        while time.monotonic() < deadline:
            try:
                response = pool.request("GET", f"{url}/v1/health")
            except HTTPError as error:
                last = str(error)
            else:
                if response.status == 200:
                    return
                last = f"{response.status} {response.data.decode(errors='replace')[:200]}"
            time.sleep(_POLL_SECONDS)
    raise StackError(f"The API at {url} is not healthy. Its last answer: {last}")
