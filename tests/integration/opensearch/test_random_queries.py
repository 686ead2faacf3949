"""10,000 random queries by 12 users: never an error, never another user's document."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hostile_texts import HostileTexts
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from search_indexes import document, index_on, vector

from cognis_memory.adapters.opensearch import OpenSearchIndex
from cognis_memory.domain.filters import EVERYTHING, And, Comparator, Comparison, Filter, Not
from cognis_memory.models.values import Owner

USERS = [
    "ana", "*", "?", "..", 'a" OR "b', "_all", "*:*", "ana*", "利用者", "\0", "\ud800", "a" * 256,
]  # fmt: skip
OWNERS = [Owner("acme", user) for user in USERS]
STRANGERS = [
    Owner("*", "ana"),
    Owner("acme", "an?"),
    Owner("acme", "[a-z]*"),
    Owner("acme", "b"),
]
"""Who have nothing."""

EACH = 20
SEEDED = 9_000
SEARCHES = 1_500
DRAWN = 1_000
THREADS = 4

quick = settings(
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # to shrink takes minutes on a node
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
texts = st.one_of(
    st.text(min_size=1, max_size=200),
    st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF), min_size=1, max_size=40),
    st.lists(st.sampled_from(["place", "*", '"', "\\", "{", "}", "場所", "\0", "\ud800", "OR"])).map(
        " ".join
    ),
)


@pytest.fixture(scope="module")
def index(opensearch_node: str) -> Iterator[OpenSearchIndex]:
    """All users say the same words; a document's id says whose it is, as its metadata does."""
    with index_on(opensearch_node) as made:
        index = made.open()
        for place, owner in enumerate(OWNERS):
            index.replace(
                owner,
                (
                    document(
                        place * EACH + number,
                        f"Ana has been to place {number}. 場所 東京 {number}",
                        metadata={"whose": place, "text": "place * OR"},
                        speaker=USERS[place][:200],
                    )
                    for number in range(EACH)
                ),
            )
        yield index


def whose(id_: str) -> Owner:
    return OWNERS[int(id_.removeprefix("mem_")) // EACH]


def matched(index: OpenSearchIndex, owner: Owner, text: str, filter: Filter = EVERYTHING) -> list[str]:
    return [hit.id for hit in index.match(owner, text, filter=filter, limit=EACH + 5)]


def searched(index: OpenSearchIndex, owner: Owner, text: str, filter: Filter = EVERYTHING) -> list[str]:
    hits = index.candidates(
        owner, text, vector(len(text)), filter=filter, nearest=EACH + 5, matching=EACH + 5
    )
    return [*hits.nearest, *hits.matched, *(hit.id for hit in hits.rescored)]


Find = Callable[[OpenSearchIndex, Owner, str, Filter], list[str]]


def check(index: OpenSearchIndex, find: Find, owner: Owner, text: str, filter: Filter = EVERYTHING) -> int:
    """Finds the owner's documents alone; how many these are."""
    found = find(index, owner, text, filter)
    strangers = [id_ for id_ in found if whose(id_) != owner]
    assert not strangers, f"{owner} found {strangers} by {text!r} among {filter}"
    return len(found)


def random_filter(texts: HostileTexts, chance: random.Random) -> Filter:
    """One in three asks for everything; the rest for what a text says of a field or of metadata."""
    if chance.random() < 1 / 3:
        return EVERYTHING
    field = chance.choice(["speaker", "category", "metadata.text", f"metadata.{texts()[:60]}"])
    comparator = chance.choice([Comparator.EQ, Comparator.NE, Comparator.CONTAINS, Comparator.GT])
    comparison = Comparison(field, comparator, texts()[:1_000])
    return chance.choice([comparison, Not(comparison), And((comparison, Not(comparison)))])


def test_seeded_queries(index: OpenSearchIndex) -> None:
    """Among them JSON, scripts, query syntax, control characters and 10,000 characters."""
    hostile, chance = HostileTexts(seed=5), random.Random(5)
    queries = [(chance.choice([*OWNERS, *STRANGERS]), hostile()) for _ in range(SEEDED)]
    assert any(len(text) == 10_000 for _, text in queries)

    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(lambda query: check(index, matched, *query), queries[SEARCHES:]))
        found += threads.map(lambda query: check(index, searched, *query), queries[:SEARCHES])
    assert sum(map(bool, found)) > SEEDED / 4, "too few queries find anything for the test to mean much"


def test_seeded_filters(index: OpenSearchIndex) -> None:
    hostile, chance = HostileTexts(seed=6), random.Random(6)
    owned = [*OWNERS, *STRANGERS]
    queries = [(chance.choice(owned), "place", random_filter(hostile, chance)) for _ in range(500)]
    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(lambda query: check(index, matched, *query), queries))

    assert sum(map(bool, found)) > 100


@settings(quick, max_examples=DRAWN // 10)
@given(drawn=st.lists(texts, min_size=10, max_size=10), owner=st.sampled_from([*OWNERS, *STRANGERS]))
def test_drawn_queries(index: OpenSearchIndex, drawn: list[str], owner: Owner) -> None:
    for text in drawn:
        check(index, matched, owner, text)


@settings(quick, max_examples=100)
@given(tenant=st.text(min_size=1, max_size=256), user=st.text(min_size=1, max_size=256))
def test_any_other_user_has_nothing(index: OpenSearchIndex, tenant: str, user: str) -> None:
    owner = Owner(tenant, user)
    if owner not in OWNERS:
        assert matched(index, owner, "place Ana 場所") == []
        assert not index.exists(owner)
