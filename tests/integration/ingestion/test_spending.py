"""What calls of models cost is counted once, on the event and on its tenant's month, whatever dies."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from deployment import TENANT, Deployment
from fakes import HashEmbedder, SentenceExtractor
from interruptions import run_until, steps_of
from machines import Machines
from run_stage import STAGES
from transfers import Transfers, file_of, lines_of

from cognis_memory.domain.pricing import ModelPrice, Prices
from cognis_memory.errors import (
    CognisError,
    ConfigurationError,
    Consumption,
    EmbeddingUnavailable,
    ExtractionFailed,
    ExtractionUnavailable,
    UserErased,
)
from cognis_memory.models.event import EventStatus, Usage
from cognis_memory.models.extraction import Extraction, ExtractionRequest
from cognis_memory.services.budgets import check_budget
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.replaying import ReplayPorts, replay_event

JULY = "2026-07"
CALL = Usage(llm_calls=1, input_tokens=1_000, output_tokens=100)
CALL_USD = Decimal("0.0015")
OF_CALLS = Prices(extraction=ModelPrice(1.0, 5.0))
OF_EMBEDDINGS = Prices(embedding=ModelPrice(10.0))
TOLD = ["My home is Osaka. Note: likes rain.", "私の趣味は釣りです。"]


@dataclass
class Billing:
    """An extractor each of whose answers is on the bill; `errors` are raised first, one a call."""

    errors: list[CognisError] = field(default_factory=list)
    calls: int = 0
    chunk_messages: int = 1

    def extract(self, request: ExtractionRequest) -> Extraction:
        if self.errors:
            raise self.errors.pop(0)
        self.calls += 1
        return replace(SentenceExtractor().extract(request), usage=CALL)


def after(error: CognisError, calls: int) -> CognisError:
    """The error, as it is raised once so many calls were paid for."""
    error.consumed = Consumption(calls, calls * CALL.input_tokens, calls * CALL.output_tokens)
    return error


def spent(deployment: Deployment, month: str = JULY) -> Decimal:
    return deployment.ledger.get_spending(TENANT, month).spent_usd


def test_events_and_their_tenant_say_the_same(any_deployment: Deployment) -> None:
    prices = Prices(extraction=ModelPrice(1.0, 5.0), embedding=ModelPrice(10.0))
    billed = any_deployment.with_(extractor=Billing(), prices=prices)
    events = [billed.add("ana", TOLD), billed.add("ben", TOLD), billed.add("ana", "My home is Kyoto.")]

    assert [event.usage.llm_calls for event in events] == [2, 2, 1]
    assert all(event.usage.embedding_tokens for event in events)
    assert spent(billed) == sum((event.usage.estimated_cost_usd for event in events), Decimal(0))
    assert spent(billed) > 5 * CALL_USD


def test_what_costs_nothing_by_the_token_is_counted_as_nothing(deployment: Deployment) -> None:
    event = deployment.add("ana", TOLD)

    assert event.usage.llm_calls == 2
    assert (event.usage.estimated_cost_usd, spent(deployment)) == (0, 0)


def test_a_month_begins_anew_at_midnight_in_utc(deployment: Deployment) -> None:
    billed = deployment.with_(extractor=Billing(), prices=OF_CALLS)
    billed.clock.now = datetime(2026, 8, 1, tzinfo=UTC) - timedelta(microseconds=1)
    billed.add("ana", "My home is Tokyo.")
    billed.clock.advance(timedelta(microseconds=1))
    billed.add("ana", ["My home is Osaka.", "My home is Kyoto."])

    assert [spent(billed, month) for month in (JULY, "2026-08")] == [CALL_USD, 2 * CALL_USD]


@pytest.mark.parametrize("error", [ExtractionFailed, ExtractionUnavailable])
def test_a_failed_event_says_what_it_spent_and_a_replay_adds_to_it(
    deployment: Deployment, error: type[CognisError]
) -> None:
    """One message is extracted, the next costs two calls that come to nothing."""
    billing = Billing()
    billed = deployment.with_(extractor=billing, prices=OF_CALLS)
    state = billed.accept("ana", TOLD)
    for stage in list(STAGES.values())[:3]:
        state = stage(billed.ingestion, state)
    billing.errors = [after(error("no"), 2)]
    with pytest.raises(error):
        STAGES["ExtractMemories"](billed.ingestion, state)

    event = billed.event(state.event_id)
    assert (event.usage.llm_calls, event.usage.estimated_cost_usd) == (2, 2 * CALL_USD)
    assert spent(billed) == 2 * CALL_USD
    finished = billed.run(state)
    assert (finished.status, finished.usage.llm_calls) == (EventStatus.SUCCEEDED, 4)
    assert spent(billed) == finished.usage.estimated_cost_usd == 4 * CALL_USD


def test_an_event_that_fails_for_good_keeps_its_bill_over_a_replay(any_deployment: Deployment) -> None:
    billing = Billing([after(ExtractionFailed("no"), 2)])
    billed = any_deployment.with_(extractor=billing, prices=OF_CALLS)
    failed = billed.add("ana", "My home is Tokyo.")
    assert (failed.status, failed.usage.llm_calls) == (EventStatus.FAILED, 2)

    ports = ReplayPorts(billed.ledger, billed.payloads, Machines(), billed.clock)
    pending = replay_event(ports, TENANT, failed.event_id)
    replayed = billed.run(IngestionState(tenant_id=TENANT, event_id=pending.id))
    assert (replayed.status, replayed.usage.llm_calls) == (EventStatus.SUCCEEDED, 3)
    assert spent(billed) == replayed.usage.estimated_cost_usd == 3 * CALL_USD


@pytest.mark.parametrize(
    ("engine", "last"),
    [("deployment", None), ("aws_deployment", "extract"), ("aws_deployment", "update_event")],
    ids=["local", "aws-called", "aws-counted"],
)
def test_a_process_that_dies_anywhere_loses_at_most_the_call_it_had_not_counted(
    engine: str, last: str | None, request: pytest.FixtureRequest
) -> None:
    """Whichever step is its last: the bill of event and tenant are one, and no call stands on it twice."""
    opened: Deployment = request.getfixturevalue(engine)
    recorded = opened.with_(extractor=Billing(), prices=OF_CALLS)
    steps = steps_of(recorded, recorded.accept("zoe", TOLD))
    before = spent(recorded)
    for name in sorted(set(steps)) if last is None else [last]:
        for number in range(1, steps.count(name) + 1):
            billing = Billing()
            billed = opened.with_(extractor=billing, prices=OF_CALLS)
            state = billed.accept(f"ana-{name}-{number}", TOLD)
            run_until(billed, state, name, number)
            billed.clock.advance(timedelta(minutes=3))
            event = billed.run(state)

            lost = 1 if name == "extract" else 0
            assert event.status is EventStatus.SUCCEEDED
            assert event.usage.llm_calls == billing.calls - lost, (name, number)
            assert spent(billed) - before == event.usage.estimated_cost_usd
            before = spent(billed)


def test_repeated_stages_count_the_calls_that_they_make(deployment: Deployment) -> None:
    billing = Billing()
    billed = deployment.with_(extractor=billing, prices=OF_CALLS)
    state = billed.accept("ana", TOLD)
    for stage in STAGES.values():
        stage(billed.ingestion, state)
        state = stage(billed.ingestion, state)

    assert billing.calls == 4
    assert billed.event(state.event_id).usage.llm_calls == 4
    assert spent(billed) == 4 * CALL_USD


def test_many_ingestions_at_once_add_up_exactly(deployment: Deployment) -> None:
    billed = deployment.with_(extractor=Billing(), prices=OF_CALLS)
    states = [billed.accept(f"user-{number}", TOLD) for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        events = list(pool.map(billed.run, states))

    assert [event.usage.llm_calls for event in events] == [2] * len(states)
    assert spent(billed) == 2 * len(states) * CALL_USD


def test_what_an_overtaken_or_erased_event_spends_is_its_tenants_all_the_same(
    any_deployment: Deployment,
) -> None:
    class Erasing(Billing):
        def extract(self, request: ExtractionRequest) -> Extraction:
            any_deployment.erase("ana")
            return super().extract(request)

    billed = any_deployment.with_(extractor=Erasing(), prices=OF_CALLS)
    state = billed.accept("ana", "My home is Tokyo.")

    with pytest.raises(UserErased):
        billed.run(state)
    assert spent(billed) == CALL_USD
    any_deployment.erase("ana")
    assert spent(billed) == CALL_USD


def test_embeddings_are_counted_with_what_they_are_made_for(any_deployment: Deployment) -> None:
    """Messages, facts, a change by hand, an import; what brings its vectors costs nothing."""
    billed = any_deployment.with_(prices=OF_EMBEDDINGS)
    told = billed.add("ana", "My home is Tokyo.").usage
    assert (told.embedding_tokens, spent(billed)) == (10, Decimal("0.0001"))

    (memory,) = billed.list("ana").memories
    billed.change("ana", memory.id, category="travel")
    assert spent(billed) == Decimal("0.0001")
    billed.change("ana", memory.id, content="The home is Kyoto")
    assert spent(billed) == Decimal("0.00015")

    file = Transfers(billed).export("ana")
    assert Transfers(billed).import_("ben", file).usage == Usage()
    bare = file_of([{**line, "vector": None} if "vector" in line else line for line in lines_of(file)])
    imported = Transfers(billed).import_("cleo", bare)
    assert imported.usage.embedding_tokens > 10
    assert spent(billed) == Decimal("0.00015") + imported.usage.estimated_cost_usd


def test_an_embedding_that_fails_and_is_made_again_is_counted_once(deployment: Deployment) -> None:
    class Flaky(HashEmbedder):
        failed = False

        def embed(self, texts: Any) -> Any:
            if not self.failed:
                self.failed = True
                raise EmbeddingUnavailable("slow")
            return super().embed(texts)

    billed = deployment.with_(embedder=Flaky(), prices=OF_EMBEDDINGS)

    assert billed.add("ana", "My home is Tokyo.").usage.embedding_tokens == 10


def test_a_budget_cannot_be_kept_where_a_price_is_unknown(deployment: Deployment) -> None:
    unknown = replace(OF_CALLS, unknown=("own.model-v1",))
    blind = deployment.with_(prices=unknown)
    assert blind.add("ana", "My home is Tokyo.").status is EventStatus.SUCCEEDED

    blind.ledger.set_budget(TENANT, Decimal(10))
    with pytest.raises(ConfigurationError, match=r"own\.model-v1 is unknown; add it to COGNIS_PRICES"):
        blind.accept("ana", "My home is Osaka.")
    check_budget(blind.ledger, "another", unknown, blind.clock())
