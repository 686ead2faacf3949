"""Who sees what: scopes, contexts and the caller's filters."""

from __future__ import annotations

from typing import Any

import pytest
from deployment import Deployment

from cognis_memory.errors import InvalidInput

HERE, THERE = "chat-1", "chat-2"


@pytest.fixture(scope="module")
def told(shared_deployment: Deployment) -> Deployment:
    """One fact of each kind, told in words that all answer to "drink"."""
    deployment = shared_deployment
    deployment.add("ana", "Note: morning drink coffee.", metadata={"plan": "pro", "tags": ["a", "b"], "n": 3})
    deployment.add("ana", "Note: evening drink tea.", context_id=HERE, agent_id="waiter", metadata={"n": 5})
    deployment.add("ana", "Note: secret drink gin.", scope="CONTEXT", context_id=HERE)
    deployment.add("ana", "Note: secret drink rum.", scope="CONTEXT", context_id=THERE)
    deployment.add("ana", "My drink is water.", metadata={"plan": "free"})
    return deployment


def _drinks(deployment: Deployment, **options: Any) -> set[str]:
    texts = deployment.found("ana", "which drink", top_k=100, include_messages=False, **options)
    return {text.split()[-1] for text in texts}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"coffee", "tea", "water"}),
        ({"context_id": HERE}, {"coffee", "tea", "water", "gin"}),
        ({"context_id": THERE}, {"coffee", "tea", "water", "rum"}),
        ({"scope": "USER"}, {"coffee", "tea", "water"}),
        ({"scope": "USER", "context_id": HERE}, {"coffee", "tea", "water"}),
        ({"scope": "CONTEXT", "context_id": HERE}, {"gin"}),
        ({"scope": "CONTEXT", "context_id": "nowhere"}, set()),
    ],
)
def test_scopes(told: Deployment, options: dict[str, Any], expected: set[str]) -> None:
    assert _drinks(told, **options) == expected


def test_messages_have_the_scope_of_their_request(told: Deployment) -> None:
    assert "Note: secret drink gin." in told.found("ana", "secret drink gin", context_id=HERE)
    assert "Note: secret drink gin." not in told.found("ana", "secret drink gin", context_id=THERE)
    assert "Note: secret drink gin." not in told.found("ana", "secret drink gin")


def test_a_fact_of_one_context_does_not_replace_that_of_another(deployment: Deployment) -> None:
    deployment.add("ana", "My drink is water.")
    deployment.add("ana", "My drink is gin.", scope="CONTEXT", context_id=HERE)
    deployment.add("ana", "My drink is rum.", scope="CONTEXT", context_id=THERE)
    deployment.add("ana", "My drink is gin.", scope="CONTEXT", context_id=THERE)

    assert _drinks(deployment) == {"water"}
    assert _drinks(deployment, context_id=HERE) == {"water", "gin"}
    assert _drinks(deployment, scope="CONTEXT", context_id=THERE) == {"gin"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"category": {"eq": "preferences"}}, {"coffee", "tea"}),
        ({"category": {"ne": "preferences"}}, {"water"}),
        ({"category": {"in": ["travel", "personal_details"]}}, {"water"}),
        ({"agent_id": {"eq": "waiter"}}, {"tea"}),
        ({"agent_id": {"exists": False}}, {"coffee", "water"}),
        ({"context_id": {"eq": HERE}}, {"tea"}),
        ({"metadata.plan": {"in": ["pro", "free"]}}, {"coffee", "water"}),
        ({"metadata.plan": {"exists": False}}, {"tea"}),
        ({"metadata.tags": {"contains": "b"}}, {"coffee"}),
        ({"metadata.n": {"gt": 3}}, {"tea"}),
        ({"metadata.n": {"gte": 3}}, {"coffee", "tea"}),
        ({"metadata.n": {"lt": 3}}, set()),
        ({"metadata.n": {"lte": 3}}, {"coffee"}),
        ({"metadata.n": {"eq": "3"}}, set()),
        ({"kind": {"eq": "memory"}}, {"coffee", "tea", "water"}),
        ({"kind": {"eq": "message"}}, set()),
        ({"AND": [{"category": {"eq": "preferences"}}, {"metadata.n": {"lt": 5}}]}, {"coffee"}),
        ({"OR": [{"agent_id": {"eq": "waiter"}}, {"metadata.plan": {"eq": "free"}}]}, {"tea", "water"}),
        ({"NOT": {"metadata.plan": {"eq": "pro"}}}, {"tea", "water"}),
        ({"metadata.plan": {"eq": "pro"}, "metadata.n": {"eq": 3}}, {"coffee"}),
        ({"speaker": {"eq": "user"}}, {"coffee", "tea", "water"}),
        ({"created_at": {"lt": "2026-01-01T00:00:00Z"}}, set()),
        ({"timestamp": {"gte": "2026-01-01T00:00:00Z"}}, {"coffee", "tea", "water"}),
    ],
)
def test_filters(told: Deployment, filters: dict[str, Any], expected: set[str]) -> None:
    assert _drinks(told, filters=filters) == expected


def test_a_filter_opens_no_scope(told: Deployment) -> None:
    assert _drinks(told, filters={"scope": {"eq": "CONTEXT"}}) == set()
    assert _drinks(told, context_id=THERE, filters={"context_id": {"eq": HERE}}) == {"tea"}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"query": ""}, "query"),
        ({"query": "  \n\t"}, "query"),
        ({"query": "x" * 10_001}, "query"),
        ({"query": "\ud800"}, "query"),
        ({"top_k": 0}, "top_k"),
        ({"top_k": 101}, "top_k"),
        ({"top_k": "10"}, "top_k"),
        ({"min_relevance": 1.5}, "min_relevance"),
        ({"history": "sometimes"}, "history"),
        ({"as_of": "yesterday"}, "as_of"),
        ({"timezone": "Nowhere/Town"}, "timezone"),
        ({"colour": "red"}, "colour"),
        ({"scope": "TENANT"}, "scope"),
        ({"filters": {"colour": {"eq": "red"}}}, "filters.colour"),
        ({"filters": {"category": {"like": "p%"}}}, "filters.category.like"),
        ({"filters": {"AND": [{"category": {"eq": "travel"}}, {"nope": {"eq": 1}}]}}, "filters.AND[1].nope"),
        ({"filters": {"created_at": {"gt": "soon"}}}, "filters.created_at.gt"),
    ],
)
def test_faulty_input_names_its_field(deployment: Deployment, options: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        deployment.search("ana", **{"query": "which drink", **options})

    assert [fault.field for fault in refused.value.errors] == [field]


def test_scope_context_needs_a_context(deployment: Deployment) -> None:
    with pytest.raises(InvalidInput, match="context_id"):
        deployment.search("ana", "which drink", scope="CONTEXT")


def test_users_see_only_their_own(told: Deployment) -> None:
    assert told.found("bob", "which drink", context_id=HERE) == []
    assert told.found("ANA", "which drink", context_id=HERE) == []
