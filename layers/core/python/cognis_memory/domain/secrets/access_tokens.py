"""Keys and tokens of services: by the prefixes that their issuers give them, or by what they are called."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cognis_memory.domain.secrets.span import ACCESS_TOKEN, Span


def _mixed(token: str) -> bool:
    """Whether it has letters and digits: `sk-learn-contrib` has none of the latter."""
    return any(c.isdigit() for c in token) and any(c.isalpha() for c in token)


def _is_jwt(token: str) -> bool:
    """Whether the first part is a JOSE header (RFC 7515): JSON in base64url that names an algorithm."""
    header = token.split(".", 1)[0]
    try:
        decoded = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    except ValueError:
        return False
    return isinstance(decoded, dict) and "alg" in decoded


class _Issued(NamedTuple):
    """Tokens of one form, which are looked for only where one of `marks` stands in the text.

    Each pattern starts at the edge of the characters that it then takes, so that none is read twice.
    """

    marks: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Callable[[str], bool] = _mixed


def _token(pattern: str, *, edge: str = r"(?<![A-Za-z0-9_-])") -> re.Pattern[str]:
    return re.compile(edge + pattern, re.ASCII)


_ISSUED: Final = (
    _Issued(("AKIA", "ASIA"), _token(r"A(?:KI|SI)A[A-Z2-7]{16}(?![A-Za-z0-9])"), str.isupper),  # AWS
    _Issued(("gh", "github_pat_", "glpat-"), _token(r"(?:gh[opsur]_|github_pat_|glpat-)[\w-]{20,}")),
    _Issued(("xox", "xapp-"), _token(r"x(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}")),  # Slack
    _Issued(
        ("hooks.slack.com", "discord"),
        re.compile(
            r"(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)/[\w/-]{20,}"
        ),
    ),
    _Issued(
        ("k_live_", "k_test_", "whsec_"), _token(r"(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}")
    ),  # Stripe
    _Issued(
        ("AIza", "ya29.", "GOCSPX-"), _token(r"(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})")
    ),  # Google
    _Issued(("sk-",), _token(r"sk-[\w-]{20,}")),  # OpenAI, Anthropic and those that follow them
    _Issued(
        (
            "hf_",
            "npm_",
            "pypi-",
            "dapi",
            "lin_api_",
            "ntn_",
            "shp",
            "cgn_",
            "_v1_",
            "r8_",
            "gsk_",
            "xai-",
            "pplx-",
        ),
        _token(
            r"(?:hf_|npm_|pypi-|dapi|lin_api_|ntn_|shp(?:at|ca|pa|ss)_|cgn_|do[opr]_v1_|r8_|gsk_|xai-|pplx-)[\w-]{30,}"
        ),
    ),
    _Issued(("SG.",), _token(r"SG\.[\w-]{16,}\.[\w-]{16,}")),  # SendGrid
    _Issued(("AccountKey=",), re.compile(r"(?<=AccountKey=)[A-Za-z0-9+/=]{40,}")),  # Azure Storage
    _Issued(("AGE-SECRET-KEY-1",), _token(r"AGE-SECRET-KEY-1[A-Z0-9]{50,}")),
    _Issued((":AA",), _token(r"[0-9]{8,10}:AA[\w-]{33}(?![\w-])")),  # Telegram
    _Issued(("eyJ",), _token(r"eyJ[\w-]{10,}\.[\w-]{4,}\.[\w-]*(?:\.[\w-]+\.[\w-]+)?"), _is_jwt),
)

_HEADER: Final = re.compile(
    r"(?<![A-Za-z])(?:bearer|authorization: ?(?:basic|token|apikey|digest|key)) +([\w.~+/=-]{16,512})",
    re.IGNORECASE | re.ASCII,
)
"""HTTP's Authorization (RFC 6750, RFC 7617)."""

_IN_URL: Final = re.compile(r"://[^\s:/@]{0,64}:([^\s@/]{1,128})@")
"""Between the user and the host of a URL (RFC 3986)."""

_NOUN: Final = re.compile(r"key(?:[ _-]?id)?|token|secret|キー|トークン|シークレット", re.IGNORECASE)
_CALLED: Final = re.compile(
    r"(?:api|access|secret|account|service|deploy)[ _-]?key(?:[ _-]?id)?$|(?<![a-z])token$"
    r"|(?:client|app|api|consumer|shared|signing|webhook)[ _-]?secret$"
    r"|(?:api|アクセス|シークレット|認証|秘密) ?キー$|トークン$|シークレット$",
    re.IGNORECASE,
)
"""Names of tokens; a key alone may be a door's or a table's."""
_LONGEST_NAME: Final = 24
_GIVEN: Final = re.compile(
    r"(?:[\"'」]?\s{0,3}(?::=|=>|[:=])\s{0,3}|\s{0,3}[はがを]、?\s{0,3}"
    r"|(?: [a-z]{1,10}){0,3} (?:is|was|to):? |\s)"
    r"[\"'`「]?([A-Za-z0-9_./+=-]{16,512})",
    re.IGNORECASE,
)
_LONG_WORDS: Final = re.compile(r"[a-z]+(?:[-_./][a-z]+)*\d{0,4}", re.IGNORECASE)
"""Names and paths: `production-us-east-1`."""


def find_access_tokens(text: str) -> Iterator[Span]:
    """Tokens with a known prefix, in headers and URLs, and random characters that are called a token."""
    for issued in _ISSUED:
        if any(mark in text for mark in issued.marks):
            for match in issued.pattern.finditer(text):
                if issued.check(match.group()):
                    yield Span(*match.span(), ACCESS_TOKEN)
    for match in _HEADER.finditer(text):
        if _mixed(match[1]):
            yield _span(match)
    if "://" in text:
        yield from (_span(match) for match in _IN_URL.finditer(text) if set(match[1]) != {"*"})
    for noun in _NOUN.finditer(text):
        given = _GIVEN.match(text, noun.end())
        if given and _mixed(given[1]) and not _LONG_WORDS.fullmatch(given[1]) and _is_called_so(noun):
            yield _span(given)


def _is_called_so(noun: re.Match[str]) -> bool:
    start, end = noun.span()
    return _CALLED.search(noun.string[max(0, start - _LONGEST_NAME) : end]) is not None


def _span(match: re.Match[str]) -> Span:
    start, end = match.span(1)
    return Span(start, end, ACCESS_TOKEN if end - start >= len(ACCESS_TOKEN) else "****"[: end - start])
