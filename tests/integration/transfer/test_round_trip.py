"""A user who was exported and imported is the same user, whoever it now is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment, owner_of
from engines import describe, open_deployment
from export_files import chain_of, lines
from fakes import HashEmbedder
from hypothesis import given, settings
from hypothesis import strategies as st
from snapshots import end_state, found_documents, index_content
from transfers import Transfers, file_of, lines_of

from cognis_memory.models.event import EventStatus
from cognis_memory.models.values import FloatMatrix
from cognis_memory.services.masking import SECRET_MASKED
from cognis_memory.services.transfer.importing import ALREADY_HELD


def tell(deployment: Deployment, user: str) -> None:
    """Versions, a retraction, a repeat, contexts, roles, metadata, an expiry, and a redacted message."""
    deployment.add(user, ["My home is Tokyo.", "What a day."], metadata={"plan": "pro", "tags": ["a", "b"]})
    deployment.clock.advance(timedelta(days=1))
    deployment.add(
        user, [{"role": "system", "content": "Be kind."}, "My home is Osaka.", "My home is Osaka."]
    )
    deployment.add(user, "My pet is a cat.", expires_at="2030-01-01T00:00:00Z", agent_id="helper")
    deployment.add(user, ["私の趣味は釣りです。", "私の趣味は将棋です。"], context_id="chat", scope="CONTEXT")
    deployment.clock.advance(timedelta(days=1))
    deployment.add(user, ["Forget my home.", "My job is baker."])
    secret = deployment.add(user, "My locker is number 4711.").operations[0].memory_id
    deployment.delete(user, secret)
    current = next(m for m in deployment.list(user).memories if "baker" in m.memory)
    deployment.change(user, current.id, content="The job is chef", category="professional")


def without_owner(state: dict[str, Any]) -> object:
    """A user's end state, whoever it is, and without the order of writes."""
    hidden = {"tenant_id", "user_id"}
    documents = [*state["memories"].values(), *state["messages"].values()]
    return [
        [{name: value for name, value in document.items() if name not in hidden} for document in documents],
        state["chains"],
        state["vectors"],
        state["pending"],
    ]


def test_another_user_becomes_the_same(any_transfers: Transfers) -> None:
    deployment = any_transfers.deployment
    tell(deployment, "ana")
    before = end_state(deployment, "ana")
    event = any_transfers.import_("ben", any_transfers.export("ana"))

    assert (event.status, event.stage) == (EventStatus.SUCCEEDED, "ImportUser")
    assert event.counts == {"memories": len(before["memories"]), "messages": len(before["messages"])}
    after = end_state(deployment, "ben")
    assert without_owner(after) == without_owner(before)
    assert found_documents(index_content(deployment, "ben")) == found_documents(before["index"])
    assert without_owner(end_state(deployment, "ana")) == without_owner(before)


def test_what_was_imported_is_found_by_the_next_search_and_goes_on(any_transfers: Transfers) -> None:
    deployment = any_transfers.deployment
    tell(deployment, "ana")
    any_transfers.import_("ben", any_transfers.export("ana"))

    assert deployment.found("ben", "pet", include_messages=False)[0] == "The pet is a cat"
    assert "趣味は将棋です" in deployment.found("ben", "趣味", context_id="chat")
    deployment.clock.advance(timedelta(days=1))
    deployment.add("ben", "My pet is a dog.")
    (pet,) = (m for m in deployment.list("ben").memories if "pet" in m.memory)
    assert [entry.memory for entry in deployment.history("ben", pet.id).history] == [
        "The pet is a cat",
        "The pet is a dog",
    ]


def test_an_erased_user_comes_back(any_transfers: Transfers) -> None:
    deployment = any_transfers.deployment
    tell(deployment, "ana")
    before, file = end_state(deployment, "ana"), any_transfers.export("ana")
    deployment.erase("ana")
    assert any_transfers.import_("ana", file).status is EventStatus.SUCCEEDED

    after = end_state(deployment, "ana")
    assert without_owner(after) == without_owner(before)
    assert any_transfers.export("ana") == file


def test_what_an_index_once_deleted_is_found_again(any_transfers: Transfers) -> None:
    """Everything of the user went piece by piece, as by expiry, and the index still knows which ids were."""
    deployment = any_transfers.deployment
    deployment.add("ana", "My home is Tokyo.")
    file = any_transfers.export("ana")
    deployment.index.apply(owner_of("ben"), [], [line["id"] for line in lines_of(file)[1:]])
    any_transfers.import_("ben", file)
    assert deployment.found("ben", "home", include_messages=False) == ["The home is Tokyo"]


def test_the_same_file_again_changes_nothing(transfers: Transfers) -> None:
    tell(transfers.deployment, "ana")
    file = transfers.export("ana")
    transfers.import_("ben", file)
    before = end_state(transfers.deployment, "ben")
    again = transfers.import_("ben", file)

    assert (again.status, again.counts) == (EventStatus.SUCCEEDED, {"memories": 0, "messages": 0})
    assert [notice.code for notice in again.notices] == [ALREADY_HELD]
    assert end_state(transfers.deployment, "ben") == before


@pytest.mark.parametrize("more", [["My home is Nara."], []])
def test_a_user_who_holds_something_else_is_left_alone(transfers: Transfers, more: list[str]) -> None:
    """Something more than the file, or something less."""
    deployment = transfers.deployment
    deployment.add("ana", ["My home is Tokyo.", "What a day."])
    file = transfers.export("ana")
    if more:
        transfers.import_("ben", file)
    deployment.add("ben", more or "My job is baker.")
    before = end_state(deployment, "ben")
    refused = transfers.import_("ben", file)

    assert refused.status is EventStatus.FAILED
    assert refused.error is not None
    assert "erase the user" in refused.error.detail
    assert end_state(deployment, "ben") == before


def test_a_user_without_anything_is_a_header(transfers: Transfers) -> None:
    file = transfers.export("nobody")
    (header,) = lines_of(file)
    assert (header["type"], header["memories"], header["messages"]) == ("header", 0, 0)
    assert transfers.import_("ben", file).status is EventStatus.SUCCEEDED


def test_a_chain_longer_than_a_commit_comes_whole(any_transfers: Transfers) -> None:
    """It is written in several transactions, of which the first brings the chain."""
    file = b"\n".join(lines(*chain_of(*(f"number {number}" for number in range(120))))) + b"\n"
    event = any_transfers.import_("ben", file)
    assert (event.status, event.counts) == (EventStatus.SUCCEEDED, {"memories": 120, "messages": 0})

    assert any_transfers.export("ben").splitlines()[1:] == file.splitlines()[1:]
    (current,) = any_transfers.deployment.list("ben").memories
    assert (current.memory, current.version) == ("number 119", 120)
    assert len(any_transfers.deployment.history("ben", current.id).history) == 120


class OtherModel(HashEmbedder):
    """Another model: its vectors are those of the texts spelled backwards."""

    @property
    def model_id(self) -> str:
        return "backwards-768"

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        return super().embed([text[::-1] for text in texts])


def test_another_model_embeds_the_texts_anew(transfers: Transfers, tmp_path: Path) -> None:
    tell(transfers.deployment, "ana")
    file = transfers.export("ana")
    other = open_deployment(describe(tmp_path / "other"))
    other = other.with_(embedder=OtherModel())
    moved = Transfers(other)
    assert moved.import_("ana", file).status is EventStatus.SUCCEEDED

    held = [*other.ledger.iterate_memories(owner_of("ana"))]
    indexed = [memory for memory in held if memory.operation != "DELETE"]
    assert {memory.embedding_model for memory in indexed} == {"backwards-768"}
    vectors = other.ledger.get_vectors(owner_of("ana"), [memory.id for memory in indexed])
    (expected,) = OtherModel().embed([indexed[0].content])
    assert vectors[indexed[0].id].tobytes() == expected.tobytes()
    assert moved.import_("ana", file).notices[0].code == ALREADY_HELD
    other.close()


def test_the_same_model_is_not_asked(transfers: Transfers) -> None:
    tell(transfers.deployment, "ana")
    file = transfers.export("ana")

    class Unused(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> FloatMatrix:
            raise AssertionError("a vector came along")

    deaf = Transfers(transfers.deployment.with_(embedder=Unused()))
    assert deaf.import_("ben", file).status is EventStatus.SUCCEEDED


@pytest.mark.parametrize("masks", [True, False])
def test_secrets_are_masked_as_at_any_other_door(transfers: Transfers, masks: bool) -> None:
    """The second message answers a question, which tells what the digits are."""
    deployment = transfers.deployment
    deployment.add(
        "ana",
        [
            "Note: the card is plain.",
            {"role": "assistant", "content": "What is your social security number?"},
            "It is one two three.",
        ],
        metadata={"card": "none"},
    )
    lines = lines_of(transfers.export("ana"))
    for line in lines:
        if "metadata" in line:
            line["content"] = line["content"].replace("plain", "4111 1111 1111 1111")
            line["content"] = line["content"].replace("one two three", "123456789")
            line["metadata"] = {"card": "4111111111111111"}
    event = Transfers(deployment, masks).import_("ben", file_of(lines))

    held = transfers.export("ben").decode()
    assert ("4111" in held, "123456789" in held) == (not masks, not masks)
    assert [notice.code for notice in event.notices] == ([SECRET_MASKED] if masks else [])
    found = deployment.ledger.get_vectors(owner_of("ben"), [lines[1]["id"]])[lines[1]["id"]]
    (text,) = (m.content for m in deployment.ledger.iterate_memories(owner_of("ben")))
    assert (found.tobytes() == deployment.embedder.embed([text])[0].tobytes()) is masks


VALUES = ("Tokyo", "Osaka", "a cat", "大阪", "baker")
SENTENCES = st.one_of(
    st.builds("My {} is {}.".format, st.sampled_from(["home", "job"]), st.sampled_from(VALUES)),
    st.builds("私の{}は{}です。".format, st.sampled_from(["家", "趣味"]), st.sampled_from(VALUES)),
    st.builds("Note: {} today.".format, st.sampled_from(VALUES)),
    st.just("Forget my home."),
    st.just("What a day."),
)
REQUESTS = st.fixed_dictionaries(
    {"messages": st.lists(SENTENCES, min_size=1, max_size=4)},
    optional={
        "context_id": st.sampled_from(["chat", "b"]),
        "agent_id": st.just("helper"),
        "metadata": st.dictionaries(
            st.sampled_from(["a", "b"]), st.integers(-(2**63), 2**63 - 1) | st.text("ab日", max_size=3)
        ),
        "infer": st.booleans(),
        "expires_at": st.just("2030-01-01T00:00:00Z"),
    },
)


@given(requests=st.lists(REQUESTS, max_size=5), late=st.booleans())
@settings(max_examples=25, deadline=None)
def test_exporting_what_was_imported_gives_the_same_lines(
    tmp_path_factory: pytest.TempPathFactory, requests: list[dict[str, Any]], late: bool
) -> None:
    deployment = open_deployment(describe(tmp_path_factory.mktemp("round")))
    transfers = Transfers(deployment)
    for number, told in enumerate(requests):
        deployment.clock.advance(timedelta(hours=-5 if late and number % 2 else 7))
        deployment.add("ana", **told)
    file = transfers.export("ana")
    assert transfers.import_("ben", file).status is EventStatus.SUCCEEDED
    assert transfers.export("ben") == file
    deployment.close()
