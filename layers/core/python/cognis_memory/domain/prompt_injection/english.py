"""Orders to the assistant or its memory in English: how a clause begins tells an order from a tale."""

from __future__ import annotations

import re
from typing import Final

from cognis_memory.domain.lazy_patterns import lazy_pattern
from cognis_memory.domain.prompt_injection.english_orders import order

_CLAUSE: Final = lazy_pattern(
    r"(?:\A|[.!?;:,\n–—]|(?<![\w'])[\"'“‘(\[<>*#-]|\b(?:and|then|but|so|instead|anyway|also|now)\b)[^\w\n]{0,8}",
    re.IGNORECASE,
)
"""Where a clause may begin."""

_LEADS_UP: Final = lazy_pattern(
    r"(?:(?:please|pls|kindly|hey|hi|hello|ok|okay|dear|important|attention|warning|note|first|second|instead|just"
    r"|also|immediately|and|then|now|so|assistant|ai|bot|chatbot|model|system|to the (?:ai|assistant|model)"
    r"|as (?:the|an?|your) (?:developer|admin\w*|owner|operator)|permanently|always"
    r"|(?:from now|from here|from this (?:point|moment)) on|starting now|henceforth"
    r"|going forward|in (?:the |all )?future"
    r"|you (?:must|should|shall|will|have to|need to|are to|are required to|can|may)"
    r"|i (?:want|need|order|command|authori[sz]e|instruct|require|allow|permit|urge) you to"
    r"|(?:can|could|would|will) you|let's|let us|it is time to"
    r"|it(?: is|'s) (?:very |absolutely )?(?:crucial|important|essential|vital|necessary|critical|mandatory)"
    r" (?:that you(?: must| should)?|for you to|to)"
    r"|(?:remember|recall|make sure|be sure|do not forget|don't forget)(?: to| that you (?:must"
    r"|should|have to)))"
    r"\b[,:! ]{0,3}){1,6}",
    re.IGNORECASE,
)
"""What leads up to the verb of an order."""


def instructs_in_english(text: str) -> bool:
    """Whether a clause of the text is such an order."""
    return any(_instructs(text, clause.end()) for clause in _CLAUSE().finditer(text))


def _instructs(text: str, start: int) -> bool:
    if order().match(text, start):
        return True
    leads_up = _LEADS_UP().match(text, start)
    return leads_up is not None and order().match(text, leads_up.end()) is not None
