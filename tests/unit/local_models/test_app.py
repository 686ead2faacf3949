import io
import json
from collections.abc import Sequence
from wsgiref.util import setup_testing_defaults

import numpy as np
import pytest

from cognis_local.models.app import MAX_BODY_BYTES, MAX_EXTRACTION_BYTES, Gate, ModelApp
from cognis_local.models.errors import LocalModelsMissing
from cognis_local.models.extraction_wire import decode_extraction
from cognis_local.models.wire import ServerInfo
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest
from cognis_memory.models.values import Category, Operation

_INFO = ServerInfo(
    model_id="local/fake",
    reranker_model_id="local/fake-rerank",
    max_concurrent_requests=2,
    max_input_length=5,
    max_client_batch_size=4,
    version="1",
    instance="i",
)


class FakeModels:
    """Words are tokens; a text's vector and log-odds come from its length."""

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[3.0, 4.0, float(len(text))] for text in texts], dtype=np.float32) / 5

    def rerank(self, query: str, texts: Sequence[str]) -> np.ndarray:
        return np.array([len(text) - len(query) for text in texts], dtype=np.float64)


class FakeExtractor:
    """Takes every message for a fact."""

    chunk_messages = 2

    def extract(self, request: ExtractionRequest) -> Extraction:
        return Extraction(
            tuple(
                ExtractedFact(Operation.ADD, message.content, Category.HEALTH, index, speaker=message.speaker)
                for index, message in enumerate(request.messages)
            )
        )


class Answer:
    def __init__(self, app: ModelApp, method: str, path: str, body: bytes, content_type: str) -> None:
        environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "CONTENT_TYPE": content_type}
        environ |= {"CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}
        setup_testing_defaults(environ)
        self.body = b"".join(app(environ, self._start))

    def _start(self, status: str, headers: list[tuple[str, str]]) -> None:
        self.status = int(status[:3])
        self.headers = dict(headers)

    @property
    def error_type(self) -> str:
        return json.loads(self.body)["error_type"]


@pytest.fixture
def gate() -> Gate:
    return Gate(limit=2)


@pytest.fixture
def extraction_gate() -> Gate:
    return Gate(limit=1)


@pytest.fixture
def app(gate: Gate, extraction_gate: Gate) -> ModelApp:
    return ModelApp(FakeModels(), FakeExtractor(), _INFO, gate, extraction_gate)


def message(**fields: object) -> dict[str, object]:
    """The least that a message's JSON holds."""
    ids = {"id": "m", "tenant_id": "t", "user_id": "u", "event_id": "e", "position": 0}
    said = {"role": "user", "speaker": "Ana", "content": "I like 抹茶"}
    times = {"timestamp": "2026-07-08T11:00:00Z", "created_at": "2026-07-08T11:00:00Z"}
    return {**ids, **said, **times, **fields}


def held(**fields: object) -> dict[str, object]:
    return {"label": 1, "content": "Ana is well", "category": "health", **fields}


def post(app: ModelApp, path: str, payload: object, content_type: str = "application/json") -> Answer:
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Answer(app, "POST", path, body, content_type)


def get(app: ModelApp, path: str) -> Answer:
    return Answer(app, "GET", path, b"", "")


def test_embeds_one_text_or_several(app: ModelApp) -> None:
    assert json.loads(post(app, "/embed", {"inputs": "x"}).body) == [[pytest.approx(v, abs=1e-6) for v in (
        3 / np.sqrt(26), 4 / np.sqrt(26), 1 / np.sqrt(26))]]  # fmt: skip
    assert len(json.loads(post(app, "/embed", {"inputs": ["x", "yy"]}).body)) == 2


def test_cuts_to_the_dimensions_asked_for(app: ModelApp) -> None:
    cut = json.loads(post(app, "/embed", {"inputs": "x", "dimensions": 2}).body)
    np.testing.assert_allclose(cut, [[0.6, 0.8]], atol=1e-7)
    raw = json.loads(post(app, "/embed", {"inputs": "x", "dimensions": 1, "normalize": False}).body)
    np.testing.assert_allclose(raw, [[0.6]], atol=1e-7)


def test_ranks_best_first_with_probabilities(app: ModelApp) -> None:
    ranks = json.loads(post(app, "/rerank", {"query": "ab", "texts": ["a", "abcd", "ab"]}).body)
    assert [rank["index"] for rank in ranks] == [1, 2, 0]
    assert ranks[1]["score"] == pytest.approx(0.5)
    assert all(0 < rank["score"] < 1 and "text" not in rank for rank in ranks)


def test_gives_raw_scores_and_texts_on_request(app: ModelApp) -> None:
    request = {"query": "ab", "texts": ["東京", "abcd"], "raw_scores": True, "return_text": True}
    assert json.loads(post(app, "/rerank", request).body) == [
        {"index": 1, "score": 2.0, "text": "abcd"},
        {"index": 0, "score": 0.0, "text": "東京"},
    ]


def test_tells_about_itself_and_that_it_is_well(app: ModelApp) -> None:
    info = json.loads(get(app, "/info").body)
    assert info["model_id"] == "local/fake"
    assert info["max_client_batch_size"] == 4
    assert (get(app, "/health").status, get(app, "/health").body) == (200, b"")


@pytest.mark.parametrize(
    ("path", "payload", "status", "error_type"),
    [
        ("/embed", {"inputs": []}, 400, "Empty"),
        ("/embed", {"inputs": ""}, 400, "Empty"),
        ("/embed", {"inputs": ["a", ""]}, 400, "Empty"),
        ("/embed", {"inputs": ["a"] * 5}, 422, "Validation"),
        ("/embed", {"inputs": [[1, 2, 3]]}, 422, "Validation"),
        ("/embed", {"inputs": "a", "dimensions": 0}, 422, "Validation"),
        ("/embed", {"inputs": "a", "dimensions": 4}, 422, "Validation"),
        ("/embed", {"inputs": "a", "prompt_name": "query"}, 422, "Validation"),
        ("/embed", {"inputs": "a", "truncation_direction": "left"}, 422, "Validation"),
        ("/embed", {"inputs": "one two three four five six", "truncate": False}, 422, "Validation"),
        ("/embed", {}, 422, "Validation"),
        ("/embed", b"{not json", 422, "Validation"),
        ("/embed", b'{"inputs": "\\ud800"}', 422, "Validation"),
        ("/embed", b"x" * (MAX_BODY_BYTES + 1), 413, "Validation"),
        ("/rerank", {"query": "q", "texts": []}, 400, "Empty"),
        ("/rerank", {"query": "q", "texts": ["a"] * 5}, 422, "Validation"),
        ("/rerank", {"query": 1, "texts": ["a"]}, 422, "Validation"),
        ("/rerank", {"query": "1 2 3 4 5 6", "texts": ["a"], "truncate": False}, 422, "Validation"),
    ],
)  # fmt: skip
def test_refuses_in_the_servers_own_words(
    app: ModelApp, path: str, payload: object, status: int, error_type: str
) -> None:
    answer = post(app, path, payload)
    assert (answer.status, answer.error_type) == (status, error_type)
    assert answer.headers["Content-Type"] == "application/json"


def test_cuts_long_texts_unless_told_not_to(app: ModelApp) -> None:
    long = "one two three four five six"
    assert post(app, "/embed", {"inputs": long}).status == 200
    assert post(app, "/embed", {"inputs": long, "truncate": True}).status == 200


def test_refuses_other_routes_methods_and_media(app: ModelApp) -> None:
    assert get(app, "/nothing").status == 404
    assert get(app, "/embed").status == 405
    assert post(app, "/health", {}).status == 405
    assert post(app, "/embed", {"inputs": "a"}, content_type="text/plain").status == 415
    assert post(app, "/embed", {"inputs": "a"}, content_type="application/json; charset=utf-8").status == 200


def test_says_when_it_is_overloaded_and_recovers(app: ModelApp, gate: Gate) -> None:
    with gate, gate:
        answer = post(app, "/embed", {"inputs": "a"})
        assert (answer.status, answer.error_type) == (429, "Overloaded")
        assert get(app, "/health").status == 200
    assert post(app, "/embed", {"inputs": "a"}).status == 200


def test_says_when_its_models_fail(gate: Gate) -> None:
    class Missing(FakeModels):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            raise LocalModelsMissing("install it")

        def rerank(self, query: str, texts: Sequence[str]) -> np.ndarray:
            return np.full(len(texts), np.nan)

    app = ModelApp(Missing(), FakeExtractor(), _INFO, gate, gate)
    for answer in (
        post(app, "/embed", {"inputs": "a"}),
        post(app, "/rerank", {"query": "q", "texts": ["a"]}),
    ):
        assert (answer.status, answer.error_type) == (424, "Backend")


def test_refusals_quote_nothing_and_log_nothing_of_the_request(
    app: ModelApp, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("DEBUG"):
        for payload in ({"inputs": ["secret words"] * 5}, {"inputs": {"secret words": 1}}, b'{"secret words'):
            answer = post(app, "/embed", payload)
            assert b"secret" not in answer.body
        for fields in (
            {"secret": 1},
            {"metadata": {"secret words": {}}},
            {"role": "secret"},
            {"links": "secret"},
        ):
            answer = post(app, "/extract", {"messages": [message(**fields)]})
            assert answer.status == 422
            assert b"secret" not in answer.body
    assert caplog.records
    assert "secret" not in caplog.text


def test_knows_how_long_nobody_asked() -> None:
    now = [0.0]
    gate = Gate(limit=1, clock=lambda: now[0])
    now[0] = 7.0
    assert gate.idle_seconds() == 7.0
    with gate:
        now[0] = 9.0
        assert gate.idle_seconds() == 0.0
    now[0] = 10.5
    assert gate.idle_seconds() == 1.5


def test_extracts_what_was_said(app: ModelApp) -> None:
    request = {
        "messages": [message(), message(speaker="健")],
        "turns_before": [message()],
        "similar": [held()],
    }
    answer = post(app, "/extract", request)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    facts = decode_extraction(answer.body).facts
    assert [(fact.content, fact.speaker) for fact in facts] == [("I like 抹茶", "Ana"), ("I like 抹茶", "健")]


@pytest.mark.parametrize(
    ("payload", "status", "fault"),
    [
        (b"", 422, "body: json_invalid"),
        (b"{not json", 422, "body: json_invalid"),
        (b"\xff", 422, "body: json_invalid"),
        ([], 422, "body: dataclass_type"),
        ({}, 422, "messages: missing"),
        ({"messages": []}, 400, "`messages` cannot be empty"),
        ({"messages": [message()] * 3}, 422, "batch size 3 > maximum allowed batch size 2"),
        ({"messages": message()}, 422, "messages: tuple_type"),
        ({"messages": ["hello"]}, 422, "messages.0: model_type"),
        ({"messages": [message()], "model": "x"}, 422, "body: unexpected_keyword_argument"),
        ({"messages": [message(mood="x")]}, 422, "messages.0: extra_forbidden"),
        ({"messages": [message(content=1)]}, 422, "messages.0.content: string_type"),
        ({"messages": [message(position="0")]}, 422, "messages.0.position: int_type"),
        ({"messages": [message(role="robot")]}, 422, "messages.0.role: enum"),
        ({"messages": [message(timestamp=1)]}, 422, "messages.0.timestamp: datetime_type"),
        ({"messages": [message(timestamp="2026-07-08T11:00:00")]}, 422, "timezone_aware"),
        ({"messages": [message()], "turns_before": None}, 422, "turns_before: tuple_type"),
        ({"messages": [message()], "similar": [held(label="1")]}, 422, "similar.0.label: int_type"),
        ({"messages": [message()], "similar": [held(category="food")]}, 422, "similar.0.category: enum"),
        ({"messages": [message()], "similar": [held(age=3)]}, 422, "similar.0: unexpected_keyword_argument"),
        ({"messages": [message()], "instructions": 5}, 422, "instructions: string_type"),
        (b'{"messages": ["\\ud800"]}', 422, "body: json_invalid"),
        (b"x" * (MAX_EXTRACTION_BYTES + 1), 413, "bytes at most"),
    ],
)  # fmt: skip
def test_refuses_what_is_no_extraction_request(
    app: ModelApp, payload: object, status: int, fault: str
) -> None:
    answer = post(app, "/extract", payload)
    assert answer.status == status
    assert fault in json.loads(answer.body)["error"]


def test_tells_the_first_of_many_faults(app: ModelApp) -> None:
    answer = post(app, "/extract", {"messages": [1] * 10_000})
    assert (answer.status, answer.error_type) == (422, "Validation")
    assert json.loads(answer.body)["error"].endswith("messages.9: model_type; and 9990 more")


def test_extraction_takes_its_method_and_media_alone(app: ModelApp) -> None:
    assert get(app, "/extract").status == 405
    assert post(app, "/extract", {"messages": [message()]}, content_type="text/plain").status == 415


def test_takes_the_largest_request_that_ingestion_can_make(app: ModelApp) -> None:
    longest = "\N{CRICKET BAT AND BALL}" * 100_000
    request = {
        "messages": [message(content=longest)],
        "turns_before": [message(content=longest)] * 2,
        "similar": [held(content=longest)] * 10,
    }
    assert post(app, "/extract", json.dumps(request, ensure_ascii=False).encode()).status == 200


def test_extractions_and_models_do_not_turn_each_other_away(
    app: ModelApp, gate: Gate, extraction_gate: Gate
) -> None:
    extraction = {"messages": [message()]}
    with extraction_gate:
        assert post(app, "/extract", extraction).status == 429
        assert post(app, "/embed", {"inputs": "a"}).status == 200
    with gate, gate:
        assert post(app, "/embed", {"inputs": "a"}).status == 429
        assert post(app, "/extract", extraction).status == 200
