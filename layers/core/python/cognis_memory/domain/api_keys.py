"""The form of API keys and of their ids, and how a key is stored."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Final

KEY_BYTES: Final = 32
KEY_ID_BYTES: Final = 10

_KEY: Final = re.compile(r"cgn_[A-Za-z0-9_-]{43}", re.ASCII)


def api_key(randomness: bytes) -> str:
    """`cgn_` and 32 random bytes in base64url. Raises ValueError for another number of bytes."""
    if len(randomness) != KEY_BYTES:
        raise ValueError(f"an API key takes {KEY_BYTES} random bytes")
    return "cgn_" + base64.urlsafe_b64encode(randomness).decode().rstrip("=")


def key_id(randomness: bytes) -> str:
    """`key_` and 10 random bytes in base 32: names a key without telling anything of it."""
    if len(randomness) != KEY_ID_BYTES:
        raise ValueError(f"a key's id takes {KEY_ID_BYTES} random bytes")
    return "key_" + base64.b32encode(randomness).decode().lower()


def is_api_key(text: str) -> bool:
    return _KEY.fullmatch(text) is not None


def digest(key: str) -> str:
    """SHA-256 in hexadecimal. A key holds 256 random bits, so that no salt or slow hash can add to it."""
    return hashlib.sha256(key.encode()).hexdigest()
