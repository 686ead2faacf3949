"""Cuts a sentence into clauses that each state one thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cognis_local.extraction.english import grammar, words
from cognis_local.extraction.english.grammar import bare
from cognis_local.extraction.patterns import word_set

_JOINERS: Final = word_set("and but so plus yet & or")
_DASHES: Final = word_set("- – —")
_SUBORDINATORS: Final = word_set(
    "that which who whom whose because since when whenever where while whereas if although though as until"
    " till before after than whether unless so cause"
)
_OPENS_SUBORDINATE: Final = word_set(
    "when whenever if since after before while although though as once until because"
)
_COMMON_VERBS: Final = word_set(
    "live work play run drive study teach travel walk cook watch drink eat train plan love like hate need"
    " want wear have own keep speak read write collect volunteer take make go sleep wake start use know enjoy"
    " prefer suffer visit help practise practice swim cycle grow sell build code commute share rent pay save"
    " earn coach"
)
_ADDRESSES: Final = word_set("please thanks let note")
_SHARED_AUXILIARIES: Final = word_set("am is are was were have has had don't can can't doesn't didn't will")
_THIRD_AUXILIARIES: Final = word_set("is has does doesn't")
_AT_PRESENT: Final = word_set("now currently still")
_AFTER_VERB: Final = word_set(
    "in at as for with to a an the my our on from by about into every two three some his her their it them"
    " this that around near off up out over me us him"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence; `elided` where it shares the subject of the clause before."""

    text: str
    elided: bool = False


def split_clauses(sentence: str) -> list[Clause]:
    """The clauses of a sentence in order.

    A cut needs a joint (a comma, semicolon, dash, "and", "but", "so") and, right of it, either a subject with
    its verb or a verb in the form of the verb before, which then shares its subject: "I like jazz and live in
    Porto". Infinitives and subordinate clauses stay with what they belong to.
    """
    tokens = sentence.split()
    lowered = [bare(token) for token in tokens]
    cuts: list[tuple[int, int, bool]] = []
    start, depth, quoted = 0, 0, False
    for i, token in enumerate(tokens):
        if i > start and depth == 0 and not quoted:
            right = _right_of_joint(tokens, lowered, i)
            if right is not None and right < len(tokens) and not _joins_name(tokens, lowered, i):
                kind = _kind_of_clause(lowered, start, i, right)
                if kind is not None:
                    cuts.append((i, right, kind))
                    start = right
        depth = max(0, depth + token.count("(") - token.count(")"))
        quoted ^= token.count('"') % 2 == 1
    return _clauses(tokens, cuts)


def _joins_name(tokens: list[str], lowered: list[str], i: int) -> bool:
    """Whether "Mei" before "and I" is half of a subject at the start of a sentence."""
    if i != 1 or lowered[1] not in {"and", "&"} or lowered[2:3] != ["i"] or not tokens[0][0].isupper():
        return False
    return tokens[0].isalpha() and not (grammar.is_adverb(lowered[0]) or grammar.is_base(lowered[0]))


def _clauses(tokens: list[str], cuts: list[tuple[int, int, bool]]) -> list[Clause]:
    found: list[Clause] = []
    start, elided = 0, False
    for end, right, next_elided in [*cuts, (len(tokens), len(tokens), False)]:
        text = " ".join(tokens[start:end]).strip(" ,;:–—-")
        if text:
            found.append(Clause(text, elided))
        start, elided = right, next_elided
    return found


def _right_of_joint(tokens: list[str], lowered: list[str], i: int) -> int | None:
    """Where the right side of a joint at `i` begins; None where there is no joint."""
    after_mark = tokens[i - 1].endswith((",", ";", ":")) or tokens[i - 1] in _DASHES
    if tokens[i] in _DASHES or (
        lowered[i] in _JOINERS
        and (after_mark or lowered[i] not in {"so", "yet", "plus"} or _starts_subject(lowered, i + 1))
    ):
        return i + 1
    return i if after_mark else None


def _starts_subject(lowered: list[str], at: int) -> bool:
    return at < len(lowered) and lowered[at].partition("'")[0] in words.SPEAKER_SUBJECTS | words.POSSESSIVES


def _kind_of_clause(lowered: list[str], start: int, joint: int, right: int) -> bool | None:
    """False for a clause with its own subject, True for one with the subject before, None for no clause."""
    if _has_subject_and_verb(lowered, right):
        joined_names = (
            lowered[joint] in {"and", "&"} and joint - start <= 5 and _is_noun_phrase(lowered, start, joint)
        )
        return None if joined_names or _within_subordinate(lowered, start, joint) else False
    while right < len(lowered) - 1 and grammar.is_adverb(lowered[right]):
        right += 1
    if _has_subject_and_verb(lowered, right) and lowered[joint] in _JOINERS:
        return False
    return True if _shares_subject(lowered, start, joint, right) else None


def _is_noun_phrase(lowered: list[str], start: int, joint: int) -> bool:
    """Whether "my friend Olu" before "and I" is half of a subject, not a clause of its own."""
    return lowered[start] in words.POSSESSIVES | {"the"} and find_verb(lowered[:joint], start + 1) is None


def _has_subject_and_verb(lowered: list[str], at: int) -> bool:
    first = lowered[at]
    root = first.split("'")[0]
    if root in words.SPEAKER_SUBJECTS or root in words.THIRD_PERSON or root in {"it", "you", "there"}:
        return len(lowered) > at + 1
    if root in {"that's", "this", "these", "those"}:
        return at + 1 < len(lowered) and lowered[at + 1] in grammar.AUXILIARIES
    if root in words.POSSESSIVES or root in {"the", "his", "her", "their"}:
        return find_verb(lowered, at + 1, limit=6) is not None
    return False


def _within_subordinate(lowered: list[str], start: int, joint: int) -> bool:
    """Whether the words before the joint only lead to what follows: "..., but when I was ten, we moved"."""
    if grammar.is_gerund(lowered[start]) and lowered[joint] not in _JOINERS:
        return not any(word in grammar.AUXILIARIES for word in lowered[start:joint])
    i = joint - 1
    while i > start and lowered[i] not in _OPENS_SUBORDINATE:
        if lowered[i] in _JOINERS:
            return False
        i -= 1
    opens = lowered[i] in _OPENS_SUBORDINATE and (i == start or lowered[i - 1] in _JOINERS)
    return opens and lowered[joint] not in _JOINERS


def find_verb(lowered: list[str], start: int, limit: int = 10) -> int | None:
    """The index of the finite verb of a subject that begins before `start`; None within `limit` words."""
    end = min(len(lowered), start + limit)
    for i in range(start, end):
        word = lowered[i]
        if word in grammar.AUXILIARIES:
            return i
        if word in _SUBORDINATORS or word in _JOINERS:
            if (
                word == "and"
                and i + 1 < end
                and (i == start or lowered[i + 1] in {"i", "my", "our"} or lowered[i - 1] in words.PEOPLE)
            ):
                continue
            return None
        if i > start - 1 and _finite_here(lowered, i, start):
            return i
    return None


def _finite_here(lowered: list[str], i: int, start: int) -> bool:
    word = lowered[i]
    following = lowered[i + 1] if i + 1 < len(lowered) else ""
    if following in grammar.AUXILIARIES or (grammar.is_past(following) and grammar.only_verb(following)):
        return False
    if i == start and grammar.can_be_noun(word) and not grammar.only_verb(word):
        return False  # the head of the subject
    if grammar.is_past(word):
        return not (following and grammar.is_plural_noun(following) and not grammar.only_verb(word))
    if grammar.is_third(word):
        return True
    previous = lowered[i - 1] if i else ""
    plural_subject = grammar.is_plural_noun(previous) or previous in {"i", "we", "they", "parents", "family"}
    return plural_subject and grammar.is_base(word)


def _shares_subject(lowered: list[str], start: int, joint: int, right: int) -> bool:
    """Whether the word at `right` is a verb in the form of the main verb on the left."""
    verb = main_verb(lowered, start, joint)
    if verb is None or right >= len(lowered) or lowered[right] in _ADDRESSES:
        return False
    word = lowered[right]
    following = lowered[right + 1] if right + 1 < len(lowered) else ""
    if word in _SHARED_AUXILIARIES:
        return bool(following)
    if grammar.is_past(word):
        return _left_is_past(lowered, verb, joint) and grammar.only_verb(word)
    if lowered[verb] in grammar.MODALS or _ends_in_infinitive(lowered, verb, joint):
        return False
    unambiguous = grammar.only_verb(word) or following in _AFTER_VERB
    if grammar.is_third(lowered[verb]) or lowered[verb] in _THIRD_AUXILIARIES:
        return grammar.is_third(word) and unambiguous
    turns_to_now = lowered[joint] == "but" or bool({lowered[right - 1], lowered[-1]} & _AT_PRESENT)
    agrees = grammar.is_base(word) and (turns_to_now or not grammar.is_past(lowered[verb]))
    common = word in _COMMON_VERBS and bool(following) and following not in _JOINERS
    return agrees and (unambiguous or common)


def main_verb(lowered: list[str], start: int, end: int) -> int | None:
    """The index of the main verb of a clause whose subject stands at `start`, None where it is not found."""
    root = lowered[start].split("'")
    if root[0] in words.SPEAKER_SUBJECTS | words.THIRD_PERSON | {"it", "that"}:
        if len(root) > 1:
            return start
        i = start + 1
        while i < end - 1 and grammar.is_adverb(lowered[i]):
            i += 1
        return i if i < end else None
    if grammar.is_past(lowered[start]) or grammar.is_base(lowered[start]):
        return start
    return find_verb(lowered[:end], start + 1)


def _left_is_past(lowered: list[str], verb: int, joint: int) -> bool:
    left = lowered[verb]
    first_person = lowered[verb - 1] in words.SPEAKER_SUBJECTS if verb else False
    if first_person and left in grammar.SAME_IN_PAST:
        return True
    if (
        left in {"was", "were", "had", "did", "didn't"}
        or left.endswith(("'ve", "'d"))
        or left in {"have", "has"}
    ):
        return True
    return any(grammar.is_past(word) for word in lowered[verb:joint])


def _ends_in_infinitive(lowered: list[str], verb: int, joint: int) -> bool:
    """Whether the verb nearest to the joint is "to ..." or "...ing", which the next one would continue."""
    return any(lowered[i - 1] == "to" and grammar.is_base(lowered[i]) for i in range(verb + 1, joint))
