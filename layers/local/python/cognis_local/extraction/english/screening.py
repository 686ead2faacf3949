"""What looks like a statement and is none: questions, requests, hypotheses, reactions."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import grammar, words
from cognis_local.extraction.english.talk import is_talk
from cognis_local.extraction.own_words import QUOTATION
from cognis_local.extraction.patterns import ignoring_case, word_set

_QUESTION_TAIL: Final = re.compile(
    r"(?:[,;:–—-]|\band\b|\bbut\b|\bso\b)\s*(?:and |but |so )?"
    r"(?=(?:do|does|did|can|could|would|should|will|is|are|am|was|were|have|has|what|how|where"
    r"|which|who|when|why|any)\b)",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r",\s*(?:(?:is|are|was|do|does|did|have|has|can|wo|would|are|ai)n't (?:it|you|i|we|they|he"
    r"|she)|right|no|eh|ok)\?$",
    re.IGNORECASE,
)
_AUX_START: Final = re.compile(
    r"^(?:(?:do|does|did|can|could|would|should|shall|will|is|are|am|was|were|have|has|may|might)(?:n't)?)\s+"
    r"(?:i|you|we|they|he|she|it|there|this|that|these|those|the|a|an|my|your|his|her|our"
    r"|their|any\w*|some\w*|[A-Z]\w+)\b",
    re.IGNORECASE,
)
_WH_START: Final = re.compile(
    r"^(?:what|who|whom|whose|which|where|when|why|how)(?:'s|'re|'d)?\s+"
    r"(?:(?:about|much|many|often|far|old|come|else|kind|one)\b|(?<!when )(?<!where "
    r")(?:\w+\s+){0,3}?(?<!i )(?<!we )"
    r"(?:do|does|did|can|could|would|should|is|are|am|was|were|will|has|have|painted|wrote|made)\b)",
    re.IGNORECASE,
)
_EXCLAMATION: Final = re.compile(r"^(?:what an?|how (?:\w+)|so (?:\w+)|such an?)\b", re.IGNORECASE)
_HYPOTHESIS: Final = re.compile(
    r"^(?:if|imagine|suppose|supposing|assuming|assume|pretend|say|let's|lets|unless|in case"
    r"|what if|hypothetically"
    r"|for (?:example|instance)|e\.g\.|example|maybe|perhaps|would|wish|hope|hopefully)\b"
    r"|\bif (?:i|we|you) (?:were|was|had|could|ever|lived|won|want|like|need|don't|have)\b",
    re.IGNORECASE,
)
_DATA: Final = re.compile(r"^(?:https?://|www\.|error\b|warning\b|traceback\b|[{\[<#|])|^\S+$", re.IGNORECASE)
_REACTION: Final = re.compile(
    r"^(?:that|this|it|those|these|there|what)(?:'s|'re| is| was| are| were| sounds| looks| "
    r"must| will| would)\b"
    r"|^(?:been (?:ages|a while|too long|so long|forever)"
    r"|sounds|looks|feels|seems|good|great|nice|happy|glad|hope|hopefully|congrats"
    r"|congratulations|welcome|looking good"
    r"|take care|see you|see ya|talk to you|talk soon|bye|goodbye|cheers|enjoy|keep|way to go"
    r"|well done|you|your|you're"
    r"|love (?:that|this|it|your|the|how|to (?:hear|see|know))|loving (?:that|this|it|your"
    r"|the)|can't (?:wait|believe|help|agree"
    r"|thank|complain)|couldn't agree|thinking of you|same|got it|gotcha|agreed|appreciate"
    r"|thanks|thank|wishing|sending"
    r"|excited (?:for you|to (?:hear|see))|proud of you|best of luck|good luck|so (?:happy"
    r"|glad|proud|sorry)|never mind"
    r"|let me|dear|check (?:it|this|that|out)|take a look|look at|guess|feel free|my "
    r"(?:question|point|request|apologies|bad|mistake|pleasure|goodness|god|next|guess|two cents"
    r"|thoughts?|answer|choice|order number)\b|give it|come on|just wait|here|there|thinking of"
    r"|yours|best regards|regards|hoping)\b",
    re.IGNORECASE,
)

_TO_YOU: Final = re.compile(
    r"\b(?:thank|proud of|happy for|glad|sorry|appreciate|grateful|help|ask|tell|show|send|see"
    r"|hear|agree with|miss|hope|wish"
    r"|believe in|like|love|think|root(?:ing)? for|thinking of|trust|support|owe|envy|jealous"
    r"|with|from|let)\s+(?:\w+\s+)?you(?:r|rs)?\b",
    re.IGNORECASE,
)
_SAYS_LITTLE: Final = (
    words.STOP
    | words.SMALL_NOUNS
    | word_set(
        "good great better best fine bad nice cool happy sad glad ready comfy determined positive blessed"
        " lucky pumped stoked psyched excited thrilled hopeful optimistic motivated inspired tired hungry"
        " bored amazing awesome wonderful time blast feel feeling feels felt stay staying keep keeping try"
        " trying tried power powered let lets decide decided manage managed make makes made making sure"
        " together hang hanging really talk talked chat chatted work working hard part full long busy crazy"
        " such alright laugh yet far win pushing forward nervous curious grateful thankful proud glad humbled"
        " honored eat ate peace believe believes totally definitely super see saw hear heard come came"
    )
)
_LISTENER: Final = words.SECOND_PERSON - {"your", "yours"}
_JUDGES: Final = ignoring_case(
    r"^it(?:'s| is| was| has| feels| felt| makes| made)(?: been)? (?:\w+ ){0,2}?\w+ ",
    r"(?:how|to|that|when|for)\b",
)
_BREAKS_OFF: Final = ignoring_case(
    r"^\S+(?: \w+)? (?:am|was|were|have|has|had|will|would|could|should|did|can|\w+n't)$"
)
"""I haven't: an answer, which says nothing alone."""
_OWN_EVENT: Final = re.compile(r"\b(?:since|after|because|when|before)\s+(?:i|we|my|our)\b", re.IGNORECASE)


def declarative_part(sentence: str) -> str:
    """What a sentence states before it turns into a question; empty for a question, a request, data."""
    if sentence.endswith(("?", "?!", "!?")):
        if _TAG.search(sentence):
            return ""
        tail = _QUESTION_TAIL.search(sentence)
        sentence = sentence[: tail.start()].rstrip(" ,;:–—-") if tail else ""
    if not sentence or QUOTATION in sentence or _DATA.search(sentence) or _HYPOTHESIS.search(sentence):
        return ""
    if _AUX_START.match(sentence) or _WH_START.match(sentence) or _EXCLAMATION.match(sentence):
        return ""
    return sentence


def states_something(clause: str) -> bool:
    """Whether a clause can state a fact, rather than react, ask, hedge or speak to the listener."""
    if (_REACTION.match(clause) or clause[:3].lower() in {"it ", "it'"}) and not _tells_of_speaker(clause):
        return False
    if is_talk(clause) or _BREAKS_OFF.search(clause):
        return False
    return not _speaks_to_listener(clause) and _has_content(clause)


def _speaks_to_listener(clause: str) -> bool:
    """Whether it says something to the listener; one named late in a clause is part of what is told."""
    early = [grammar.bare(word).partition("'")[0] for word in clause.split()[:7]]
    return any(word in _LISTENER for word in early) or bool(_TO_YOU.search(clause))


def _tells_of_speaker(clause: str) -> bool:
    """ "It's been tough since I lost my job" tells of the speaker, "That's great!" does not."""
    if clause[:2].lower() != "it":
        return False
    return bool(_OWN_EVENT.search(clause)) or (len(_telling(clause)) > 2 and not _JUDGES.match(clause))


def _has_content(clause: str) -> bool:
    """Whether enough words are left that carry a fact: "I did that too", "I'm feeling better" have none.

    What points to something said before ("I printed it") needs a second one to be understood by itself.
    """
    points = any(
        grammar.bare(word) in {"it", "them", "that", "this", "those", "there"} for word in clause.split()[1:]
    )
    return len(_telling(clause)) > points


def _telling(clause: str) -> set[str]:
    lowered = (grammar.bare(word) for word in clause.split()[1:])
    return {word for word in lowered if word and word[0].isalnum() and word.split("'")[0] not in _SAYS_LITTLE}
