"""Erasing everything of a user: asked for at once, carried out state by state.

While it is under way the user's epoch is odd: nothing is accepted, committed or projected. Every state can be
killed anywhere, repeated and redriven. What is removed is counted on the event before it goes, so that the
counts are right however often that happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from enum import StrEnum
from typing import Final

from cognis_memory.errors import ErasureIncomplete, UserErased
from cognis_memory.models.erasure import HeldItem, ItemKind
from cognis_memory.models.event import Event, EventKind, EventReference, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import Clock, Ledger, PayloadStore
from cognis_memory.services.erasure_epochs import erasing_epoch
from cognis_memory.services.memories.ports import RemovalPorts
from cognis_memory.services.payload_keys import owner_prefix
from cognis_memory.services.progress import advance, begin

ERASE_LEDGER: Final = "EraseLedger"
ERASE_PAYLOADS: Final = "ErasePayloads"
DROP_INDEXES: Final = "DropIndexes"
VERIFY_ERASURE: Final = "VerifyErasure"

ERASE_BATCH: Final = 500
"""Items that are listed, counted and removed together: some kilobytes of keys."""

ERASE_BATCHES: Final = 200
ERASE_PERIOD: Final = timedelta(seconds=60)
"""What one run of EraseLedger does at most; then the machine runs it again."""

ROUNDS: Final = 3
"""So often everything is erased before what is found again and again fails the erasure."""


class LedgerAnswer(StrEnum):
    """Whether the ledger still holds something for the next run of EraseLedger."""

    LEFT = "LEFT"
    ERASED = "ERASED"


class StoresAnswer(StrEnum):
    """What VerifyErasure found in all stores together."""

    EMPTY = "EMPTY"
    NOT_EMPTY = "NOT_EMPTY"


class ErasureState(EventReference):
    """Input and output of every state; `rounds` counts how often VerifyErasure found something."""

    ledger: LedgerAnswer | None = None
    stores: StoresAnswer | None = None
    rounds: int = 0


def request_erasure(ledger: Ledger, owner: Owner, event_id: str, clock: Clock) -> Event:
    """A PENDING event of kind ERASURE; from here on nothing is accepted or committed for the user.

    A crash between the two writes leaves the user closed and the caller without an answer: the same request
    once more goes on from there.
    """
    now = clock()
    while True:
        epoch = erasing_epoch(ledger.erasure_epoch(owner))
        ledger.raise_erasure_epoch(owner, epoch)
        event = Event(
            id=event_id,
            tenant_id=owner.tenant_id,
            user_id=owner.user_id,
            kind=EventKind.ERASURE,
            erasure_epoch=epoch,
            created_at=now,
            updated_at=now,
        )
        with suppress(UserErased):  # an erasure that was under way ended just now: this is one more
            return ledger.create_event(event)


def erase_user(ports: RemovalPorts, reference: EventReference) -> Event:
    """Runs all states in this process and returns the event, which has SUCCEEDED.

    Raises StaleEvent when another run of the same erasure is further on, and what the states raise.
    """
    state = ErasureState(tenant_id=reference.tenant_id, event_id=reference.event_id)
    while state.stores is not StoresAnswer.EMPTY:
        state = erase_ledger(ports, state)
        while state.ledger is LedgerAnswer.LEFT:
            state = erase_ledger(ports, state)
        state = verify_erasure(ports, drop_indexes(ports, erase_payloads(ports, state)))
    return begin(ports, reference, VERIFY_ERASURE)


def erase_ledger(ports: RemovalPorts, state: ErasureState) -> ErasureState:
    """Removes items batch by batch, as many as fit into one run; `ledger` says whether some are left."""
    event = begin(ports, state, ERASE_LEDGER)
    deadline = ports.clock() + ERASE_PERIOD
    for _ in range(ERASE_BATCHES):
        under_way = _under_way(ports, event)
        items = ports.ledger.held_items(event.owner, limit=ERASE_BATCH) if under_way else []
        if under_way and not items:
            _counted_once(ports, event, {kind.value: 0 for kind in ItemKind})
        if not items:
            return state.model_copy(update={"ledger": LedgerAnswer.ERASED})
        event = _counted(ports, event, items)
        try:
            ports.ledger.erase(event.owner, items, epoch=event.erasure_epoch)
        except UserErased:  # another erasure of the same user ended just now: these items are gone
            continue
        if ports.clock() >= deadline:
            break
    return state.model_copy(update={"ledger": LedgerAnswer.LEFT})


def erase_payloads(ports: RemovalPorts, state: ErasureState) -> ErasureState:
    """Removes what unfinished and failed events kept, and the files of exports and imports."""
    event = begin(ports, state, ERASE_PAYLOADS)
    if _under_way(ports, event):
        event = _counted_once(ports, event, _kept(ports, event.owner))
        for store in _stores(ports).values():
            store.delete(owner_prefix(event.owner), when=lambda: _under_way(ports, event))
    return state


def drop_indexes(ports: RemovalPorts, state: ErasureState) -> ErasureState:
    """Removes the user from every engine that the deployment writes to."""
    event = begin(ports, state, DROP_INDEXES)
    if _under_way(ports, event):
        event = _counted_once(ports, event, ports.projector.holdings(event.owner))
        ports.projector.drop(event.owner)
    return state


def verify_erasure(ports: RemovalPorts, state: ErasureState) -> ErasureState:
    """Reads every store again. Where all are empty, the user may begin anew and the event has SUCCEEDED.

    Something may be found that a process wrote which had begun before the erasure: all is erased again then.
    Raises ErasureIncomplete, which says what is left and where, when that does not help either.
    """
    event = begin(ports, state, VERIFY_ERASURE)
    if event.status is EventStatus.SUCCEEDED:
        return state.model_copy(update={"stores": StoresAnswer.EMPTY})
    if _under_way(ports, event):
        if left := _left(ports, event.owner):
            return _again(ports, event, state, left)
        ports.ledger.raise_erasure_epoch(event.owner, event.erasure_epoch + 1)
    advance(ports, event, status=EventStatus.SUCCEEDED, completed_at=ports.clock())
    return state.model_copy(update={"stores": StoresAnswer.EMPTY})


def _under_way(ports: RemovalPorts, event: Event) -> bool:
    """Whether the erasure has not ended, nor another one of the same user that was asked for meanwhile: what
    is there after that is new, and stays."""
    return ports.ledger.erasure_epoch(event.owner) == event.erasure_epoch


def _counted(ports: RemovalPorts, event: Event, items: Sequence[HeldItem]) -> Event:
    """The event with those items in its counts that come after the last one counted.

    Items go in their order and nothing is added to a user who is closed, so that an item up to there is one
    that an earlier run counted and did not live to remove.
    """
    fresh = [item for item in items if event.counted_to is None or str(item) > event.counted_to]
    if not fresh:
        return event
    number_of = Counter(event.counts) + Counter(item.kind.value for item in fresh)
    counts = {**event.counts, **{kind.value: number_of[kind.value] for kind in ItemKind}}
    return advance(ports, event, counts=counts, counted_to=str(fresh[-1]))


def _counted_once(ports: RemovalPorts, event: Event, counts: Mapping[str, int]) -> Event:
    """The event with these counts where it has none of that name: they were taken before anything went."""
    fresh = {name: number for name, number in counts.items() if name not in event.counts}
    return advance(ports, event, counts={**event.counts, **fresh}) if fresh else event


def _left(ports: RemovalPorts, owner: Owner) -> dict[str, int]:
    """What the stores still hold, in numbers above zero."""
    items = Counter(item.kind.value for item in ports.ledger.held_items(owner, limit=ERASE_BATCH))
    held = {**items, **_kept(ports, owner), **ports.projector.holdings(owner)}
    return {name: number for name, number in held.items() if number}


def _kept(ports: RemovalPorts, owner: Owner) -> dict[str, int]:
    return {name: store.count(owner_prefix(owner)) for name, store in _stores(ports).items()}


def _stores(ports: RemovalPorts) -> dict[str, PayloadStore]:
    """What keeps things under the user's prefix, by its name in the counts."""
    return {"payloads": ports.payloads, "transfer_files": ports.files}


def _again(ports: RemovalPorts, event: Event, state: ErasureState, left: Mapping[str, int]) -> ErasureState:
    rounds = state.rounds + 1
    if rounds == ROUNDS:
        found = ", ".join(f"{number} {name}" for name, number in sorted(left.items()))
        raise ErasureIncomplete(f"after {rounds} rounds the user's stores still hold {found}")
    advance(ports, event, counted_to=None)
    return state.model_copy(update={"stores": StoresAnswer.NOT_EMPTY, "rounds": rounds})
