"""Requests that take longer to extract than one run lasts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from deployment import Deployment, owner_of
from fakes import ManualClock, SentenceExtractor

from cognis_memory.errors import ConfigurationError, ExtractionUnavailable, StaleEvent, StaleLease
from cognis_memory.models.extraction import Extraction, ExtractionRequest
from cognis_memory.services.ingestion import lease
from cognis_memory.services.ingestion.embed_and_commit_memories import embed_and_commit_memories
from cognis_memory.services.ingestion.extract_memories import CHUNK_TOKENS, RUN, extract_memories
from cognis_memory.services.ingestion.lease import acquire_user_lease
from cognis_memory.services.ingestion.proposals import load
from cognis_memory.services.ingestion.resolve_speakers_and_dates import resolve_speakers_and_dates
from cognis_memory.services.ingestion.state import LEASE_DURATION, IngestionState, LeaseAnswer
from cognis_memory.services.ingestion.store_messages import store_messages
from cognis_memory.services.memories.redaction import redact_messages
from cognis_memory.services.payload_keys import proposals_key

TOLD = [
    "My home is Tokyo.",
    "Note: likes tea.",
    "My home is Osaka.",
    "My tea is green.",
    "My home is Osaka.",
    "Forget my tea.",
    "Note: plays chess.",
]
OWNER = owner_of("ana")
CALL = RUN * 0.4
"""So three calls make a run."""


class Slow:
    """Takes its time for each chunk; `failing` calls, by number, end in an error instead."""

    def __init__(self, clock: ManualClock, *, chunk_messages: int = 1, failing: Sequence[int] = ()) -> None:
        self.chunk_messages = chunk_messages
        self.asked: list[str] = []
        self._clock = clock
        self._failing = set(failing)
        self._extractor = SentenceExtractor()

    def extract(self, request: ExtractionRequest) -> Extraction:
        self.asked += [message.content for message in request.messages]
        self._clock.advance(CALL)
        if len(self.asked) in self._failing:
            raise ExtractionUnavailable("the model is down")
        return self._extractor.extract(request)


def slow(deployment: Deployment, **options: Any) -> tuple[Deployment, Slow]:
    extractor = Slow(deployment.clock, **options)
    return deployment.with_(extractor=extractor), extractor


def to_lease(deployment: Deployment, told: Sequence[str] = TOLD) -> IngestionState:
    """A request that waits to be extracted, with its lease."""
    state = deployment.accept("ana", list(told))
    for stage in (store_messages, resolve_speakers_and_dates, acquire_user_lease):
        state = stage(deployment.ingestion, state)
    return state


def test_it_goes_on_where_the_last_run_ended_and_asks_nothing_twice(any_deployment: Deployment) -> None:
    at_once = any_deployment.add("bob", TOLD)
    deployment, extractor = slow(any_deployment)
    event = deployment.add("ana", TOLD)

    assert extractor.asked == TOLD
    assert [operation.operation for operation in event.operations] == [
        operation.operation for operation in at_once.operations
    ]
    assert sorted(deployment.texts("ana")) == sorted(deployment.texts("bob"))


def test_a_run_lasts_about_a_minute_and_leaves_a_draft(deployment: Deployment) -> None:
    deployment, extractor = slow(deployment)
    state = extract_memories(deployment.ingestion, to_lease(deployment))

    assert (state.extraction_left, state.proposals_key) == (True, None)
    assert extractor.asked == TOLD[:3]


def test_a_run_that_fails_repeats_its_own_chunks_alone(deployment: Deployment) -> None:
    deployment, extractor = slow(deployment, failing=[5])
    deployment.add("ana", TOLD)

    failed, repeated = TOLD[3:5], TOLD[3:]
    assert extractor.asked == [*TOLD[:3], *failed, *repeated]


def test_under_another_lease_it_begins_again(deployment: Deployment) -> None:
    """Another request may have changed what the draft was made beside."""
    deployment, extractor = slow(deployment)
    state = extract_memories(deployment.ingestion, to_lease(deployment))
    deployment.clock.advance(LEASE_DURATION + timedelta(seconds=1))
    deployment.with_(extractor=SentenceExtractor()).add("ana", "My home is Nara.")

    with pytest.raises(StaleLease):
        extract_memories(deployment.ingestion, state)
    del extractor.asked[:]
    state = acquire_user_lease(deployment.ingestion, state)
    assert not state.extraction_left
    while not state.proposals_key:
        state = extract_memories(deployment.ingestion, state)
    embed_and_commit_memories(deployment.ingestion, state)

    assert extractor.asked == TOLD
    assert sorted(deployment.texts("ana")) == ["The home is Nara", "likes tea", "plays chess"]


def test_a_run_whose_answer_was_lost_is_not_paid_again(deployment: Deployment) -> None:
    deployment, extractor = slow(deployment)
    state = to_lease(deployment)
    while state.proposals_key is None:
        given, state = state, extract_memories(deployment.ingestion, state)

    assert extract_memories(deployment.ingestion, given) == state
    assert extractor.asked == TOLD


def test_what_another_run_ended_meanwhile_is_not_gone_on_with(deployment: Deployment) -> None:
    deployment, extractor = slow(deployment)
    state = extract_memories(deployment.ingestion, to_lease(deployment))
    deployment.clock.advance(LEASE_DURATION + timedelta(seconds=1))
    other = IngestionState(tenant_id=state.tenant_id, event_id=state.event_id)
    deployment.with_(extractor=SentenceExtractor()).run(other)
    state = extract_memories(deployment.ingestion, state)

    assert (state.extraction_left, extractor.asked) == (False, TOLD[:3])


def test_a_draft_is_never_committed(deployment: Deployment) -> None:
    """A deletion that read the proposals as a draft wrote them back after they had become whole."""
    deployment, _ = slow(deployment)
    state = extract_memories(deployment.ingestion, to_lease(deployment))
    key = proposals_key(OWNER, state.event_id)
    draft = deployment.payloads.get(key)
    while state.extraction_left:
        state = extract_memories(deployment.ingestion, state)
    deployment.payloads.put(key, draft)

    with pytest.raises(StaleEvent):
        embed_and_commit_memories(deployment.ingestion, state)
    deployment.run(IngestionState(tenant_id=state.tenant_id, event_id=state.event_id))
    assert sorted(deployment.texts("ana")) == ["The home is Osaka", "likes tea", "plays chess"]


def test_an_older_state_machine_is_told_so(deployment: Deployment) -> None:
    """It goes on to the commit after each extraction, and would begin again and again."""
    deployment, _ = slow(deployment)
    state = extract_memories(deployment.ingestion, to_lease(deployment))

    with pytest.raises(ConfigurationError, match="older than its functions"):
        embed_and_commit_memories(deployment.ingestion, state)


def test_who_waits_for_a_model_is_not_overtaken(
    any_deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three times as long as a lease lasts, while another request asks for it."""
    monkeypatch.setattr(lease, "RENEWAL_SECONDS", 0.02)
    deployment, extractor = slow(any_deployment)
    waiting = deployment.accept("ana", "My home is Nara.")
    for stage in (store_messages, resolve_speakers_and_dates):
        waiting = stage(deployment.ingestion, waiting)
    extract = extractor.extract
    answers: list[LeaseAnswer | None] = []

    def lasting(request: ExtractionRequest) -> Extraction:
        for _ in range(6):
            deployment.clock.advance(LEASE_DURATION / 2)
            time.sleep(0.3)
            answers.append(acquire_user_lease(deployment.ingestion, waiting).lease)
        return extract(request)

    extractor.extract = lasting  # type: ignore[method-assign]
    state = extract_memories(deployment.ingestion, to_lease(deployment, TOLD[:1]))
    embed_and_commit_memories(deployment.ingestion, state)

    assert answers == [LeaseAnswer.WAITING] * 6
    assert deployment.texts("ana") == ["The home is Tokyo"]


def test_words_that_are_deleted_meanwhile_are_in_no_draft(deployment: Deployment) -> None:
    deployment, extractor = slow(deployment)
    state = to_lease(deployment)
    extract = extractor.extract

    def deleting(request: ExtractionRequest) -> Extraction:
        if len(extractor.asked) == 1:
            redact(deployment, TOLD[0])
        return extract(request)

    extractor.extract = deleting  # type: ignore[method-assign]
    state = extract_memories(deployment.ingestion, state)
    draft = load(deployment.payloads.get(proposals_key(OWNER, state.event_id)))

    assert state.extraction_left
    assert [fact.content for fact in draft.facts] == ["likes tea", "The home is Osaka"]


def redact(deployment: Deployment, content: str) -> None:
    redact_messages(
        deployment.memories,
        OWNER,
        lambda message: message.content == content,
        going=frozenset(),
        commit_id="delete-1",
        epoch=0,
        now=deployment.clock(),
    )


def test_long_messages_make_smaller_chunks(deployment: Deployment) -> None:
    third = "word " * (CHUNK_TOKENS * 4 // 15)
    deployment, extractor = slow(deployment, chunk_messages=20)
    chunks: list[int] = []
    extract = extractor.extract

    def counting(request: ExtractionRequest) -> Extraction:
        chunks.append(len(request.messages))
        return extract(request)

    extractor.extract = counting  # type: ignore[method-assign]
    deployment.add("ana", [f"{number} {third}" for number in range(5)] + ["あ" * CHUNK_TOKENS * 2, "Bye."])

    assert chunks == [2, 2, 1, 1, 1]
