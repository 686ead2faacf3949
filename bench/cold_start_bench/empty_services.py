"""The services that a search asks, holding nothing: what is measured is the process that asks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cognis_local.model_services.server import running

_VECTOR = {"embedding": [1.0, *[0.0] * 1023], "inputTextTokenCount": 7}
_SECRET = {"SecretString": "0" * 64}
_NO_ITEMS = {"Items": [], "Count": 0, "ScannedCount": 0, "Responses": {}, "UnprocessedKeys": {}}
_NO_HITS = {"responses": [{"took": 1, "hits": {"hits": []}}] * 2}
_NEW_INDEX = {"memories": {"mappings": {}}}
_MISSING = "<Error><Code>NoSuchKey</Code></Error>"
_NO_OBJECTS = "<ListBucketResult/>"


@contextmanager
def empty_services() -> Iterator[str]:
    """The URL of them all while the block runs: DynamoDB, S3, Secrets Manager, Titan and OpenSearch."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    with running(server):
        yield f"http://127.0.0.1:{server.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.endswith("/invoke"):
            self._answer(200, _VECTOR)
        elif self.path.endswith("/_msearch"):
            self._answer(200, _NO_HITS)
        elif self.path.partition("?")[0].endswith("/_count"):
            self._answer(200, {"count": 0})
        else:
            is_secret = self.headers.get("X-Amz-Target", "").startswith("secretsmanager")
            self._answer(200, _SECRET if is_secret else _NO_ITEMS)

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(200, "")

    def do_GET(self) -> None:
        if self.path.endswith("/_mapping"):
            self._answer(200, _NEW_INDEX)
        elif "/_doc/" in self.path:
            self._answer(404, {"found": False})
        elif "list-type" in self.path:
            self._answer(200, _NO_OBJECTS)
        else:
            self._answer(404, _MISSING)

    def _answer(self, status: int, content: str | dict[str, Any]) -> None:
        body = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")  # boto3 does not look at it
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""
