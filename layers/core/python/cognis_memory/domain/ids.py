"""Ids of events, messages and memories.

An event's id is `evt_` and a ULID (github.com/ulid/spec), so that ids grow with the time of acceptance. Ids
of messages and memories derive from the event and the position in it, so that work done twice makes the same
ids; they sort by event, then position.
"""

from __future__ import annotations

import re
from typing import Final

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32, ascending in ASCII
_EVENT: Final = re.compile(rf"evt_[0-7][{_ALPHABET}]{{25}}")
_POSITION_DIGITS: Final = 6

RANDOM_BYTES: Final = 10


def event_id(milliseconds: int, randomness: bytes) -> str:
    """The id of an event accepted that many milliseconds after 1970, UTC, with 10 random bytes.

    Raises ValueError for a time beyond 48 bits or another number of bytes.
    """
    if not 0 <= milliseconds < 1 << 48:
        raise ValueError("the milliseconds do not fit 48 bits")
    if len(randomness) != RANDOM_BYTES:
        raise ValueError(f"an id takes {RANDOM_BYTES} random bytes")
    value = milliseconds << 80 | int.from_bytes(randomness)
    return "evt_" + "".join(_ALPHABET[value >> shift & 31] for shift in range(125, -1, -5))


def message_id(event_id: str, position: int) -> str:
    """The id of the message at that position, from 0, of an event. Raises ValueError for other ids."""
    return _derived("msg", event_id, position)


def memory_id(event_id: str, position: int) -> str:
    """The id of the memory at that position, from 0, of an event. Raises ValueError for other ids."""
    return _derived("mem", event_id, position)


def _derived(prefix: str, event_id: str, position: int) -> str:
    if not _EVENT.fullmatch(event_id):
        raise ValueError("not an event id")
    if not 0 <= position < 10**_POSITION_DIGITS:
        raise ValueError(f"positions run from 0 to {10**_POSITION_DIGITS - 1}")
    return f"{prefix}{event_id.removeprefix('evt')}_{position:0{_POSITION_DIGITS}d}"
