"""A tenant that has spent its month's budget: new work is refused with a reason, everything else goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from api_gateway import Answer
from fakes import ManualClock
from http_api import Api, opened_api

from cognis_memory.errors import LedgerUnavailable
from cognis_memory.runtime.wiring import deployment

TOLD = "My home is Tokyo."
CALL_USD = Decimal("0.017")
"""What its extraction costs: a thousand dollars for a million of its characters."""

PRICED = {"COGNIS_EXTRACTION_MODEL_ID": "own", "COGNIS_PRICES": '{"own": [1000, 0]}'}
NOW = datetime(2026, 12, 30, 23, 59, 58, 500_000, tzinfo=UTC)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    with opened_api(**PRICED) as opened:
        monkeypatch.setattr(deployment(), "clock", ManualClock(NOW))
        yield opened


def allow(usd: str | None, tenant: str = "acme") -> None:
    deployment().ledger.set_budget(tenant, None if usd is None else Decimal(usd))


def post(api: Api, user_id: str, text: str = TOLD, **rest: Any) -> Answer:
    return api.post(
        "/v1/memories", {"user_id": user_id, "messages": [{"role": "user", "content": text}]}, **rest
    )


def test_once_it_is_spent_new_messages_are_refused_with_the_reason(api: Api) -> None:
    allow("0.03")
    assert api.tell("ana", TOLD)["usage"]["estimated_cost_usd"] == 0.017
    assert api.tell("ben", TOLD)["status"] == "SUCCEEDED"
    refused = post(api, "ana")

    assert refused.status == 429
    assert refused.json["type"] == "urn:cognis:problem:budget-exceeded"
    assert refused.json["detail"].startswith("0.034 of 0.03 US dollars of this month's budget are spent")
    assert "2027-01-01T00:00:00Z" in refused.json["detail"]
    assert refused.headers["Retry-After"] == str(86_400 + 2)
    assert [event for event in api.cloud.started("ingestion") if event["event_id"] not in api.done] == []


def test_an_import_is_refused_and_an_export_is_not(api: Api) -> None:
    allow("0")

    refused = api.post("/v1/users/ana/import")
    assert (refused.status, refused.json["type"]) == (429, "urn:cognis:problem:budget-exceeded")
    assert api.post("/v1/users/ana/export").status == 202


def test_reading_changing_deleting_and_erasing_go_on(api: Api) -> None:
    api.tell("ana", TOLD)
    allow("0.01")
    assert post(api, "ana").status == 429

    assert api.found("ana", "home")[0] == "The home is Tokyo"
    (memory,) = api.get("/v1/memories?user_id=ana").json["memories"]
    assert api.post("/v1/context", {"user_id": "ana", "query": "home"}).status == 200
    patch = {"user_id": "ana", "content": "The home is Osaka"}
    changed = api.patch(f"/v1/memories/{memory['id']}", patch)
    assert changed.status == 200
    assert api.delete(f"/v1/memories/{changed.json['id']}?user_id=ana").status == 204
    erased = api.delete("/v1/users/ana")
    api.run()
    assert api.get(erased.headers["Location"]).json["status"] == "SUCCEEDED"


def test_what_was_accepted_runs_to_its_end_and_can_be_asked_for_again(api: Api) -> None:
    """The overshoot is what was under way."""
    allow("0.001")
    accepted = [post(api, "ana", headers={"Idempotency-Key": "one"}), post(api, "ben"), post(api, "cleo")]
    api.run()
    ended = [api.get(answer.headers["Location"]).json["status"] for answer in accepted]
    repeated = post(api, "ana", headers={"Idempotency-Key": "one"})

    assert ended == ["SUCCEEDED"] * 3
    assert deployment().ledger.get_spending("acme", "2026-12").spent_usd == 3 * CALL_USD
    assert (repeated.status, repeated.headers["Idempotent-Replayed"]) == (202, "true")
    assert repeated.json["event_id"] == accepted[0].json["event_id"]
    assert post(api, "ana", headers={"Idempotency-Key": "two"}).status == 429
    assert post(api, "ana", "Another.", headers={"Idempotency-Key": "one"}).status == 422


def test_the_next_month_a_higher_budget_or_none_open_it_again(api: Api) -> None:
    allow("0.01")
    api.tell("ana", TOLD)
    assert post(api, "ana").status == 429

    allow("0.018")
    assert post(api, "ana").status == 202
    allow("0.017")
    assert post(api, "ana").status == 429
    allow(None)
    assert post(api, "ana").status == 202
    allow("0.01")
    clock: Any = deployment().clock
    clock.advance(timedelta(days=2))
    assert post(api, "ana").status == 202


def test_other_tenants_have_their_own(api: Api) -> None:
    other = api.cloud.tenant("other")
    allow("0")

    assert post(api, "ana").status == 429
    assert post(api, "ana", key=other).status == 202


def test_a_refusal_leaves_nothing_behind(api: Api) -> None:
    allow("0")
    before = api.cloud.stored_items()
    for key in (None, "once"):
        assert post(api, "ana", headers={"Idempotency-Key": key} if key else {}).status == 429

    assert api.cloud.stored_items() == before


def test_a_ledger_that_is_down_refuses_for_the_moment(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(tenant_id: str, month: str) -> Any:
        raise LedgerUnavailable("Query: ThrottlingException")

    monkeypatch.setattr(deployment().ledger, "get_spending", down)
    refused = post(api, "ana")

    assert (refused.status, refused.json["type"]) == (503, "urn:cognis:problem:unavailable")
    assert refused.headers["Retry-After"] == "2"


def test_refusals_are_logged_with_their_tenant_and_counted_without(
    api: Api, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    allow("0")
    post(api, "ana")

    (line,) = [vars(record) for record in caplog.records if record.message == "budget_exceeded"]
    assert line["tenant"] == "acme"
    metrics = [json.loads(out) for out in capsys.readouterr().out.splitlines() if "BudgetExceeded" in out]
    (counted,) = [found for found in metrics if "_aws" in found]
    assert counted["BudgetExceeded"] == [1.0]
    assert "acme" not in str(counted)


def test_a_deployment_whose_models_have_no_price_says_so_to_its_operator(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Paid by the token, at an unknown price, as a model of Bedrock is that nobody has put on the list."""
    with opened_api() as api, pytest.MonkeyPatch.context() as patched:
        patched.setenv("COGNIS_EXTRACTION_MODEL_ID", "own.model-v1")
        patched.delenv("COGNIS_MODEL_PROVIDER")
        deployment.cache_clear()
        accepted = post(api, "ana", headers={"Idempotency-Key": "k1"})
        assert accepted.status == 202
        allow("5")
        refused = post(api, "ana")
        repeated = post(api, "ana", headers={"Idempotency-Key": "k1"})

    assert (repeated.status, repeated.json["event_id"]) == (202, accepted.json["event_id"])
    (line,) = [vars(record) for record in caplog.records if record.message == "request_failed"]
    assert (refused.status, line["error"]) == (500, "ConfigurationError")
    assert "own.model-v1" in line["detail"]
    assert "own.model-v1" not in refused.body
