"""Extraction by a server that speaks OpenAI's API, through the adapter for Bedrock."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from aws_clients import client
from chats import asking

from cognis_local.model_services import ModelServices, Operation, serving
from cognis_local.model_services.openai_bridge import OpenAIBridge
from cognis_memory.adapters.bedrock.extraction import BedrockExtractor, StructuredOutput
from cognis_memory.errors import CognisError, ContentBlocked, ExtractionFailed, ExtractionUnavailable

FACT = {"operation": "ADD", "label": None, "message": 0, "content": "Ana likes tea", "slot": None}
FACT |= {
    "category": "dietary",
    "subject": "Ana",
    "from": None,
    "to": None,
    "lapses": False,
    "retracts": False,
}

Answer = Callable[[dict[str, Any]], tuple[int, Any]]


def completion(text: str | None, reason: str = "stop") -> tuple[int, Any]:
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": reason}]
    return 200, {"choices": choices, "usage": {"prompt_tokens": 900, "completion_tokens": 40}}


FACTS = completion(json.dumps({"facts": [FACT]}))


class ChatServer(ThreadingHTTPServer):
    """Answers each request as `answer` says."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: Answer = lambda request: FACTS
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        self.server.paths.append(self.path)
        status, answer = self.server.answer(request)
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """The tests look at the requests."""


@pytest.fixture
def server() -> Iterator[ChatServer]:
    server = ChatServer()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def bridge(server: ChatServer) -> Iterator[str]:
    url = f"http://127.0.0.1:{server.server_port}/v1"
    with serving(ModelServices({Operation.CONVERSE: OpenAIBridge(url, "small")})) as bridge:
        yield bridge


@pytest.fixture
def extractor(bridge: str) -> BedrockExtractor:
    return BedrockExtractor(client("bedrock-runtime", bridge), "local")


def test_a_model_extracts_through_the_adapter(server: ChatServer, extractor: BedrockExtractor) -> None:
    extraction = extractor.extract(asking("I like tea."))

    assert [fact.content for fact in extraction.facts] == ["Ana likes tea"]
    assert (extraction.usage.input_tokens, extraction.usage.output_tokens) == (900, 40)
    (request,) = server.requests
    assert server.paths == ["/v1/chat/completions"]
    assert (request["model"], request["max_tokens"], request["temperature"]) == ("small", 4_096, 0)
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert "I like tea." in request["messages"][1]["content"]
    form = request["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
    assert form["json_schema"]["schema"]["required"] == ["facts"]


def test_a_server_that_takes_another_form_is_asked_so_from_then_on(
    server: ChatServer, extractor: BedrockExtractor
) -> None:
    def answer(request: dict[str, Any]) -> tuple[int, Any]:
        is_object = request["response_format"]["type"] == "json_object"
        return FACTS if is_object else (422, {"detail": "unknown response_format"})

    server.answer = answer

    for _ in range(2):
        assert extractor.extract(asking("I like tea.")).facts
    forms = [request["response_format"]["type"] for request in server.requests]
    assert forms == ["json_schema", "json_object", "json_object"]
    assert server.requests[-1]["response_format"]["schema"]["required"] == ["facts"]


def test_a_repair_goes_on_with_the_conversation(server: ChatServer, extractor: BedrockExtractor) -> None:
    server.answer = lambda request: FACTS if len(request["messages"]) > 2 else completion("Sure!")

    assert extractor.extract(asking("I like tea.")).facts
    roles = [message["role"] for message in server.requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize(
    ("answer", "becomes"),
    [
        ((429, {"error": {"message": "busy"}}), ExtractionUnavailable),
        ((500, {"error": {"message": "broken"}}), ExtractionUnavailable),
        ((200, b"<html>"), ExtractionUnavailable),
        ((404, {"error": {"message": "no such model"}}), ExtractionFailed),
        (completion("No.", "content_filter"), ContentBlocked),
        (completion(None), ExtractionFailed),
    ],
)
def test_what_the_server_refuses_is_what_bedrock_would_refuse(
    server: ChatServer, extractor: BedrockExtractor, answer: tuple[int, Any], becomes: type[CognisError]
) -> None:
    server.answer = lambda request: answer

    with pytest.raises(CognisError) as raised:
        extractor.extract(asking("I like tea."))
    assert type(raised.value) is becomes


@pytest.mark.parametrize(
    "answer",
    [
        completion('{"facts": [', "length"),
        (400, {"error": {"message": "This model's maximum context length is 4096 tokens."}}),
    ],
)
def test_a_model_without_tokens_left_is_asked_for_less(
    server: ChatServer, extractor: BedrockExtractor, answer: tuple[int, Any]
) -> None:
    def by_length(request: dict[str, Any]) -> tuple[int, Any]:
        return (
            answer
            if request["messages"][1]["content"].count('"message":') > 1
            else completion('{"facts": []}')
        )

    server.answer = by_length

    assert extractor.extract(asking("One.", "Two.")).facts == ()


def test_tools_are_refused(bridge: str) -> None:
    extractor = BedrockExtractor(client("bedrock-runtime", bridge), "local", output=StructuredOutput.TOOL)

    with pytest.raises(ExtractionFailed):
        extractor.extract(asking("I like tea."))
