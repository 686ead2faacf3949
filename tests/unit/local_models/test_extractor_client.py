import pytest

from cognis_local.extraction import RulesExtractor
from cognis_local.models.extraction_wire import decode_request, encode_extraction
from cognis_local.models.extractor_client import ExtractorClient
from cognis_memory.adapters.model_server import Refused, Unavailable
from cognis_memory.errors import CognisError, ExtractionFailed, ExtractionUnavailable
from cognis_memory.models.event import Notice
from cognis_memory.models.extraction import Extraction, ExtractionRequest

_ANSWER = Extraction((), notices=(Notice(code="instructions_ignored"),))
_REQUEST = ExtractionRequest((), instructions="secret wish")


class FakeServer:
    """A transport to a process that always answers the same, or fails."""

    def __init__(self, answer: bytes | Exception) -> None:
        self.answer = answer
        self.requests: list[tuple[str, ExtractionRequest]] = []

    def post(self, route: str, body: bytes) -> bytes:
        self.requests.append((route, decode_request(body)))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_sends_the_request_and_reads_the_answer() -> None:
    server = FakeServer(encode_extraction(_ANSWER))
    assert ExtractorClient(server).extract(_REQUEST) == _ANSWER
    assert server.requests == [("/extract", _REQUEST)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Unavailable("the model server answered 429"), ExtractionUnavailable),
        (Refused("the model server answered 422"), ExtractionFailed),
        (b"", ExtractionFailed),
        (b"<html>", ExtractionFailed),
        (b'{"facts": "secret"}', ExtractionFailed),
        (b'{"facts": [], "secret": 1}', ExtractionFailed),
    ],
)
def test_failures_are_transient_or_permanent(answer: bytes | Exception, expected: type[CognisError]) -> None:
    with pytest.raises(expected) as caught:
        ExtractorClient(FakeServer(answer)).extract(_REQUEST)
    assert "secret" not in str(caught.value)


def test_text_that_cannot_travel_is_a_failure_before_it_travels() -> None:
    server = FakeServer(b"")
    with pytest.raises(ExtractionFailed) as caught:
        ExtractorClient(server).extract(ExtractionRequest((), instructions="secret \ud800"))
    assert "secret" not in str(caught.value)
    assert server.requests == []


def test_takes_as_many_messages_at_a_time_as_the_rules_do() -> None:
    assert ExtractorClient(FakeServer(b"")).chunk_messages == RulesExtractor().chunk_messages
