"""Taking a request in: payload, event and idempotency record."""

from __future__ import annotations

from datetime import timedelta

import pytest
from deployment import Deployment, owner_of

from cognis_memory.errors import IdempotencyKeyReused, InputTooLarge, InvalidInput, NotFound
from cognis_memory.models.event import EventStatus
from cognis_memory.services.ingestion.accept import IDEMPOTENCY_PERIOD
from cognis_memory.services.payload_keys import owner_prefix, request_key


def test_an_accepted_event_is_pending_and_its_payload_is_kept_until_it_ends(
    any_deployment: Deployment,
) -> None:
    state = any_deployment.accept("ana", "My home is Tokyo.")
    key = request_key(owner_of("ana"), state.event_id)

    assert any_deployment.event(state.event_id).status is EventStatus.PENDING
    assert b"Tokyo" in any_deployment.payloads.get(key)
    any_deployment.run(state)
    with pytest.raises(NotFound):
        any_deployment.payloads.get(key)


def test_the_same_key_and_body_answer_the_first_event(any_deployment: Deployment) -> None:
    first = any_deployment.add("ana", "My home is Tokyo.", idempotency_key="k1")
    again = any_deployment.accept("ana", "My home is Tokyo.", idempotency_key="k1")

    assert again.event_id == first.event_id
    assert any_deployment.texts("ana") == ["The home is Tokyo"]


def test_a_replay_leaves_no_payload_of_its_own(deployment: Deployment) -> None:
    """The number of the next event tells which id the replay tried."""
    first = deployment.accept("ana", "My home is Tokyo.", idempotency_key="k1")
    tried = deployment.new_event_id()
    deployment.event_numbers = iter([1])
    deployment.accept("ana", "My home is Tokyo.", idempotency_key="k1")

    assert deployment.payloads.get(request_key(owner_of("ana"), first.event_id))
    with pytest.raises(NotFound):
        deployment.payloads.get(request_key(owner_of("ana"), tried))


def test_the_same_key_with_another_body_is_refused(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.", idempotency_key="k1")

    with pytest.raises(IdempotencyKeyReused):
        any_deployment.accept("ana", "My home is Osaka.", idempotency_key="k1")
    with pytest.raises(IdempotencyKeyReused):
        any_deployment.accept("ana", "My home is Tokyo.", metadata={"plan": "pro"}, idempotency_key="k1")


def test_defaults_given_or_left_out_are_one_body(deployment: Deployment) -> None:
    first = deployment.accept("ana", "My home is Tokyo.", idempotency_key="k1")
    same = deployment.accept(
        "ana", "My home is Tokyo.", scope="USER", infer=True, timezone="UTC", idempotency_key="k1"
    )

    assert same == first


def test_a_key_is_free_again_after_its_period(deployment: Deployment) -> None:
    first = deployment.add("ana", "My home is Tokyo.", idempotency_key="k1")
    deployment.clock.advance(IDEMPOTENCY_PERIOD + timedelta(seconds=1))
    second = deployment.add("ana", "My home is Osaka.", idempotency_key="k1")

    assert second.event_id != first.event_id
    assert deployment.texts("ana") == ["The home is Osaka"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "user", "content": " \n"}]}, "messages[0].content"),
        ({"messages": [{"role": "boss", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": "x", "timestamp": 5}]}, "messages[0].timestamp"),
        ({"messages": "x", "timezone": "Mars/Olympus"}, "timezone"),
        ({"messages": "x", "metadata": {"k": "v" * 5_000}}, "metadata"),
        ({"messages": "x", "surprise": 1}, "surprise"),
        ({"messages": "x", "scope": "CONTEXT"}, ""),
        ({"messages": "\ud800"}, "messages[0].content"),
    ],
)
def test_faulty_input_names_its_field(deployment: Deployment, options: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        deployment.accept("ana", **options)  # type: ignore[arg-type]

    assert field in [fault.field for fault in refused.value.errors]


def test_more_text_than_one_request_may_carry_is_refused_whole(deployment: Deployment) -> None:
    with pytest.raises(InputTooLarge, match="the limit is 5000000"):
        deployment.accept("ana", ["あ" * 99_000] * 17)


@pytest.mark.parametrize("number", [10**400, -(10**30), 2**63])
def test_a_number_that_no_filter_could_find_is_refused(deployment: Deployment, number: int) -> None:
    with pytest.raises(InvalidInput, match="64 bits") as refused:
        deployment.accept("ana", "I like tea.", metadata={"n": number})

    assert refused.value.errors[0].field == "metadata.n"


@pytest.mark.parametrize("ago", [timedelta(0), timedelta(days=1)])
def test_what_has_expired_already_is_refused(any_deployment: Deployment, ago: timedelta) -> None:
    """Nothing of it is kept."""
    past = any_deployment.clock() - ago
    with pytest.raises(InvalidInput, match="expires_at: is past") as refused:
        any_deployment.accept("ana", "My home is Tokyo.", expires_at=past.isoformat())

    assert [fault.field for fault in refused.value.errors] == ["expires_at"]
    assert any_deployment.payloads.count(owner_prefix(owner_of("ana"))) == 0
    assert any_deployment.ledger.held_items(owner_of("ana"), limit=1) == []


def test_a_replay_of_what_has_expired_meanwhile_answers_its_event(any_deployment: Deployment) -> None:
    soon = {"expires_at": (any_deployment.clock() + timedelta(hours=1)).isoformat(), "idempotency_key": "k1"}
    first = any_deployment.accept("ana", "My home is Tokyo.", **soon)
    any_deployment.clock.advance(timedelta(hours=2))

    assert any_deployment.accept("ana", "My home is Tokyo.", **soon) == first
    with pytest.raises(IdempotencyKeyReused):
        any_deployment.accept("ana", "My home is Osaka.", **soon)
    any_deployment.clock.advance(IDEMPOTENCY_PERIOD)
    with pytest.raises(InvalidInput):
        any_deployment.accept("ana", "My home is Tokyo.", **soon)
