"""What a content tells of having things and of parting with them: "bought a bike", "sold their bike"."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.english import words
from cognis_local.extraction.english.terms import terms
from cognis_local.extraction.english.values import value_of
from cognis_local.extraction.patterns import any_of, ignoring_case, word_set, words_of

_ADVERBS: Final = r"(?:(?:has|just|finally|recently|also|now|currently|still|already) )*"
_ITS_KIND: Final = r"(?:(?!(?:at|in|on|near|by|with|for|to|and|the|an?)\b)[\w'-]+ ){0,3}?"
LEFT_WORK: Final = any_of(
    rf"(?:quit|gave up|resigned(?: from| as)?|retired(?: from| as)?|stepped down(?: from| as)?) (?:their"
    rf"|the|an?) {_ITS_KIND}"
    rf"{any_of(words_of(words.WORKPLACES | words.OCCUPATIONS), 'job|position|post|role|career|profession')}",
    rf"(?:left|lost) (?:their|the|an?) {_ITS_KIND}(?:job|position|post|role|{words_of(words.WORKPLACES)})",
    "(?:switched|changed) (?:jobs|careers|companies|employers)",
    r"(?:stopped|quit|gave up) (?:working|being|work) (?:as )?(?:an? |the )(?:[\w-]+ ){0,2}?"
    + words_of(words.OCCUPATIONS),
)
"""A pattern of leaving one's work: "quit the law firm", "resigned as an electrician"."""
_BODY: Final = any_of(
    "project|team|squad|crew|club|band|choir|orchestra|group|board|committee|department|division|unit"
    "|company|firm|agency|party|union|church|league|society|association|class|course|programme|program"
)
LEFT_BODY: Final = any_of(
    "(?:left|resigned from|stepped down from|(?:was|got|has been|is) (?:now )?"
    r"(?:(?:taken|pulled|moved|rotated|kicked) )?(?:off|out of)|(?:was|got) (?:removed|dropped) from)"
) + (rf" (?:the |their |its )?(?={_ITS_KIND}{_BODY}\b)")
"""A pattern of leaving what one belonged or was assigned to, before its name: "left the chess club"."""
LAID_OFF: Final = r"(?:was|got|were|been) (?:laid off|let go|fired|dismissed|made redundant) (?:from|by|at) "
PURPOSE: Final = (
    r"(?<!going)(?<!listening)(?<!talking)(?<!had)"
    r" to (?!(?:the|an?|my|their|work|school|church|bed)\b)(?-i:[a-z])\w+ "
)
"""What somebody left off something for: "to open a café"."""
_PARTED: Final = ignoring_case(
    rf"^{_ADVERBS}",
    any_of(
        "sold|got rid of|gave away|donated|returned|scrapped|rehomed|threw (?:away|out)|traded in",
        "no longer (?:has|owns)|(?:does not|doesn't) (?:have|own)",
        r"gave(?= .+ (?:away|to)\b)",
    ),
    r" (?:their|the|an?|any) (?P<v>.+)",
)
_LEFT: Final = ignoring_case(
    rf"^{_ADVERBS}(?:{LEFT_BODY}|{LAID_OFF})(?P<v>.+?)(?:,? (?:because|as|so|due|since|after|for)\b.*)?$"
)
_BEYOND: Final = ignoring_case(r"\s+(?:to|on|at|via|away|that|they|he|she|through|online)\b.*$")
_GIVEN_UP: Final = ignoring_case(
    rf"^{_ADVERBS}(?:(?:had|decided) to )?",
    r"(?:dropped(?= \w+(?:$| ))|gave up|give up|quit|stopped|stop|dropped out of"
    r"|cancel(?:l?ed)?|call(?:ed)? off"
    r"|(?:has )?(?:recovered from|got(?:ten)? over|is over|finished)(?= (?:the|their|an?) )) (?P<v>.+?)",
    rf"(?:{PURPOSE}.*)?$",
)
_HAS: Final = ignoring_case(
    rf"^{_ADVERBS}",
    any_of(
        "has|owns?|bought|got|drives?|rides?|keeps?|collects?|adopted|received|inherited|purchased|ordered|rescued|uses"
    ),
    r"\b(?! (?:rid|to)\b)",
)
_WORN: Final = word_set("old use trusty beloved little big")
"""What somebody says of a thing when parting with it, not what tells it from others."""


def parted_with(predicate: str) -> frozenset[str]:
    """The terms of what the subject no longer has; empty where nothing is parted with."""
    match = _PARTED.match(predicate)
    return terms(_BEYOND.sub("", value_of(match["v"])), "") - _WORN if match else frozenset()


def given_up(predicate: str) -> frozenset[str]:
    """The terms of what the subject stopped doing, without the reason; empty where nothing is stopped."""
    match = _GIVEN_UP.match(predicate) or _LEFT.match(predicate)
    return terms(value_of(match["v"]), "") if match else frozenset()


def tells_of_possession(predicate: str, possessed: str) -> bool:
    """Whether it tells that the subject has or got something, by its verb or by "User's"."""
    return bool(possessed) or bool(_HAS.match(predicate))
