"""Secrets of every kind, made up: each is right by its rules and nobody's."""

from __future__ import annotations

import base64
import json
import string

from hypothesis import strategies as st

ISSUED = (("4", 16), ("51", 16), ("2221", 16), ("34", 15), ("36", 14), ("6011", 16), ("3528", 16), ("62", 16))
_ALPHANUMERIC = st.text(string.ascii_letters + string.digits, min_size=40, max_size=40)


def with_luhn(digits: str) -> str:
    """The digits with the check digit that ISO/IEC 7812-1 asks for."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return f"{digits}{-total % 10}"


def with_my_number_check(digits: str) -> str:
    """The eleven digits with the twelfth."""
    weights = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
    remainder = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True)) % 11
    return f"{digits}{0 if remainder <= 1 else 11 - remainder}"


def in_groups(digits: str, separator: str, length: int = 4) -> str:
    return separator.join(digits[start : start + length] for start in range(0, len(digits), length))


def full_width(text: str) -> str:
    return "".join(chr(ord(character) + 0xFEE0) for character in text)


def web_token() -> str:
    """A token as RFC 7519 has it, signed by nobody."""
    header, claims = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890", "exp": 1_790_000_000})
    )
    return f"{header}.{claims}.{'s1gN' * 10}"


@st.composite
def card_numbers(draw: st.DrawFn) -> str:
    prefix, length = draw(st.sampled_from(ISSUED))
    rest = draw(st.text(string.digits, min_size=length - 1 - len(prefix), max_size=length - 1 - len(prefix)))
    digits = with_luhn(prefix + rest)
    separator = draw(st.sampled_from(["", " ", "-", "\u2010", "\u3000"])) if length == 16 else ""
    return in_groups(digits, separator) if separator else digits


@st.composite
def access_tokens(draw: st.DrawFn) -> str:
    prefix = draw(st.sampled_from(["ghp_", "sk-", "sk_live_", "xoxb-", "glpat-", "hf_", "AIza", "cgn_"]))
    return f"{prefix}a1{draw(_ALPHANUMERIC)}"


@st.composite
def private_keys(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["", "RSA ", "EC ", "OPENSSH "]))
    body = "\n".join(draw(st.lists(_ALPHANUMERIC, min_size=1, max_size=4)))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


SECRETS = st.one_of(card_numbers(), access_tokens(), private_keys())
