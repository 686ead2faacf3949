from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cognis_local.models.extraction_wire import (
    decode_extraction,
    decode_request,
    encode_extraction,
    encode_request,
)
from cognis_memory.models.event import Notice, Usage
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Operation, Role, Scope

_TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30)
_ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_TIMES = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=_ZONES)  # noqa: DTZ001
_SCALARS = st.one_of(_TEXT, st.integers(), st.booleans(), st.floats(allow_nan=False, allow_infinity=False))
_MESSAGES = st.builds(
    Message,
    id=_TEXT,
    tenant_id=_TEXT,
    user_id=_TEXT,
    event_id=_TEXT,
    position=st.integers(0, 500),
    role=st.sampled_from(Role),
    speaker=_TEXT,
    content=_TEXT,
    timestamp=_TIMES,
    event_time=st.none() | _TIMES,
    scope=st.sampled_from(Scope),
    context_id=st.none() | _TEXT,
    metadata=st.dictionaries(_TEXT, _SCALARS | st.lists(_SCALARS, max_size=2), max_size=2),
    preceding=st.lists(_TEXT, max_size=2).map(tuple),
    created_at=_TIMES,
)
_MEMORIES = st.builds(
    LabelledMemory,
    label=st.integers(1, 10),
    content=_TEXT,
    category=st.sampled_from(Category),
    subject=_TEXT,
    slot=st.none() | _TEXT,
    timestamp=st.none() | _TIMES,
)
_REQUESTS = st.builds(
    ExtractionRequest,
    messages=st.lists(_MESSAGES, max_size=2).map(tuple),
    turns_before=st.lists(_MESSAGES, max_size=2).map(tuple),
    similar=st.lists(_MEMORIES, max_size=2).map(tuple),
    instructions=st.none() | _TEXT,
)
_FACTS = st.builds(
    ExtractedFact,
    operation=st.sampled_from(Operation),
    content=_TEXT,
    category=st.sampled_from(Category),
    message_index=st.integers(0, 3),
    label=st.none() | st.integers(1, 10),
    subject=_TEXT,
    slot=st.none() | _TEXT,
    speaker=st.none() | _TEXT,
    event_time=st.none() | _TIMES,
    event_end=st.none() | _TIMES,
)
_EXTRACTIONS = st.builds(
    Extraction,
    facts=st.lists(_FACTS, max_size=3).map(tuple),
    usage=st.builds(Usage, llm_calls=st.integers(0, 5), estimated_cost_usd=st.floats(0, 1)),
    notices=st.lists(st.builds(Notice, code=_TEXT, message_id=st.none() | _TEXT), max_size=2).map(tuple),
)


@given(_REQUESTS)
def test_requests_arrive_as_they_were_sent(request: ExtractionRequest) -> None:
    assert decode_request(encode_request(request)) == request


@given(_EXTRACTIONS)
def test_extractions_arrive_as_they_were_made(extraction: Extraction) -> None:
    assert decode_extraction(encode_extraction(extraction)) == extraction


@given(_FACTS, _ZONES)
def test_times_keep_their_offset(fact: ExtractedFact, zone: timezone) -> None:
    local = replace(fact, event_time=datetime(2026, 7, 8, tzinfo=UTC).astimezone(zone))
    arrived = decode_extraction(encode_extraction(Extraction((local,)))).facts[0].event_time
    assert arrived is not None
    assert arrived.utcoffset() == zone.utcoffset(None)


@pytest.mark.parametrize(
    "answer",
    [b"", b"[]", b"{}", b'{"facts": null}', b'{"facts": [{}]}', b'{"facts": [], "more": 1}',
     b'{"facts": [{"operation": "ADD", "content": "x", "category": "food", "message_index": 0}]}',
     b'{"facts": [{"operation": "ADD", "content": "x", "category": "health", "message_index": "0"}]}',
     b'{"facts": [{"operation": "ADD", "content": "x", "category": "health", "message_index": 0, "z": 1}]}'],
)  # fmt: skip
def test_refuses_what_is_no_extraction(answer: bytes) -> None:
    with pytest.raises(ValidationError):
        decode_extraction(answer)


def test_text_that_utf8_cannot_carry_is_not_sent() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        encode_request(ExtractionRequest((), instructions="\ud800"))
