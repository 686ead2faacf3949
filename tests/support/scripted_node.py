"""An OpenSearch node that answers some requests as a script says and passes on the rest."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any, Final

import urllib3

from cognis_local.model_services.server import running

_JSON: Final = "application/json; charset=UTF-8"

MALFORMED: Final = {"type": "mapper_parsing_exception", "reason": "failed to parse a field"}
OVERTAKEN: Final = {"type": "version_conflict_engine_exception", "reason": "another was first"}
REJECTED: Final = {"type": "rejected_execution_exception", "reason": "the queue is full"}


@dataclass(frozen=True, slots=True)
class Request:
    """One that arrived; `at` is when, by the monotonic clock."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    at: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class Reply:
    """`sent`: how many bytes of the body are sent before the connection is cut; None: all, and it stays."""

    status: int
    body: bytes
    content_type: str = _JSON
    sent: int | None = None


Node = Callable[[Request], Reply]
"""Answers as the node itself."""

Step = Callable[[Request, Node], Reply]


class ScriptedNode:
    """`plan` says what becomes of the next requests with `part` in their path; after it they are passed on.

    `planned` are those requests, `requests` all.
    """

    def __init__(self, node: str) -> None:
        self.requests: list[Request] = []
        self.planned: list[Request] = []
        self._node = node
        self._part = ""
        self._steps: list[Step] = []
        self._lock = Lock()
        self._pool = urllib3.PoolManager(maxsize=10)

    def plan(self, part: str, *steps: Step) -> None:
        self._part, self._steps = part, list(steps)
        self.planned.clear()

    def reply(self, request: Request) -> Reply:
        """What the request is answered."""
        step = self._next(request)
        return self._ask(request) if step is None else step(request, self._ask)

    def close(self) -> None:
        self._pool.clear()

    def _next(self, request: Request) -> Step | None:
        with self._lock:
            self.requests.append(request)
            if self._part not in request.target.split("?")[0]:
                return None
            self.planned.append(request)
            return self._steps.pop(0) if self._steps else None

    def _ask(self, request: Request) -> Reply:
        headers = {"Content-Type": request.headers.get("Content-Type", _JSON)}
        url = self._node + request.target
        answer = self._pool.request(request.method, url, body=request.body, headers=headers, retries=False)
        return Reply(answer.status, answer.data)


def answering(status: int, body: Mapping[str, Any] | None = None) -> Step:
    """Nothing is done."""
    content = json.dumps(body or {"error": {"type": "some_exception"}, "status": status}).encode()
    return lambda request, node: Reply(status, content)


def saying(content: bytes, content_type: str) -> Step:
    """Status 200 and something that is not OpenSearch's."""
    return lambda request, node: Reply(200, content, content_type)


def late(seconds: float) -> Step:
    """What was asked for is done, and the answer comes late."""

    def step(request: Request, node: Node) -> Reply:
        reply = node(request)
        time.sleep(seconds)
        return reply

    return step


def cut(sent: int) -> Step:
    """What was asked for is done, and the connection ends after so many bytes of the answer's body."""

    def step(request: Request, node: Node) -> Reply:
        reply = node(request)
        return Reply(reply.status, reply.body, sent=sent)

    return step


def refusing(status: int, error: Mapping[str, str], *places: int) -> Step:
    """Of a bulk request the items at these places are not done, and answered so; the others are done."""

    def step(request: Request, node: Node) -> Reply:
        actions = _actions(request.body)
        done = b"".join(b"".join(lines) for place, lines in enumerate(actions) if place not in places)
        passed_on = Request(request.method, request.target, request.headers, done)
        items = json.loads(node(passed_on).body)["items"] if done else []
        index = next((outcome["_index"] for item in items for outcome in item.values()), "")
        refused = {"index": {"_index": index, "status": status, "error": dict(error)}}
        remaining = iter(items)
        merged = [refused if place in places else next(remaining) for place in range(len(actions))]
        return Reply(200, json.dumps({"took": 1, "errors": True, "items": merged}).encode())

    return step


def _actions(body: bytes) -> list[list[bytes]]:
    """The lines of each action: a deletion has one, the others two."""
    lines = iter(body.splitlines(keepends=True))
    return [[line] if b'{"delete"' in line else [line, next(lines)] for line in lines]


@contextmanager
def scripted(node: str, certificate: Path | None = None) -> Iterator[tuple[ScriptedNode, str]]:
    """A scripted node before that one, and its URL, while the block runs; https with a certificate."""
    script = ScriptedNode(node)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    server.daemon_threads = True
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    try:
        with running(server):
            yield script, f"{'http' if certificate is None else 'https'}://127.0.0.1:{server.server_port}"
    finally:
        script.close()


def _handler(script: ScriptedNode) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            reply = script.reply(Request(self.command, self.path, dict(self.headers), body))
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body[: reply.sent])
            if reply.sent is not None:
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _handle  # noqa: N815 - http.server's names

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:  # the client did not wait for a late answer
                return

        def log_message(self, format: str, *args: object) -> None:
            """The tests look at the requests."""

    return Handler
