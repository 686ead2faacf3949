"""The model process: `python -m cognis_local.models.serve --state-file FILE`.

Listens on 127.0.0.1, writes where into the state file, answers until it is told to stop (SIGTERM, SIGINT),
no request has come for `--idle-seconds`, or the state file is gone or names another run. Requests under way
are answered first.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event, Thread
from types import FrameType

from threadpoolctl import threadpool_limits
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from cognis_local.models.app import MAX_EXTRACTION_BYTES, Gate, ModelApp
from cognis_local.models.engine import DEFAULT_CACHE_BYTES, Engine, load_models
from cognis_local.models.errors import LocalModelsMissing
from cognis_local.models.identity import (
    MAX_CLIENT_BATCH_SIZE,
    embedder_model_id,
    reranker_model_id,
    server_version,
)
from cognis_local.models.minilm import MAX_TOKENS
from cognis_local.models.packages import check_packages
from cognis_local.models.serial_extractor import SerialExtractor
from cognis_local.models.state import ServerState, read_state, remove_state, write_state
from cognis_local.models.wire import ServerInfo

_MAX_CONCURRENT_REQUESTS = 16
_MAX_CONCURRENT_EXTRACTIONS = 16
_SPARE_THREADS = 2  # so that health and refusals are answered while all other requests wait
_MAX_CONNECTIONS = 512  # each process that embeds, reranks and extracts keeps up to three
_CHECK_SECONDS = 0.5
_POLL_SECONDS = 0.02
_DRAIN_SECONDS = 30.0  # for the requests under way when told to stop
_FLUSH_SECONDS = 0.1  # for the server's loop to hand the last answers to the system

_log = logging.getLogger("cognis_local.models")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the server; returns the exit code once it has stopped."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    try:
        check_packages()
    except LocalModelsMissing as error:
        _log.error("%s", error)
        return 1
    _serve(options)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m cognis_local.models.serve", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one (default)")
    parser.add_argument("--state-file", type=Path, required=True)
    parser.add_argument("--instance", default=None, help="names this run in the state file (default: random)")
    parser.add_argument("--idle-seconds", type=float, default=900.0)
    parser.add_argument("--threads", type=int, default=2, help="model runs side by side (default 2)")
    parser.add_argument("--cache-bytes", type=int, default=DEFAULT_CACHE_BYTES)
    return parser


def _serve(options: argparse.Namespace) -> None:
    threadpool_limits(1, user_api="blas")  # its threads spin against the model's runs
    instance: str = options.instance or uuid.uuid4().hex
    info = _info(instance)
    gates = Gate(_MAX_CONCURRENT_REQUESTS), Gate(_MAX_CONCURRENT_EXTRACTIONS)
    extractor = SerialExtractor()
    engine = Engine(partial(load_models, threads=options.threads, cache_bytes=options.cache_bytes))
    listener = socket.create_server(("127.0.0.1", options.port))
    server = create_server(
        ModelApp(engine, extractor, info, *gates),
        sockets=[listener],
        threads=_MAX_CONCURRENT_REQUESTS + _MAX_CONCURRENT_EXTRACTIONS + _SPARE_THREADS,
        connection_limit=_MAX_CONNECTIONS,
        asyncore_use_poll=True,  # select() takes no file descriptor above 1023
        max_request_body_size=2 * MAX_EXTRACTION_BYTES,  # up to there the application answers, in JSON
        ident=None,
    )
    state = ServerState(os.getpid(), listener.getsockname()[1], instance, info.version)
    _stop_on_signals(partial(remove_state, options.state_file, instance), server.task_dispatcher)
    watched = (options.state_file, instance, gates, options.idle_seconds)
    try:
        write_state(options.state_file, state)
        _log.info("listening on %s as %s", state.url, instance)
        Thread(target=_warm_up, args=(engine, extractor), daemon=True).start()
        Thread(target=_watch, args=watched, daemon=True).start()
        server.run()  # ends on SystemExit
    finally:
        remove_state(options.state_file, instance)
        _log.info("stopped")


def _stop_on_signals(leave: Callable[[], None], requests: ThreadedTaskDispatcher) -> None:
    """On SIGTERM or SIGINT calls `leave`, and ends once no request is under way."""
    stopping, drained = Event(), Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if drained.is_set():
            raise SystemExit
        if not stopping.is_set():
            stopping.set()
            leave()  # whoever looks from now on starts another process
            Thread(target=_drain, args=(requests, drained), daemon=True).start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)


def _drain(requests: ThreadedTaskDispatcher, drained: Event) -> None:
    deadline = time.monotonic() + _DRAIN_SECONDS
    while (requests.active_count or requests.queue) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
    time.sleep(_FLUSH_SECONDS)
    drained.set()
    os.kill(os.getpid(), signal.SIGTERM)


def _info(instance: str) -> ServerInfo:
    return ServerInfo(
        model_id=embedder_model_id(),
        reranker_model_id=reranker_model_id(),
        max_concurrent_requests=_MAX_CONCURRENT_REQUESTS,
        max_input_length=MAX_TOKENS,
        max_client_batch_size=MAX_CLIENT_BATCH_SIZE,
        version=server_version(),
        instance=instance,
    )


def _warm_up(engine: Engine, extractor: SerialExtractor) -> None:
    """Loads models and rules; the rules, too, since the folder of a starter's code may go with it."""
    started = time.perf_counter()
    engine.warm_up()
    extractor.warm_up()
    _log.info("models and rules loaded in %.1f s", time.perf_counter() - started)


def _watch(state_file: Path, instance: str, gates: Sequence[Gate], idle_seconds: float) -> None:
    """Ends the process when nobody needs it: idle for long, or its state file no longer leads to it."""
    while True:
        time.sleep(_CHECK_SECONDS)
        state = read_state(state_file)
        if state is None or state.instance != instance:
            _log.info("the state file leads elsewhere")
            break
        if min(gate.idle_seconds() for gate in gates) > idle_seconds:
            _log.info("idle for %.0f s", idle_seconds)
            break
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
