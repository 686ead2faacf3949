"""Users in logs: recognisable as the same, not to be read."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cognis_memory.models.values import Owner

_DIGITS: Final = 32
"""128 bits: enough that no two users meet."""


class UserHash:
    """HMAC-SHA256 of tenant and user under the deployment's secret key, in hexadecimal, cut to 128 bits.

    Without the key nobody can hash guessed ids and compare.
    """

    def __init__(self, read_key: Callable[[], bytes]) -> None:
        """`read_key` is called once, for the first hash; until it succeeds, its errors are raised."""
        self._read_key = read_key

    def __call__(self, owner: Owner) -> str:
        named = f"{len(owner.tenant_id)}:{owner.tenant_id}{owner.user_id}"
        return hmac.new(self._key, named.encode(), "sha256").hexdigest()[:_DIGITS]

    @cached_property
    def _key(self) -> bytes:
        return self._read_key()
