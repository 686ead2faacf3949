"""How functions run: errors under their own names, processes that outlive them, layers unpacked once."""

from __future__ import annotations

import hashlib
import io
import os
import queue
import shutil
import threading
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cognis_local.stack.emulator.patching import Function, module, replace_text, wrap
from cognis_local.stack.folder import StackFolder

MAX_PROCESSES: Final = max(2, os.cpu_count() or 1)
"""Of one function at a time. AWS starts as many as there are calls, and this machine could not."""

_QUEUE_SECONDS: Final = 25.0
"""How long a call waits for one of them until it is throttled; a client of the API waits 29 s."""

_LOG_SECONDS: Final = 0.25
_RAISED: Final = "__raised__"
_END_OF_LOG: Final = "\x1e"

_OLD_START: Final = """
def run():
    # Redirect print() to stderr"""
_NEW_START: Final = f"""
import threading

def _end_with_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)

def _raised(error, context):
    print("[ERROR]", "".join(traceback.format_exception(error)))
    return {{"{_RAISED}": {{"errorMessage": str(error), "errorType": type(error).__name__,
            "requestId": context.aws_request_id, "stackTrace": traceback.format_tb(error.__traceback__)}}}}

threading.Thread(target=_end_with_parent, daemon=True).start()
{_OLD_START}"""

_OLD_ERROR: Final = '{"status": "error", "error": str(e), "trace": traceback.format_exc()}'
_NEW_ERROR: Final = '{"status": "ok", "result": _raised(e, context)}'

_OLD_END: Final = """
        _real_stdout.flush()

run()"""
_NEW_END: Final = f"""
        _real_stdout.flush()
        print({_END_OF_LOG!r}, flush=True)

run()"""

_PROCESS_ENDED: Final = ("Worker process died", "Worker process exited immediately", "[Errno 32]")


def patch(folder: StackFolder) -> None:
    runtime, service = module("core.lambda_runtime"), module("services.lambda_svc")
    layers = LayerFolders(folder.emulator / "layers", service._resolve_layer_zip)
    for old, new in ((_OLD_START, _NEW_START), (_OLD_ERROR, _NEW_ERROR), (_OLD_END, _NEW_END)):
        replace_text(runtime, "_PYTHON_WORKER_SCRIPT", old, new)
    wrap(runtime.Worker, "_drain_stderr_bounded", lambda _: _log_until_its_end)
    wrap(runtime.Worker, "_spawn", lambda spawn: _prepared(spawn, layers, folder.models))
    wrap(service, "_execute_function_warm", lambda invoke: _queued(_named_as_on_aws(invoke), service))


def _named_as_on_aws(invoke: Function) -> Function:
    """An exception's class names its error, and its process serves on; a process that ended is
    `Runtime.ExitError`. MiniStack calls both `Runtime.HandlerError` and ends the process."""

    def invoked(function: Any, event: Any, request_id: str) -> dict[str, Any]:
        result: dict[str, Any] = invoke(function, event, request_id)
        body = result.get("body")
        if isinstance(body, dict) and _RAISED in body:
            return {"body": body[_RAISED], "error": True, "log": result.get("log", "")}
        if result.get("error") and isinstance(body, dict) and _ended(body):
            message = f"RequestId: {request_id} Error: Runtime exited"
            return {**result, "body": {"errorMessage": message, "errorType": "Runtime.ExitError"}}
        return result

    return invoked


def _ended(body: Mapping[str, Any]) -> bool:
    return str(body.get("errorMessage", "")).startswith(_PROCESS_ENDED)


def _queued(invoke: Function, service: Any) -> Function:
    """At most MAX_PROCESSES calls of a function at a time; the others wait."""
    slots = dict[str, threading.Semaphore]()

    def queued(function: dict[str, Any], event: Any, request_id: str) -> Any:
        name = (function.get("config") or function)["FunctionArn"]
        slot = slots.setdefault(name, threading.Semaphore(MAX_PROCESSES))
        if not slot.acquire(timeout=_QUEUE_SECONDS):
            return service._throttle_response(
                "ConcurrentInvocationLimitExceeded", f"all {MAX_PROCESSES} processes of {name} are busy"
            )
        try:
            return invoke(function, event, request_id)
        finally:
            slot.release()

    return queued


def _log_until_its_end(worker: Any) -> str:
    """The lines that a call has logged. MiniStack waits 50 ms for the first and 5 ms after each; here the
    worker says when it has written all of them."""
    lines = list[str]()
    deadline = time.monotonic() + _LOG_SECONDS
    while (remaining := deadline - time.monotonic()) > 0:
        try:
            line = worker._stderr_queue.get(timeout=remaining)
        except queue.Empty:
            break
        if line == _END_OF_LOG:
            break
        lines.append(line)
    return "\n".join(lines)


class LayerFolders:
    """Layers unpacked side by side, each once, as AWS mounts them; MiniStack unpacks all for each process."""

    def __init__(self, root: Path, archive_of: Function) -> None:
        self._root = root
        self._archive_of = archive_of
        self._folders = dict[str, Path]()
        self._lock = threading.Lock()

    def folder(self, arn: str) -> Path:
        """Where the content of the layer version is, which never changes."""
        with self._lock:
            if arn not in self._folders:
                self._folders[arn] = self._unpacked(self._archive_of(arn))
            return self._folders[arn]

    def _unpacked(self, archive: bytes) -> Path:
        target = self._root / hashlib.sha256(archive).hexdigest()[:32]
        if not target.exists():
            unfinished = target.with_suffix(".unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            with zipfile.ZipFile(io.BytesIO(archive)) as content:
                content.extractall(unfinished)
            unfinished.rename(target)
        return target


def _prepared(spawn: Function, layers: LayerFolders, models: Path) -> Function:
    """A process finds its layers unpacked, and this stack's models whatever folder the template names."""

    def spawned(worker: Any) -> None:
        config = worker.config
        folders = [str(layers.folder(layer["Arn"])) for layer in config.get("Layers", [])]
        variables = config.get("Environment", {}).get("Variables", {})
        own = {"_LAMBDA_LAYERS_DIRS": os.pathsep.join(folders), "COGNIS_MODELS_FOLDER": str(models)}
        worker.config = {**config, "Layers": [], "Environment": {"Variables": {**variables, **own}}}
        try:
            spawn(worker)
        finally:
            worker.config = config

    return spawned
