"""A server of OpenAI's chat completions whose answers a test decides."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

from cognis_local.model_services.server import running

Reply = tuple[int, Any]
Responder = Callable[[dict[str, Any]], Reply]


def said(text: str, *, counted: bool = True, reason: str = "stop") -> Reply:
    """A completion; where it is `counted`, of 900 tokens in and 40 out."""
    usage = {"prompt_tokens": 900, "completion_tokens": 40} if counted else None
    message = {"role": "assistant", "content": text}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": reason}]}
    return 200, body if usage is None else body | {"usage": usage}


class ChatServer(ThreadingHTTPServer):
    """Answers each completion as `respond` says, and lists `models`. Keeps the requests."""

    daemon_threads = True

    def __init__(self, respond: Responder) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.respond = respond
        self.models = ["small"]
        self.requests: list[dict[str, Any]] = []
        self.lock = Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


@contextmanager
def chat_server(respond: Responder) -> Iterator[ChatServer]:
    server = ChatServer(respond)
    with running(server):
        yield server


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_GET(self) -> None:
        self._send(200, {"object": "list", "data": [{"id": name} for name in self.server.models]})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append(request)
        self._send(*self.server.respond(request))

    def _send(self, status: int, answer: Any) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """The tests look at the requests."""
