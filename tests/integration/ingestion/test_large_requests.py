"""Requests at the limits: cut into transactions that every ledger takes, with nothing left out."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from deployment import Deployment, owner_of
from fakes import NOW
from interruptions import steps_of

from cognis_memory.errors import InvalidInput
from cognis_memory.models.event import EventStatus
from cognis_memory.models.fields import MAX_CONTENT_CHARACTERS
from cognis_memory.models.requests import MAX_MESSAGES

OWNER = owner_of("ana")


def test_as_many_messages_as_a_request_takes(deployment: Deployment) -> None:
    messages = [
        f"My thing{number} is red." if number % 10 == 0 else f"Word{number}." for number in range(500)
    ]
    event = deployment.add("ana", messages)

    assert event.status is EventStatus.SUCCEEDED
    assert len(event.messages) == MAX_MESSAGES
    assert len(event.operations) == 50
    assert deployment.index.count(OWNER) == 550
    assert deployment.ledger.pending_marks(OWNER) == []
    assert deployment.found("ana", "word499")[0] == "Word499."


@pytest.mark.long
def test_as_many_messages_as_a_request_takes_on_aws(aws_deployment: Deployment) -> None:
    test_as_many_messages_as_a_request_takes(aws_deployment)


def test_one_message_more_is_refused(deployment: Deployment) -> None:
    with pytest.raises(InvalidInput) as refused:
        deployment.accept("ana", ["hello"] * (MAX_MESSAGES + 1))

    assert [fault.field for fault in refused.value.errors] == ["messages"]


def test_more_facts_than_a_transaction_holds(any_deployment: Deployment) -> None:
    notes = [" ".join(f"Note: thing {m} {n}." for n in range(40)) for m in range(3)]
    state = any_deployment.accept("ana", [*notes, "My home is Tokyo.", "My home is Osaka."])
    commits = steps_of(any_deployment, state).count("commit")
    event = any_deployment.event(state.event_id)

    assert commits > 4
    assert event.status is EventStatus.SUCCEEDED
    assert len(event.operations) == 122
    assert {memory.memory for memory in _all(any_deployment)} == {
        *(f"thing {m} {n}" for m in range(3) for n in range(40)),
        "The home is Osaka",
    }


def test_facts_of_one_event_are_one_anothers_past(any_deployment: Deployment) -> None:
    """The chain begins in one transaction and goes on in another."""
    notes = " ".join(f"Note: thing {n}." for n in range(60))
    told = ["My home is Tokyo.", notes, "My home is Osaka.", notes[:150], "Forget my home."]
    any_deployment.add("ana", told)

    assert sorted(memory.memory for memory in _all(any_deployment)) == sorted(f"thing {n}" for n in range(60))


@pytest.mark.parametrize(
    "unit",
    ["word ", "寿司が好きで東京", "🍣", '"\\', "\x01"],
    ids=["English", "Japanese", "emoji", "quotes", "controls"],
)
def test_the_longest_content(any_deployment: Deployment, unit: str) -> None:
    """As a message and, word for word, as a memory."""
    content = (unit * MAX_CONTENT_CHARACTERS)[: MAX_CONTENT_CHARACTERS - 10] + " zanzibar "
    event = any_deployment.add("ana", content, infer=False)

    assert event.status is EventStatus.SUCCEEDED
    assert set(any_deployment.found("ana", "zanzibar")) == {content}


def test_longer_content_is_refused(deployment: Deployment) -> None:
    with pytest.raises(InvalidInput) as refused:
        deployment.accept("ana", ["hello", "x" * (MAX_CONTENT_CHARACTERS + 1)])

    assert [fault.field for fault in refused.value.errors] == ["messages[1].content"]


def test_a_chain_longer_than_a_transaction_takes_a_version_before_all_others(deployment: Deployment) -> None:
    deployment.add("ana", [_said(f"My home is Town{day}.", day) for day in range(1, 151)])
    state = deployment.accept("ana", _said("My home is Origin.", day=0))
    assert steps_of(deployment, state).count("commit") > 2

    (current,) = _all(deployment)
    chain = deployment.history("ana", current.id).history
    assert [v.memory for v in chain] == [
        "The home is Origin",
        *(f"The home is Town{n}" for n in range(1, 151)),
    ]
    assert all(one.valid_until == two.valid_from for one, two in pairwise(chain))
    versions = deployment.ledger.get_memories(OWNER, [version.id for version in chain])
    assert [version.version for version in versions.values()] == list(range(1, 152))
    assert current.memory == "The home is Town150"


@pytest.mark.long
def test_a_chain_longer_than_a_transaction_takes_a_version_before_all_others_on_aws(
    aws_deployment: Deployment,
) -> None:
    test_a_chain_longer_than_a_transaction_takes_a_version_before_all_others(aws_deployment)


def test_a_long_chain_goes_on_growing_event_by_event(any_deployment: Deployment) -> None:
    for day in range(8):
        event = any_deployment.add("ana", _said(f"My home is Town{day}.", day))
        assert event.status is EventStatus.SUCCEEDED

    (current,) = _all(any_deployment)
    assert (current.memory, current.version) == ("The home is Town7", 8)


def _all(deployment: Deployment) -> list[Any]:
    memories, cursor = [], None
    while True:
        page = deployment.list("ana", limit=100, cursor=cursor)
        memories += page.memories
        cursor = page.next_cursor
        if cursor is None:
            return memories


def _said(content: str, day: int) -> dict[str, Any]:
    moment = NOW - timedelta(days=400) + timedelta(days=day)
    return {"role": "user", "content": content, "timestamp": moment.isoformat()}
