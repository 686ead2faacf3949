"""Puts a word for its kind in the place of each secret."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final

from cognis_memory.domain.secrets.access_tokens import find_access_tokens
from cognis_memory.domain.secrets.card_numbers import find_card_numbers
from cognis_memory.domain.secrets.my_numbers import find_my_numbers
from cognis_memory.domain.secrets.passwords import find_passwords
from cognis_memory.domain.secrets.private_keys import find_private_keys
from cognis_memory.domain.secrets.social_security_numbers import find_social_security_numbers
from cognis_memory.domain.secrets.span import Span

_PLAIN: Final = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys(
        "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000", " "
    )
    | dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", " ")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63", "-")
)
"""Full-width characters, spaces and hyphens as their ASCII ones, each as one: positions stay."""


def mask_secrets(text: str, asked: str = "") -> str:
    """The text with "[card number]", "[access token]", … or "****" in the place of each secret.

    `asked` is what was said before the text: "What is your social security number?" tells what nine digits
    are. A masked text is never longer than the text, in characters as in bytes, holds no more secrets, and is
    the text itself where there are none. Takes time in proportion to the length.
    """
    masked = _mask_found(text, asked)
    while masked != text:  # what touched a secret may only now stand by itself
        text, masked = masked, _mask_found(masked, asked)
    return text


def _mask_found(text: str, asked: str) -> str:
    plain = text if text.isascii() else text.translate(_PLAIN)
    found = chain(
        find_private_keys(plain),
        find_access_tokens(plain),
        find_passwords(plain),
        find_card_numbers(plain, asked),
        find_my_numbers(plain, asked),
        find_social_security_numbers(plain, asked),
    )
    parts, position = [], 0
    for span in _joined(found):
        parts += [text[position : span.start], span.mask]
        position = span.end
    return "".join((*parts, text[position:])) if parts else text


def _joined(found: Iterable[Span]) -> Iterable[Span]:
    """The spans in order; those that overlap as one under the mask of the longest."""
    joined: list[Span] = []
    for span in sorted(found):
        if joined and span.start < joined[-1].end:
            last = joined[-1]
            longer = max(last, span, key=lambda one: one.end - one.start)
            joined[-1] = Span(last.start, max(last.end, span.end), longer.mask)
        else:
            joined.append(span)
    return joined
