"""Version chains: what one thing worth knowing was, in order of time.

A chain is a function of the set of the statements that were made of it and of nothing else: whenever one is
added, everything that depends on its neighbours is worked out anew from the order of `Memory.order`
(timestamp, event id, position). So neither the order of arrival nor a repeat can change what was true when,
and a chain cannot fork: each version replaces the one before it.

Statements of the same that follow each other are one version and its repeats, whichever arrived first. The
repeats are kept with their times, for a statement that comes to stand between two of them makes two versions
after all: who lives in Osaka in May and still in July, and told late of Kyoto in June, lives in Osaka.
A version expires when the last of its statements does, and never where one of them has no end.

The last version is current unless it is a retraction. What says that something is no longer so retracts what
stands before it. Where nothing does, it is a fact of its own ("User quit smoking"), unless its operation is
DELETE: then it is a tombstone, never shown. A version that finds a statement in force is an UPDATE of it; the
first one, and one that follows a retraction, is an ADD.

A version holds from its message's timestamp, or from its event's time where that is earlier but still after
its predecessor took effect: "I moved to Osaka last month" holds from last month, unless Tokyo, which it
replaces, was stated only last week. It holds until its successor takes effect, so the valid times of a chain
touch without gap or overlap; but what lapsed, "from 2023 to 2025", holds no longer than it says. A
retraction's own valid time is the time in which nothing was known to hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

from cognis_memory.models.memory import Memory, Repeat
from cognis_memory.models.values import Operation

MAX_SOURCE_MESSAGES: Final = 100
"""A memory names at most so many messages; every message names its memories without a limit."""

MAX_REPEATS: Final = 100
"""Of more, the first and the latest are kept: they decide since when it is so, and what is so now."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A version as it was stated, or as it was stated again, in `words` of its own where these are known."""

    version: Memory
    repeat: Repeat | None = None
    words: Memory | None = None

    @property
    def order(self) -> tuple[datetime, str, int]:
        return (self.repeat or self.version).order

    def as_version(self, now: datetime) -> Memory:
        """The version that comes of it, without repeats."""
        if self.words is not None:
            return self.words
        if self.repeat is not None:
            return _stated_anew(self.version, self.repeat, now)
        return self.version.model_copy(update={"repeats": ()})


def place(versions: Sequence[Memory], *new: Memory, now: datetime) -> tuple[Memory, ...]:
    """The whole chain, oldest version first, with the new statements at their places in time.

    A statement that the chain holds already, as a version or as a repeat, is not taken in again; what a
    writer left undone who died half-way through a long chain is done. A new version comes out at revision 1,
    whatever else changed one revision on, both updated at `now`; so give all new statements of one commit in
    one call. The chain keeps its id, also when a version earlier than its first comes in; a chain that has
    no version yet takes the id of the first given.

    Raises ValueError when the versions are not of one chain and one owner.
    """
    known = _known(versions)
    added: dict[str, Memory] = {}
    for version in new:
        if version.id not in known:
            added.setdefault(version.id, version)
    return _arranged(versions, [_Statement(version) for version in added.values()], now)


def place_repeat(
    versions: Sequence[Memory], target_id: str, statement: Memory, *, now: datetime
) -> tuple[Memory, ...]:
    """The whole chain after the target was stated again: a repeat of what held then, or a version of its own.

    What the chain holds already is not taken in again. A target that it knows no more, one of very many
    repeats, is its last version.
    """
    target = next((version for version in versions if target_id in _ids(version)), versions[-1])
    if statement.id in _known(versions):
        return _arranged(versions, [], now)
    kind = {"retracts": target.retracts, "operation": target.operation}
    again = _Statement(target, _as_repeat(statement), statement.model_copy(update=kind))
    return _arranged(versions, [again], now)


def changed(before: Iterable[Memory], after: Iterable[Memory]) -> tuple[Memory, ...]:
    """The versions of `after` that are new or differ from those of `before`, in order, to be written."""
    known = {version.id: version for version in before}
    return tuple(version for version in after if known.get(version.id) != version)


def _ids(version: Memory) -> set[str]:
    """The ids under which a version is meant: its own and those of its repeats."""
    return {version.id, *(repeat.id for repeat in version.repeats)}


def _known(versions: Iterable[Memory]) -> set[str]:
    return {id_ for version in versions for id_ in _ids(version)}


def _arranged(versions: Sequence[Memory], new: Sequence[_Statement], now: datetime) -> tuple[Memory, ...]:
    chain = {version.id: version for version in versions}
    members = [*versions, *(statement.version for statement in new)]
    if not members:
        return ()
    chain_id = members[0].chain_id
    if {version.chain_id for version in versions} - {chain_id} or len({m.owner for m in members}) > 1:
        raise ValueError("the versions are of several chains or owners")
    statements = [_Statement(version, each) for version in versions for each in (None, *version.repeats)]
    linked = _linked(_told([*statements, *new], fixed=chain.keys(), now=now), chain_id)
    return tuple(_revised(chain.get(version.id), version, now) for version in linked)


def _told(statements: Sequence[_Statement], *, fixed: Iterable[str], now: datetime) -> list[Memory]:
    """The versions that the statements make, in order of time, each with its repeats."""
    kept = {*fixed, *(each.version.id for each in statements if not each.version.source_messages)}
    in_order = sorted(statements, key=lambda statement: statement.order)
    told: list[Memory] = []
    for _, run in groupby(in_order, key=lambda statement: _meaning(statement.version)):
        told += _versions_of(list(run), kept, now)
    return told


def _meaning(version: Memory) -> tuple[bool, str]:
    """What holds after it: what its words say, or nothing."""
    if version.retracts or _is_hidden(version):
        return (True, "told" if version.retracts else "hidden")
    return (False, version.content)


def _versions_of(run: Sequence[_Statement], kept: Collection[str], now: datetime) -> list[Memory]:
    """The versions of statements of the same, one after the other with nothing else between them.

    Those that are known by their ids or made by hand, from no message, stay versions; where there is none,
    the first statement is one. All others are repeats of the version before them, or else of the first.
    """
    made = [each for each in run if each.repeat is None and each.version.id in kept] or [run[0]]
    versions = [each.as_version(now) for each in made]
    for statement in run:
        if statement not in made:
            place = max(sum(each.order < statement.order for each in made) - 1, 0)
            versions[place] = _with_repeat(versions[place], statement)
    return versions


def _as_repeat(version: Memory) -> Repeat:
    """A statement as one that repeats another; its message is the first of its sources."""
    return Repeat(
        id=version.id,
        message_id=version.source_messages[0],
        event_id=version.event_id,
        position=version.position,
        timestamp=version.timestamp,
        event_time=version.event_time,
        event_end=version.event_end,
    )


def _with_repeat(version: Memory, statement: _Statement) -> Memory:
    repeat = statement.repeat or _as_repeat(statement.version)
    sources = version.source_messages
    if repeat.message_id not in sources:
        sources = (*sources, repeat.message_id)[:MAX_SOURCE_MESSAGES]
    repeats = (*version.repeats, repeat)
    if len(repeats) > MAX_REPEATS:
        repeats = (repeats[0], *repeats[2:])
    expires_at = _later(version.expires_at, (statement.words or statement.version).expires_at)
    return version.model_copy(
        update={"repeats": repeats, "source_messages": sources, "expires_at": expires_at}
    )


def _later(end: datetime | None, other: datetime | None) -> datetime | None:
    """The later of two ends, of which None is the last."""
    return None if end is None or other is None else max(end, other)


def _stated_anew(source: Memory, repeat: Repeat, now: datetime) -> Memory:
    """A version in the words of another, stated when its repeat was."""
    return source.model_copy(
        update={
            "id": repeat.id,
            "event_id": repeat.event_id,
            "position": repeat.position,
            "timestamp": repeat.timestamp,
            "event_time": repeat.event_time,
            "event_end": repeat.event_end,
            "source_messages": (repeat.message_id,),
            "repeats": (),
            "created_at": now,
        }
    )


def _linked(members: Sequence[Memory], chain_id: str) -> list[Memory]:
    """The members, in order of time, with everything that depends on their neighbours."""
    starts: list[datetime] = []
    for member in members:
        starts.append(_valid_from(member, starts[-1] if starts else None))
    ends = [*starts[1:], None]
    linked: list[Memory] = []
    for member, start, end in zip(members, starts, ends, strict=True):
        predecessor = linked[-1] if linked else None
        operation = _operation(member, predecessor)
        placed = {
            "chain_id": chain_id,
            "version": len(linked) + 1,
            "operation": operation,
            "replaces_id": predecessor.id if predecessor else None,
            "valid_from": start,
            "valid_until": _valid_until(member, start, end),
            "is_current": end is None and operation is not Operation.DELETE,
        }
        linked.append(member.model_copy(update=placed))
    return linked


def _valid_from(member: Memory, predecessor_from: datetime | None) -> datetime:
    statements: list[Memory | Repeat] = [member, *member.repeats[:1]]
    first = min(statements, key=lambda statement: statement.order)
    if first.event_time is None or first.event_time > first.timestamp:
        return first.timestamp
    follows = predecessor_from is None or first.event_time > predecessor_from
    return first.event_time if follows else first.timestamp


def _valid_until(member: Memory, start: datetime, successor_from: datetime | None) -> datetime | None:
    if not member.lapses or member.event_end is None:
        return successor_from
    lapsed = max(start, member.event_end)
    return lapsed if successor_from is None else min(lapsed, successor_from)


def _operation(member: Memory, predecessor: Memory | None) -> Operation:
    if _is_hidden(member) or (member.retracts and predecessor is not None):
        return Operation.DELETE
    in_force = predecessor is not None and predecessor.operation is not Operation.DELETE
    return Operation.UPDATE if in_force else Operation.ADD


def _is_hidden(version: Memory) -> bool:
    """Whether it is a retraction that tells nothing by itself."""
    return version.operation is Operation.DELETE and not version.retracts


def _revised(before: Memory | None, after: Memory, now: datetime) -> Memory:
    if before == after:
        return after
    revision = before.revision + 1 if before else 1
    return after.model_copy(update={"revision": revision, "updated_at": now})
