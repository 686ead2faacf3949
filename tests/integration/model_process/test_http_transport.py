"""The transport against a server that behaves badly in every way a server can."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cognis_memory.adapters.model_server import HttpTransport, Refused, Unavailable

OK = (200, b"[]")


class BadServer(ThreadingHTTPServer):
    """Answers each request with the next of `script`, the last one again and again; None hangs up."""

    def __init__(self, *script: tuple[int, bytes] | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = list(script)
        self.bodies: list[bytes] = []
        self.stall = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: BadServer

    def do_POST(self) -> None:
        self.server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        answer = self.server.script.pop(0) if len(self.server.script) > 1 else self.server.script[0]
        if answer is None:
            self.close_connection = True
            return
        status, body = answer
        if status == 0:
            self.server.stall.wait(10)
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Retry-After", "3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def serve() -> Iterator[object]:
    servers: list[BadServer] = []

    def start(*script: tuple[int, bytes] | None) -> BadServer:
        server = BadServer(*script)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return server

    yield start
    for server in servers:
        server.stall.set()
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("passing", [(429, b""), (503, b""), (502, b"")])
def test_tries_again_what_may_pass(serve, passing: tuple[int, bytes]) -> None:
    server = serve(passing, passing, OK)
    assert HttpTransport(server.url).post("/embed", b"{}") == b"[]"
    assert len(server.bodies) == 3


def test_gives_up_after_some_tries_and_says_it_may_pass(serve) -> None:
    server = serve((429, b'{"error": "secret", "error_type": "Overloaded"}'))
    with pytest.raises(Unavailable, match="429 Overloaded") as caught:
        HttpTransport(server.url, retries=2).post("/embed", b"{}")
    assert "secret" not in str(caught.value)
    assert len(server.bodies) == 3


def test_a_lost_answer_is_asked_for_once_more(serve) -> None:
    server = serve(None, OK)
    assert HttpTransport(server.url).post("/embed", b"{}") == b"[]"
    assert len(server.bodies) == 2


def test_a_server_that_always_hangs_up_is_unavailable(serve) -> None:
    server = serve(None)
    with pytest.raises(Unavailable):
        HttpTransport(server.url).post("/embed", b"{}")
    assert len(server.bodies) <= 4


@pytest.mark.parametrize("status", [424, 500, 504])
def test_a_failing_server_is_unavailable(serve, status: int) -> None:
    server = serve((status, b"<html>"))
    with pytest.raises(Unavailable, match=str(status)):
        HttpTransport(server.url).post("/embed", b"{}")
    assert len(server.bodies) == 1


@pytest.mark.parametrize("status", [400, 404, 413, 422, 301])
def test_what_the_server_does_not_take_is_not_sent_again(serve, status: int) -> None:
    server = serve((status, b'{"error": "`inputs` secret", "error_type": "Validation"}'))
    with pytest.raises(Refused, match=f"{status} Validation") as caught:
        HttpTransport(server.url).post("/embed", b"{}")
    assert "secret" not in str(caught.value)
    assert len(server.bodies) == 1


def test_does_not_wait_for_ever(serve) -> None:
    server = serve((0, b""))
    with pytest.raises(Unavailable):
        HttpTransport(server.url, read_seconds=0.2, retries=0).post("/embed", b"{}")


def test_nobody_there_is_unavailable(serve) -> None:
    server = serve(OK)
    url = server.url
    server.shutdown()
    server.server_close()
    with pytest.raises(Unavailable):
        HttpTransport(url, retries=1).post("/embed", b"{}")


def test_finds_the_server_anew_when_it_has_moved(serve) -> None:
    first, second = serve(OK), serve(OK)
    urls = [first.url, second.url]
    transport = HttpTransport(lambda: urls[0], retries=1)
    transport.post("/embed", b"1")
    transport.post("/embed", b"2")
    first.shutdown()
    first.server_close()
    del urls[0]
    transport.close()  # kept connections would still reach the closed server's threads
    assert transport.post("/embed", b"3") == b"[]"
    assert (first.bodies, second.bodies) == ([b"1", b"2"], [b"3"])


def test_is_safe_to_share(serve) -> None:
    server = serve(OK)
    transport = HttpTransport(server.url)
    threads = [threading.Thread(target=transport.post, args=("/embed", str(n).encode())) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(body) for body in server.bodies) == list(range(20))
