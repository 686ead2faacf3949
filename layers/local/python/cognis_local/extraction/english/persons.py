"""Turns the first person into the third: "I'm selling my car" into "User is selling their car"."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import grammar, words
from cognis_local.extraction.model import Speaker
from cognis_local.extraction.patterns import word_set

_TOKEN: Final = re.compile(r"^([\"“(\[*_]*)(.*?)([\"”)\],.!?;:…*_]*)$")
_BE_SUFFIX: Final = {"m": "am", "re": "are", "s": "is", "ve": "have", "ll": "will", "d": "would"}
_AFTER_HAD: Final = word_set("been had gone done never always already just better")
_BOTH: Final = word_set("both all")


class ThirdPerson:
    """Rewrites one clause: the first mention of the speaker becomes the name, later ones "they", "their"."""

    def __init__(self, speaker: Speaker, *, mentioned: bool = False) -> None:
        self._speaker = speaker
        self._mentioned = mentioned

    def rewrite(self, text: str) -> str:
        tokens = text.split()
        out: list[str] = []
        i = self._joint_subject(tokens, out)
        while i < len(tokens):
            before, core, after = _parts(tokens[i])
            root, _, suffix = core.lower().partition("'")
            if root in words.SPEAKER_SUBJECTS and (not suffix or suffix in _BE_SUFFIX):
                i = self._subject(tokens, i, out)
                continue
            out.append(before + self._word(core, root, suffix) + after)
            i += 1
        return " ".join(out)

    def _joint_subject(self, tokens: list[str], out: list[str]) -> int:
        """Writes "my brother and I share" as "User and their brother share"; returns where to go on.

        "Mei and I" becomes "User and Mei".
        """
        lowered = [grammar.bare(token) for token in tokens[:8]]
        joint = lowered.index("and") if "and" in lowered else 0
        related = joint > 1 and lowered[0] in words.POSSESSIVES
        named = joint == 1 and tokens[0][0].isupper()
        if self._mentioned or not (related or named) or lowered[joint + 1 : joint + 2] != ["i"]:
            return 0
        out += [self._speaker.name, "and", *(["their", *tokens[1:joint]] if related else tokens[:1])]
        self._mentioned = True
        verb = joint + 2
        if verb < len(tokens):
            out.append(grammar.plural(tokens[verb]))
        return verb + 1

    def _subject(self, tokens: list[str], i: int, out: list[str]) -> int:
        """Writes the subject at `i` with its verb in agreement; returns where to go on."""
        before, core, after = _parts(tokens[i])
        joined = bool(out) and out[-1].lower() in {"and", "or"} and len(out) > 1 and not out[-2].endswith(",")
        agree = grammar.plural if self._mentioned or joined else grammar.third_person
        out.append(before + ("they" if self._mentioned else self._speaker.name) + after)
        self._mentioned = True
        _, _, suffix = core.lower().partition("'")
        i += 1
        if i < len(tokens) and core.lower().startswith("we") and tokens[i].lower() in _BOTH:
            i += 1
        if suffix:
            following = grammar.bare(tokens[i]) if i < len(tokens) else ""
            out.append(agree(_auxiliary(suffix, following)))
            return i
        while i < len(tokens) - 1 and grammar.is_adverb(grammar.bare(tokens[i])):
            out.append(tokens[i])
            i += 1
        if i < len(tokens):
            verb_before, verb, verb_after = _parts(tokens[i])
            out.append(verb_before + _agreeing(verb, tokens, agree is grammar.plural) + verb_after)
            i += 1
        return i

    def _word(self, core: str, root: str, suffix: str) -> str:
        if suffix and root not in words.SECOND_PERSON:
            return core
        name, known = self._speaker.name, self._mentioned
        if root in words.FIRST_PERSON:
            self._mentioned = True
        if root in {"my", "our"}:
            return "their" if known else f"{name}'s"
        if root in {"mine", "ours"}:
            return "theirs" if known else f"{name}'s"
        if root in {"me", "us"}:
            return "them" if known else name
        if root in {"myself", "ourselves"}:
            return "themselves"
        return self._addressed(core, root, suffix)

    def _addressed(self, core: str, root: str, suffix: str) -> str:
        addressee = self._speaker.addressee
        if root in {"your", "yours"}:
            return f"{addressee}'s"
        if root in {"you", "u"}:
            return (
                f"{addressee} {grammar.third_person(_BE_SUFFIX[suffix])}"
                if suffix in _BE_SUFFIX
                else addressee
            )
        return core


def _parts(token: str) -> tuple[str, str, str]:
    match = _TOKEN.match(token)
    return (match[1], match[2], match[3]) if match else ("", token, "")


def _auxiliary(suffix: str, following: str) -> str:
    if suffix == "d" and (
        following in _AFTER_HAD or (grammar.is_past(following) and grammar.only_verb(following))
    ):
        return "had"
    return _BE_SUFFIX[suffix]


def _agreeing(verb: str, tokens: list[str], is_plural: bool) -> str:
    if is_plural:
        return grammar.plural(verb)
    if verb.lower() == "read" and any(
        grammar.bare(token) in {"every", "often", "usually", "daily"} for token in tokens
    ):
        return "reads"
    return grammar.third_person(verb)
