"""Version chains: what one thing worth knowing was, in order of time.

A chain is a function of the set of its versions and of nothing else: whenever one is added, everything that
depends on its neighbours is worked out anew from the order of `Memory.order` (timestamp, event id, position).
So neither the order of arrival nor a repeat can change the outcome, and a chain cannot fork: each version
replaces the one before it.

The last version is current unless it is a retraction (operation DELETE). A version that finds a statement in
force is an UPDATE of it; the first one, and one that follows a retraction, is an ADD.

A version holds from its message's timestamp, or from its event's time where that is earlier but still after
its predecessor took effect: "I moved to Osaka last month" holds from last month, unless Tokyo, which it
replaces, was stated only last week. It holds until its successor takes effect, so the valid times of a chain
touch without gap or overlap. A retraction's own valid time is the time in which nothing was known to hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Operation


def place(versions: Sequence[Memory], *new: Memory, now: datetime) -> tuple[Memory, ...]:
    """The whole chain, oldest version first, with the new versions at their places in time.

    A version whose id the chain holds already is not taken in again; what a writer left undone who died
    half-way through a long chain is done. A new version comes out at revision 1, whatever else changed one
    revision on, both updated at `now`; so give all new versions of one commit in one call.
    The chain keeps its id, also when a version earlier than its first comes in; a chain that has no version
    yet takes the id of the first given.

    Raises ValueError when the versions are not of one chain and one owner.
    """
    chain = {version.id: version for version in versions}
    added = {version.id: version for version in reversed(new) if version.id not in chain}
    if not (chain or added):
        return ()
    members = sorted([*chain.values(), *added.values()], key=lambda version: version.order)
    chain_id = versions[0].chain_id if versions else new[0].chain_id
    if {version.chain_id for version in versions} - {chain_id} or len({m.owner for m in members}) > 1:
        raise ValueError("the versions are of several chains or owners")
    linked = _linked(members, chain_id)
    return tuple(_revised(chain.get(version.id), version, now) for version in linked)


def changed(before: Iterable[Memory], after: Iterable[Memory]) -> tuple[Memory, ...]:
    """The versions of `after` that are new or differ from those of `before`, in order, to be written."""
    known = {version.id: version for version in before}
    return tuple(version for version in after if known.get(version.id) != version)


def _linked(members: Sequence[Memory], chain_id: str) -> list[Memory]:
    """The members, in order of time, with everything that depends on their neighbours."""
    starts: list[datetime] = []
    for member in members:
        starts.append(_valid_from(member, starts[-1] if starts else None))
    predecessors = [None, *members[:-1]]
    ends = [*starts[1:], None]
    return [
        member.model_copy(
            update={
                "chain_id": chain_id,
                "version": number,
                "operation": _operation(member, predecessor),
                "replaces_id": predecessor.id if predecessor else None,
                "valid_from": start,
                "valid_until": end,
                "is_current": end is None and member.operation is not Operation.DELETE,
            }
        )
        for number, (member, predecessor, start, end) in enumerate(
            zip(members, predecessors, starts, ends, strict=True), start=1
        )
    ]


def _valid_from(member: Memory, predecessor_from: datetime | None) -> datetime:
    event = member.event_time
    if event is None or event > member.timestamp:
        return member.timestamp
    return event if predecessor_from is None or event > predecessor_from else member.timestamp


def _operation(member: Memory, predecessor: Memory | None) -> Operation:
    if member.operation is Operation.DELETE:
        return Operation.DELETE
    in_force = predecessor is not None and predecessor.operation is not Operation.DELETE
    return Operation.UPDATE if in_force else Operation.ADD


def _revised(before: Memory | None, after: Memory, now: datetime) -> Memory:
    if before == after:
        return after
    revision = before.revision + 1 if before else 1
    return after.model_copy(update={"revision": revision, "updated_at": now})
