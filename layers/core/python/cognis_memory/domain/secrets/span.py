"""Where a secret stands in a text and what is written in its place."""

from __future__ import annotations

from typing import Final, NamedTuple


class Span(NamedTuple):
    """Characters `start` to `end`, exclusive, of a text. `mask` has no more characters than they have."""

    start: int
    end: int
    mask: str


CARD_NUMBER: Final = "[card number]"
MY_NUMBER: Final = "[My Number]"
SSN: Final = "[SSN]"
PRIVATE_KEY: Final = "[private key]"
ACCESS_TOKEN: Final = "[access token]"  # noqa: S105 - it stands for one
ASTERISKS: Final = "****"
"""For passwords, which may be shorter than any word for them."""
