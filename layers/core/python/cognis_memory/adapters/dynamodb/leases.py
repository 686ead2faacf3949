"""Erasure epochs and leases: who may still write."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from cognis_memory.adapters.dynamodb.items import number, text
from cognis_memory.adapters.dynamodb.schema import epoch_key, lease_key
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.adapters.dynamodb.transaction import Condition, Transaction
from cognis_memory.adapters.ledger.encoding import to_micros
from cognis_memory.errors import (
    CognisError,
    LeaseHeld,
    RevisionConflict,
    StaleLease,
    UserErased,
)
from cognis_memory.models.commit import Commit
from cognis_memory.models.event import Lease
from cognis_memory.models.values import Owner


class Leases:
    """The part of the ledger that fences writers."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def erasure_epoch(self, owner: Owner) -> int:
        item = self._table.get(epoch_key(owner))
        return 0 if item is None else int(item["epoch"]["N"])

    def raise_erasure_epoch(self, owner: Owner, to: int) -> None:
        transaction = self._table.transaction()
        transaction.update(
            epoch_key(owner),
            "SET epoch = :next",
            {":next": number(to)},
            Condition("attribute_not_exists(epoch) OR epoch < :next", {":next": number(to)}),
            RevisionConflict("the epoch is there already"),
        )
        transaction.update(
            lease_key(owner), "ADD lease_token :one REMOVE holder, expires_at", {":one": number(1)}
        )
        with suppress(RevisionConflict):
            transaction.run()

    def acquire_lease(self, owner: Owner, holder: str, *, now: datetime, duration: timedelta) -> Lease:
        expires_at = now + duration
        changed = self._table.update(
            lease_key(owner),
            "SET holder = :holder, expires_at = :expires ADD lease_token :one",
            {":holder": text(holder), ":expires": number(to_micros(expires_at)), ":one": number(1)},
            Condition(
                "attribute_not_exists(holder) OR holder = :holder OR expires_at <= :now",
                {":now": number(to_micros(now))},
            ),
            LeaseHeld("another ingestion of this user is under way"),
        )
        return Lease(owner, holder, int(changed["lease_token"]["N"]), expires_at)

    def renew_lease(self, lease: Lease, *, now: datetime, duration: timedelta) -> Lease:
        renewed = replace(lease, expires_at=now + duration)
        self._table.update(
            lease_key(lease.owner),
            "SET expires_at = :expires",
            {":expires": number(to_micros(renewed.expires_at))},
            _still_held(lease),
            _taken_over(),
        )
        return renewed

    def release_lease(self, lease: Lease) -> None:
        try:
            self._table.update(
                lease_key(lease.owner), "REMOVE holder, expires_at", {}, _still_held(lease), _taken_over()
            )
        except StaleLease:
            return


def check_epoch(transaction: Transaction, owner: Owner, epoch: int) -> None:
    """Has the transaction raise UserErased unless the user is in that epoch."""
    erased = UserErased("the user was erased after this work was accepted")
    transaction.check(epoch_key(owner), _at_epoch(epoch), erased)


def check_fences(transaction: Transaction, commit: Commit) -> None:
    """Has the transaction raise UserErased or StaleLease unless the commit may still write."""
    check_epoch(transaction, commit.owner, commit.epoch)
    if commit.fence is not None:
        held = Condition(
            "attribute_exists(holder) AND lease_token = :token", {":token": number(commit.fence)}
        )
        transaction.check(lease_key(commit.owner), held, _taken_over())


def _at_epoch(epoch: int) -> Condition:
    if epoch == 0:
        return Condition("attribute_not_exists(epoch)")
    return Condition("epoch = :epoch", {":epoch": number(epoch)})


def _still_held(lease: Lease) -> Condition:
    return Condition(
        "holder = :holder AND lease_token = :token",
        {":holder": text(lease.holder), ":token": number(lease.token)},
    )


def _taken_over() -> CognisError:
    return StaleLease("the lease was taken over or released")
