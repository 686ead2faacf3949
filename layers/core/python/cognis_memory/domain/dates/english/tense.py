"""Whether an English sentence speaks of the past or the future, told from the verb forms around a date."""

from __future__ import annotations

import re

from cognis_memory.domain.dates.english.lexicon import word_set
from cognis_memory.domain.dates.scene import Tense
from cognis_memory.domain.lazy_patterns import lazy_pattern

# Past forms that do not end in -ed; those equal to the infinitive are in `_SAME`.
_IRREGULAR = word_set(
    """was were wasn't weren't did didn't had hadn't been went gone saw seen met bought brought came became
    began begun broke broken built caught chose chosen drank drove driven ate eaten fell fallen felt
    fought found flew flown forgot forgotten forgave froze got gotten gave given grew grown heard held
    hid kept knew known laid led left lent lost made meant paid ran rang rode ridden rose said sang sank
    sat sent shot showed shown slept sold spent spoke spoken stole stood struck swam swept swore took
    taken taught thought threw thrown told tore understood woke won wore worn wrote written stuck hung
    dug fed dealt dreamt learnt used ago could've would've should've"""
)
# Words in -ed that are no past verb, and feelings that are adjectives ("excited for Friday").
_NO_VERBS = word_set(
    """need needed indeed feed speed bed red seed weed wed hundred naked sacred wicked excited tired
    interested thrilled psyched stoked pumped worried scared bored supposed united embed exceed proceed
    succeed bleed breed greed shed sled freed reed agreed"""
)
_NO_PROGRESSIVE = word_set(
    """thing something anything everything nothing morning evening during king ring spring"""
)

_BE = r"(?:am|is|are|be|being|get|gets|i'm|we're|you're|they're|he's|she's|it's|who's|what's|not)"
_PARTICIPLES = r"(?:taken|sold|broken|given|known|made|held|built|written|shown|hidden|stuck|done|meant|lost)"
# "my brother's getting married": the participle after it is no past.
_BECOMING = (
    rf"(?:{_BE}|[a-z]+'s)(?: \w+)? (?:getting|being) (?:[a-z]{{2,}}ed|{_PARTICIPLES})"
    r"|[a-z]+'s (?:getting|having|going|coming|moving|starting|leaving|flying|graduating|retiring|turning)"
)
_HAVE_GOT = r"(?:'ve|'s|\bhave|\bhas) got\b"
_SAME = r"(?:i|we|they|he|she|it) (?:read|put|cut|hit|quit|hurt|set|cost|shut|beat|bet|split)"
_PLANNED = (
    r"(?:booked|scheduled|planned|reserved|signed up|registered|invited|arranged|set)"
    r"(?: \w+){0,4}? (?:for|to|on)"
)
_FUTURE = (
    r"will|won't|shall|wanna|gonna|let's|should|must|might|tomorrow|upcoming|can't wait|remind me|see you"
    r"|(?:is|are) due"
    r"|(?:going|plan|planning|plans|hope|hoping|hopes|want|wants|wanting|need|needs|have|has|about|due|ready"
    r"|looking forward|look forward|like|love|supposed) to"
    r"|(?:decided|agreed|chose|chosen|promised|arranged|offered|accepted|elected|selected|asked|hired) to"
    r"|(?:i|we|you|he|she|it|they|that|there)'(?:ll|d (?:like|love))"
    r"|(?:do|does|am|is|are) (?:i|we|you|he|she|it|they|there)"  # in a question: "am I free on …?"
)
_CUE = lazy_pattern(
    rf"(?P<present>{_HAVE_GOT})"
    rf"|\b(?:(?P<same>{_SAME})|(?P<planned>{_PLANNED})|(?P<future>{_FUTURE})"
    rf"|{_BECOMING}|{_BE}(?: \w+)? (?P<progressive>[a-z]{{2,}}ing)"
    rf"|{_BE} (?:\w+ )?(?P<passive>[a-z]+ed|{_PARTICIPLES})"
    rf"|(?P<past>{'|'.join(sorted(_IRREGULAR, key=len, reverse=True))}|[a-z]{{2,}}ed))\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?;\n]+(?=\s|$)")
_REACH = 200  # characters looked at on each side


def tense_at(text: str, start: int, end: int) -> Tense | None:
    """The tense of the verb nearest to `text[start:end]` in its sentence, or None where none shows one."""
    first, last = _sentence(text, start, end)
    sentence = text[first:last].replace("’", "'")
    start, end = start - first, end - first
    nearest: tuple[int, Tense] | None = None
    for match in _CUE().finditer(sentence):
        tense = _tense(match)
        if tense is None or (match.start() >= start and match.end() <= end):
            continue
        distance = start - match.end() if match.end() <= start else match.start() - end
        if nearest is None or distance < nearest[0]:
            nearest = distance, tense
    return nearest[1] if nearest else None


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    first = max(0, start - _REACH)
    for match in _SENTENCE_END.finditer(text, first, start):
        first = match.end()
    last = _SENTENCE_END.search(text, end, end + _REACH)
    return first, last.end() if last else min(len(text), end + _REACH)


def _tense(match: re.Match[str]) -> Tense | None:
    if match["past"]:
        return None if match["past"].lower() in _NO_VERBS else Tense.PAST
    if match["same"]:
        return Tense.PAST  # one form for both tenses, and what has a date has mostly happened
    if match["present"] or match["passive"] or (match["progressive"] or "").lower() in _NO_PROGRESSIVE:
        return None
    return Tense.FUTURE
