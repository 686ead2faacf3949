"""What a user's erasure epoch says: odd while an erasure is under way, even at rest, as a seqlock counts.

Work belongs to the epoch in which it was accepted, which is even. The ledger refuses commits of any other
than the present epoch, so that nothing is committed while an erasure is under way, nor afterwards what was
accepted before it.
"""

from __future__ import annotations

from cognis_memory.errors import UserErased
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger


def writable_epoch(ledger: Ledger, owner: Owner) -> int:
    """The epoch of work accepted now. Raises UserErased while an erasure is under way."""
    epoch = ledger.erasure_epoch(owner)
    if is_erasing(epoch):
        raise UserErased("the user is being erased; send it again once the erasure has ended")
    return epoch


def is_erasing(epoch: int) -> bool:
    """Whether it is that of an erasure under way."""
    return epoch % 2 == 1


def erasing_epoch(epoch: int) -> int:
    """The epoch of an erasure that is asked for now: a new one, or the one that is under way."""
    return epoch | 1
