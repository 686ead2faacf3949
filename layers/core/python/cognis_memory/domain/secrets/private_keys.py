"""Private keys in PEM, the text form of RFC 7468, and PGP's of RFC 9580."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cognis_memory.domain.secrets.span import PRIVATE_KEY, Span

_BEGIN: Final = re.compile(r"-----BEGIN ((?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?)-----")
_BODY: Final = re.compile(r"(?:\s|\\[nr]|[A-Za-z0-9+/=:,.-])*")
"""Base64, headers such as `Proc-Type: 4,ENCRYPTED`, line ends, also as written within JSON."""

_SHORTEST_BODY: Final = 16


def find_private_keys(text: str) -> Iterator[Span]:
    """Each key from BEGIN to END; one without an end as far as its characters go."""
    position = 0
    while begin := _BEGIN.search(text, position):
        end_line = f"-----END {begin[1]}-----"
        body = _BODY.match(text, begin.end())
        body_end = body.end() if body else begin.end()
        end = text.find(end_line, begin.end(), body_end + len(end_line))
        position = end + len(end_line) if end >= 0 else body_end
        if position - begin.end() >= _SHORTEST_BODY:
            yield Span(begin.start(), position, PRIVATE_KEY)
