"""Judges requests to an OpenSearch node as IAM does those to a domain of Amazon OpenSearch Service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import urllib3

from cognis_local.model_services.server import running

Permission = tuple[str, str]
"""An action and the path that it is allowed on, in which `*` stands for anything."""

_KEPT_HEADERS = ("Content-Type",)


class SearchGate:
    """Passes on what the permissions allow and answers 403 to all else; `used` are those that it needed."""

    def __init__(self, node: str, permissions: Iterable[Permission]) -> None:
        self.permissions = frozenset(permissions)
        self.used: set[Permission] = set()
        self._node = node
        self._pool = urllib3.PoolManager(maxsize=10)

    def answer(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the answer to one request."""
        action, path = f"es:ESHttp{method.capitalize()}", unquote(urlsplit(target).path)
        allowing = {(a, p) for a, p in self.permissions if a == action and fnmatchcase(path, p)}
        if not allowing:
            refusal = {"Message": f"not authorized to perform: {action} on {path}"}
            return 403, {"Content-Type": "application/json"}, json.dumps(refusal).encode()
        self.used |= allowing
        answer = self._pool.request(method, self._node + target, body=body, headers=headers, retries=False)
        kept = {name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers}
        return answer.status, kept, answer.data


@contextmanager
def listening(gate: SearchGate) -> Iterator[str]:
    """The URL of the gate, while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: self.headers[name] for name in _KEPT_HEADERS if name in self.headers}
            status, answered, content = gate.answer(self.command, self.path, headers, body)
            self.send_response(status)
            for name, value in {**answered, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _handle  # noqa: N815 - http.server's names

        def log_message(self, format: str, *args: object) -> None:
            """Requests are counted, not logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with running(server):
        yield f"http://127.0.0.1:{server.server_port}"
