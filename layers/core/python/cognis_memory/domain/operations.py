"""What ADD, UPDATE, DELETE and NONE each do to a chain.

| operation | with its target's chain | without a target | when its target is gone, erased |
|---|---|---|---|
| ADD | | begins a chain | |
| UPDATE | takes its place in time in it | | begins a chain |
| DELETE | takes its place in time in it, as a retraction | leaves a tombstone, a chain by itself | nothing |
| NONE | is one more statement of its target | | nothing |

A tombstone is what makes the order of arrival indifferent: what is told late finds it, as it finds any other
retraction, among the similar memories and becomes an UPDATE that stands before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cognis_memory.domain.versions import place, place_repeat
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Operation


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a statement.

    `chain` is the whole chain afterwards, empty where nothing happened. `operation` is NONE where no version
    came of the statement, UPDATE where another statement stands before or after its version. `memory_id`
    names the version that it made or repeats, for a DELETE the one that it retracts, where there is one.
    `replaces_id` is the version before the one that it made.
    """

    chain: tuple[Memory, ...]
    operation: Operation
    memory_id: str
    replaces_id: str | None = None


def carry_out(
    operation: Operation,
    statement: Memory,
    chain: Sequence[Memory],
    target_id: str | None,
    *,
    now: datetime,
) -> Outcome:
    """Applies a statement with its operation to the chain of its target, which is empty where there is none.

    `statement` is the version that may come of it, with the message that it is from as first source. Carried
    out again, it changes nothing.
    """
    if not chain and (operation is Operation.NONE or (operation is Operation.DELETE and target_id)):
        return Outcome((), Operation.NONE, target_id or statement.id)
    if operation is Operation.NONE and target_id:
        return _outcome(place_repeat(chain, target_id, statement, now=now), statement, target_id)
    ends = operation is Operation.DELETE
    told = statement.model_copy(update={"operation": Operation.DELETE if ends else Operation.ADD})
    return _outcome(place(chain, told, now=now), statement)


def _outcome(chain: tuple[Memory, ...], statement: Memory, target_id: str | None = None) -> Outcome:
    made = next((number for number, version in enumerate(chain) if version.id == statement.id), None)
    if made is None:
        holders = (v.id for v in chain if any(repeat.id == statement.id for repeat in v.repeats))
        return Outcome(chain, Operation.NONE, next(holders, target_id or statement.id))
    version = chain[made]
    if version.operation is Operation.DELETE:
        return Outcome(chain, Operation.DELETE, version.replaces_id or version.id, version.replaces_id)
    beside = (*chain[max(made - 1, 0) : made], *chain[made + 1 : made + 2])
    changes = any(other.operation is not Operation.DELETE for other in beside)
    return Outcome(chain, Operation.UPDATE if changes else Operation.ADD, version.id, version.replaces_id)
