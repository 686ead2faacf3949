"""A message whose extraction always fails ends its own event and nothing else."""

from __future__ import annotations

import pytest
from deployment import Deployment, owner_of

from cognis_memory.errors import ExtractionFailed
from cognis_memory.models.event import EventStatus
from cognis_memory.models.extraction import Extraction, ExtractionRequest
from cognis_memory.ports import Extractor
from cognis_memory.services.ingestion.state import LEASE_DURATION
from cognis_memory.services.payload_keys import request_key


class Choking:
    """An extractor that no message with a certain word goes through."""

    def __init__(self, extractor: Extractor, word: str) -> None:
        self._extractor = extractor
        self._word = word

    @property
    def chunk_messages(self) -> int:
        return self._extractor.chunk_messages

    def extract(self, request: ExtractionRequest) -> Extraction:
        if any(self._word in message.content for message in request.messages):
            raise ExtractionFailed("the answer is no JSON")
        return self._extractor.extract(request)


@pytest.mark.parametrize(
    ("word", "poison", "query"),
    [("thunder", "I adore thunderstorms.", "thunderstorms"), ("雷", "雷が大好きです。", "雷が好きなのは")],
)
def test_a_poison_message_fails_alone(any_deployment: Deployment, word: str, poison: str, query: str) -> None:
    any_deployment.extractor = Choking(any_deployment.extractor, word)
    any_deployment.add("ana", "My home is Tokyo.")
    failed = any_deployment.add("ana", ["My home is Osaka.", poison, "Note: likes rain."])
    after = any_deployment.add("ana", "My home is Kyoto.")

    assert failed.status is EventStatus.FAILED
    assert failed.error is not None
    assert (failed.error.type, failed.stage) == ("ExtractionFailed", "ExtractMemories")
    assert failed.operations == []
    assert after.status is EventStatus.SUCCEEDED
    assert any_deployment.texts("ana") == ["The home is Kyoto"]
    assert any_deployment.found("ana", query)[0] == poison
    assert len(failed.messages) == 3


def test_what_failed_holds_no_lease_and_keeps_its_request_for_a_replay(any_deployment: Deployment) -> None:
    any_deployment.extractor = Choking(any_deployment.extractor, "thunder")
    failed = any_deployment.add("ana", "I adore thunderstorms.")

    ledger, now = any_deployment.ledger, any_deployment.clock()
    ledger.release_lease(ledger.acquire_lease(owner_of("ana"), "another", now=now, duration=LEASE_DURATION))
    assert b"thunderstorms" in any_deployment.payloads.get(request_key(owner_of("ana"), failed.event_id))
