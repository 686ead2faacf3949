"""The server: what was planned for an operation comes first, then its responder answers."""

from __future__ import annotations

import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from cognis_local.model_services.calls import Call, Operation, parse_call
from cognis_local.model_services.replies import Reply, error_reply

Responder = Callable[[Call], Reply]
"""Answers as the service does when all is well."""

Step = Callable[[Call, Responder], Reply]
"""What becomes of one call; it may let the responder answer and change that."""


class ModelServices:
    """Answers calls, and keeps them in `calls`. Safe to use from several threads."""

    def __init__(self, responders: Mapping[Operation, Responder]) -> None:
        self.calls: list[Call] = []
        self._responders = responders
        self._plans: dict[Operation, deque[Step]] = {operation: deque() for operation in Operation}
        self._lock = Lock()

    def plan(self, operation: Operation, *steps: Step) -> None:
        """The next calls of that operation go by these steps, one each."""
        with self._lock:
            self._plans[operation].extend(steps)

    def of(self, operation: Operation) -> list[Call]:
        """The calls of that operation so far."""
        with self._lock:
            return [call for call in self.calls if call.operation is operation]

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        call = parse_call(path, headers, body)
        if call is None or call.operation not in self._responders:
            return error_reply(404, "UnknownOperationException")
        with self._lock:
            self.calls.append(call)
            plan = self._plans[call.operation]
            step = plan.popleft() if plan else None
        responder = self._responders[call.operation]
        return responder(call) if step is None else step(call, responder)


@contextmanager
def serving(services: ModelServices, port: int = 0) -> Iterator[str]:
    """The server's URL on this machine while the block runs; port 0 takes a free one."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(services))
    server.daemon_threads = True
    with running(server):
        yield f"http://127.0.0.1:{server.server_port}"


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[None]:
    """The server answers while the block runs."""
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(services: ModelServices) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            reply = services.answer(self.path.partition("?")[0], dict(self.headers), body)
            time.sleep(reply.delay_seconds)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body[: reply.sent])
            if reply.sent is not None:
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:  # the client did not wait for a late answer
                return

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: requests hold texts of users."""

    return Handler
