"""A word that nobody else ever said is planted, its memory deleted, and then looked for everywhere."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import boto3
import pytest
from deployment import Deployment, owner_of
from fakes import Failing
from interruptions import Deleting, run_until

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.domain.text import index_terms
from cognis_memory.errors import ExtractionFailed, NotFound, PermanentError
from cognis_memory.models.event import EventStatus
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.payload_keys import payload_prefix

OWNER = owner_of("ana")

ENGLISH = "zanzibarquokkas"
JAPANESE = "鑷麤龘靐"
PLANTED = {
    "English": (ENGLISH, f"My pet is {ENGLISH}.", "My pet is a cat.", "Forget my pet."),
    "Japanese": (
        JAPANESE,
        f"私の宝物は{JAPANESE}です。",
        "私の宝物は時計です。",
        "私の宝物は忘れて。",
    ),
}


@pytest.fixture(params=PLANTED, ids=PLANTED)
def planted(request: pytest.FixtureRequest) -> tuple[str, str, str, str]:
    """The word, what says it, what replaces that, and what retracts it."""
    return PLANTED[request.param]


def traces(word: str) -> list[str]:
    """The word and what an index makes of it: its stem, its pairs of characters."""
    terms = [term for term in index_terms(word) if len(term.encode()) >= 6]
    assert terms
    return list(dict.fromkeys([word, *terms]))


class Everywhere:
    """All that a deployment answers, logs and keeps, of anybody."""

    def __init__(self, deployment: Deployment, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self._deployment = deployment
        self._folder = folder
        self._capture = capture

    def places_of(self, word: str) -> list[str]:
        """Where the word or a trace of it is found."""
        sought = traces(word)
        found = []
        for name, held in self._held(word):
            if any(trace.encode() in held.lower() for trace in sought):
                found.append(name)
        if self._deployment.index.match(OWNER, word, filter=EVERYTHING, limit=10):
            found.append("the index")
        return found

    def _held(self, word: str) -> Iterator[tuple[str, bytes]]:
        for name, answer in self._answers(word):
            yield name, answer.encode()
        said = self._capture.readouterr()
        yield "what is logged", (said.out + said.err).encode()
        for file in sorted(self._folder.rglob("*")):
            if file.is_file():
                yield f"file {file.relative_to(self._folder)}", file.read_bytes()
        yield from _items(self._deployment)
        yield from _objects(self._deployment)
        yield from _node(self._deployment)

    def _answers(self, word: str) -> Iterator[tuple[str, str]]:
        """All that the doors say of ana; the query itself is in none of the answers."""
        ask = self._deployment
        for query in (word, f"pet {word} 宝物", "rain day 雨 日"):
            for options in (
                {},
                {"history": "always"},
                {"as_of": "2026-07-15T12:00:00Z"},
                {"min_relevance": 0},
            ):
                yield "search", ask.search("ana", query, top_k=100, **options).model_dump_json()
                yield "context", ask.context("ana", query, **options).model_dump_json()
        listed = ask.list("ana", limit=100, include_history=True).memories
        for memory in listed:
            yield "list", memory.model_dump_json()
            yield "history", ask.history("ana", memory.id).model_dump_json()
        for event in {message.event_id for message in ask.ledger.iterate_messages(OWNER)}:
            yield "event", ask.event(event).model_dump_json()


def _items(deployment: Deployment) -> Iterator[tuple[str, bytes]]:
    """Items of DynamoDB, as they are and inflated."""
    table = getattr(deployment.ledger, "_table", None)
    if table is None:
        return
    for item in table.scan():
        document = item.get("document", {})
        inflated = zlib.decompress(document["B"]) if "B" in document else b""
        yield (
            f"item {item['sk']['S']}",
            json.dumps(item, default=repr, ensure_ascii=False).encode() + inflated,
        )


def _objects(deployment: Deployment) -> Iterator[tuple[str, bytes]]:
    """Objects of S3, and versions of them."""
    if not hasattr(deployment.payloads, "_bucket"):
        return
    client = boto3.client("s3", region_name="us-east-1")
    listed = client.list_object_versions(Bucket="cognis").get("Versions", [])
    for version in listed:
        found = client.get_object(Bucket="cognis", Key=version["Key"], VersionId=version["VersionId"])
        yield f"object {version['Key']}", found["Body"].read()


def _node(deployment: Deployment) -> Iterator[tuple[str, bytes]]:
    """The sources of all documents that OpenSearch answers with."""
    connection = getattr(deployment.index, "_connection", None)
    if connection is None:
        return
    path = f"/{deployment.index._names.read}/_search"
    hits = connection.request("POST", path, {"size": 1_000, "query": {"match_all": {}}})["hits"]["hits"]
    for hit in hits:
        yield f"document {hit['_id']}", json.dumps(hit["_source"], ensure_ascii=False).encode()


@pytest.fixture
def everywhere(any_deployment: Deployment, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Everywhere:
    return Everywhere(any_deployment, tmp_path, capsys)


def _memory_of(deployment: Deployment, word: str) -> str:
    held = deployment.ledger.iterate_memories(OWNER)
    return next(memory.id for memory in held if word in memory.content)


Situation = Callable[[Deployment, tuple[str, str, str, str]], None]


def _one_of_two_facts(deployment: Deployment, planted: tuple[str, str, str, str]) -> None:
    deployment.add("ana", f"{planted[1]} My job is baker.")


def _repeated(deployment: Deployment, planted: tuple[str, str, str, str]) -> None:
    for _ in range(3):
        deployment.add("ana", planted[1])


def _replaced(deployment: Deployment, planted: tuple[str, str, str, str]) -> None:
    deployment.add("ana", planted[1])
    deployment.add("ana", planted[2])


def _retracted(deployment: Deployment, planted: tuple[str, str, str, str]) -> None:
    deployment.add("ana", planted[1])
    deployment.add("ana", planted[3])


def _in_a_context(deployment: Deployment, planted: tuple[str, str, str, str]) -> None:
    """Messages and memories before and after are indexed with it."""
    deployment.add(
        "ana", ["Note: likes rain.", planted[1], "What a day.", "Note: likes snow.", "メモ：雨が好き。"]
    )


def _with_metadata(deployment: Deployment, planted: tuple[str, str, str, str]) -> None:
    deployment.add("ana", planted[1], metadata={"about": planted[0]}, idempotency_key="once")


def _verbatim(deployment: Deployment, planted: tuple[str, str, str, str]) -> None:
    deployment.add("ana", planted[1], infer=False)


def _by_hand(deployment: Deployment, planted: tuple[str, str, str, str]) -> None:
    made = deployment.add("ana", planted[2]).operations[0].memory_id
    deployment.change("ana", made, content=planted[1])


SITUATIONS = (
    _one_of_two_facts,
    _repeated,
    _replaced,
    _retracted,
    _in_a_context,
    _with_metadata,
    _verbatim,
    _by_hand,
)


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda made: made.__name__.strip("_"))
def test_after_a_delete_the_word_is_nowhere(
    any_deployment: Deployment,
    everywhere: Everywhere,
    planted: tuple[str, str, str, str],
    situation: Situation,
) -> None:
    word = planted[0]
    situation(any_deployment, planted)
    assert everywhere.places_of(word)
    any_deployment.delete("ana", _memory_of(any_deployment, word))

    assert everywhere.places_of(word) == []


def _failed_halfway(deployment: Deployment, planted: tuple[str, str, str, str]) -> IngestionState:
    """The first fact is committed when the event fails for good; its request is kept for a replay."""
    notes = " ".join(f"Note: thing {number}." for number in range(40))
    state = deployment.accept("ana", [f"{planted[1]} {notes}", "My job is baker."])
    run_until(deployment, state, "commit", times=2)
    broken = deployment.with_(embedder=Failing(deployment.embedder, PermanentError("no")))
    assert broken.run(state).status is EventStatus.FAILED
    return state


def test_a_failed_event_keeps_none_of_its_words_for_a_replay(
    any_deployment: Deployment, everywhere: Everywhere, planted: tuple[str, str, str, str]
) -> None:
    word = planted[0]
    state = _failed_halfway(any_deployment, planted)
    prefix = payload_prefix(OWNER, state.event_id)
    kept = [any_deployment.payloads.get(f"{prefix}{name}.json").decode() for name in ("request", "proposals")]
    assert all("baker" in text for text in kept)
    assert word in kept[0]
    any_deployment.delete("ana", _memory_of(any_deployment, word))

    assert everywhere.places_of(word) == []
    assert any_deployment.run(state).status is EventStatus.SUCCEEDED
    assert "The job is baker" in any_deployment.texts("ana")
    assert everywhere.places_of(word) == []
    with pytest.raises(NotFound):
        any_deployment.payloads.get(f"{prefix}request.json")


def test_an_event_that_fails_after_the_delete_keeps_none_of_its_words(
    deployment: Deployment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The memory is deleted while its message is extracted again: the proposals are written after that."""
    planted = PLANTED["English"]
    state = _failed_halfway(deployment, planted)
    deleting = Deleting(deployment, _memory_of(deployment, ENGLISH))
    broken = Failing(deployment.embedder, ExtractionFailed("no"))
    assert deployment.with_(extractor=deleting, embedder=broken).run(state).status is EventStatus.FAILED

    assert Everywhere(deployment, tmp_path, capsys).places_of(ENGLISH) == []


def test_other_messages_that_say_the_same_and_made_nothing_of_it_stay(deployment: Deployment) -> None:
    """They are evidence of their own, as is what others said."""
    deployment.add("ana", f"My pet is {ENGLISH}.")
    deployment.add("ana", f"What {ENGLISH} eat is a riddle.")
    deployment.add("bob", f"My pet is {ENGLISH}.")
    deployment.delete("ana", _memory_of(deployment, ENGLISH))

    assert deployment.found("ana", ENGLISH) == [f"What {ENGLISH} eat is a riddle."]
    assert f"The pet is {ENGLISH}" in deployment.found("bob", ENGLISH)
