"""What an assistant states of itself, commits to or recommends by name; its answers are no facts."""

from __future__ import annotations

import re
from typing import Final

_DONE: Final = (
    r"booked|reserved|scheduled|ordered|arranged|cancelled|canceled|rebooked|rescheduled|sent"
    r"|emailed|added|created|moved|set up"
    r"|set|saved|registered|submitted|purchased|filed|prepared"
)
_WILL: Final = (
    r"send|remind|call|email|book|check in|follow up|prepare|schedule|order|set|arrange|notify"
    r"|ping|draft|reserve|deliver"
    r"|cancel|get back to you (?:on|by|in|within|tomorrow)"
)
_COMMITS: Final = re.compile(
    rf"^i(?:'ve| have)?\s+(?:just |already |now )?(?:{_DONE})\b(?! (?:an ai|trained))"
    rf"|^i(?:'ll| will|'m going to| am going to)\s+(?:also |then )?(?:{_WILL})\b(?! (?:you "
    rf")?(?:some|a few|the steps|through))",
    re.IGNORECASE,
)
_RECOMMENDS: Final = re.compile(
    r"(?:^|,\s+|\b(?:for|in|on|at)\b[^,.]{1,60}?\s)i(?:'d| would)?\s+(?:highly |strongly "
    r"|definitely )?(?:recommend|suggest)\b(?P<what>.+)$",
    re.IGNORECASE,
)
_IDENTITY: Final = re.compile(
    r"^(?:my name is|i'm called|i am called) (?-i:[A-Z])\w+|^i(?:'m| am) (?:the"
    r"|your)\b(?!.*\b(?:language model|AI)\b)|^i(?:'m| am) (?-i:[A-Z])\w+\b(?!\w* language)",
    re.IGNORECASE,
)
_PROPER: Final = re.compile(r"(?<![.!?] )\b[A-Z][a-zà-ÿ]+")
_GENERIC: Final = re.compile(
    r"\b(?:if you|would you like|let me know|feel free|checking|consulting|an ai|assistant "
    r"here)\b",
    re.IGNORECASE,
)


def worth_keeping(clause: str) -> bool:
    """Whether an assistant's clause commits it, recommends something by name or says who it is."""
    if _GENERIC.search(clause):
        return False
    if _COMMITS.match(clause):
        return True
    recommends = _RECOMMENDS.search(clause)
    if recommends:
        return bool(_PROPER.search(recommends["what"]))
    return bool(_IDENTITY.match(clause)) and bool(_PROPER.search(clause[4:]))
