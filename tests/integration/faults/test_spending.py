"""Each call of a model and each write that counts it is struck once: no call is on the bill twice."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Final

import pytest
from fakes import SentenceExtractor
from fault_injection import Fault, Kind, Site, When
from faulty_functions import TENANT, FunctionProcesses

from cognis_memory.models.event import EventStatus, Usage
from cognis_memory.models.extraction import Extraction, ExtractionRequest

from .scenarios import ingest, prepare

PRICED: Final = {"COGNIS_EXTRACTION_MODEL_ID": "own", "COGNIS_PRICES": '{"own": [1, 5]}'}
CALL_USD: Final = Decimal("0.0015")
MONTH: Final = "2026-07"
KINDS: Final = (Kind.KILL, Kind.TIMEOUT, Kind.UNFORESEEN)
COUNTED: Final = ("extractor.extract", "ledger.update_event", "dynamodb.TransactWriteItems")


class Billing:
    """Answers `calls` times, each for a thousand tokens in and a hundred out."""

    chunk_messages = 1

    def __init__(self) -> None:
        self.calls = 0

    def extract(self, request: ExtractionRequest) -> Extraction:
        self.calls += 1
        usage = Usage(llm_calls=1, input_tokens=1_000, output_tokens=100)
        return replace(SentenceExtractor().extract(request), usage=usage)


def spent(functions: FunctionProcesses) -> Decimal:
    with functions.line.disarmed():
        return functions.opened.ledger.get_spending(TENANT, MONTH).spent_usd


def bill(functions: FunctionProcesses, fault: Fault | None) -> tuple[int, int, Decimal]:
    """Of one ingestion the calls that were answered, those on its event, and what they cost its tenant."""
    functions.restore()
    before = spent(functions)
    billing = Billing()
    functions.use(billing)
    ingest(functions, "ADD", fault)
    (event_id,) = {run.partition("-")[0] for run in functions.machines.runs}
    event = functions.event(event_id)
    assert event.status is EventStatus.SUCCEEDED
    return billing.calls, event.usage.llm_calls, spent(functions) - before


@pytest.mark.parametrize(
    ("engines", "kind"),
    [*(("local_functions", kind) for kind in KINDS), ("aws_functions", Kind.KILL)],
    ids=[*(f"local-{kind}" for kind in KINDS), "aws-kill"],
)
def test_event_and_tenant_pay_for_each_answer_once(
    engines: str, kind: Kind, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    functions: FunctionProcesses = request.getfixturevalue(engines)
    for name, value in PRICED.items():
        monkeypatch.setenv(name, value)
    functions.start()
    prepare(functions)
    assert bill(functions, None) == (2, 2, 2 * CALL_USD)
    sites = [site for site in ingest(functions, "ADD").sites if _counts(site)]
    assert len(sites) >= 3

    for site in sites:
        for when in When:
            answered, on_event, usd = bill(functions, Fault(site, when, kind))
            assert answered - on_event in _uncounted(site, when), (str(site), when)
            assert usd == on_event * CALL_USD


def _counts(site: Site) -> bool:
    return site.stage == "ExtractMemories" and site.call in COUNTED


def _uncounted(site: Site, when: When) -> tuple[int, ...]:
    """How many answers may be missing: the one that did not come, or whose count was not written."""
    if site.call == "extractor.extract":
        return (1,) if when is When.AFTER else (0,)
    return (0, 1) if when is When.BEFORE else (0,)
