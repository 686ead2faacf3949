"""From English text to statements in the third person."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import (
    assistant,
    corrections,
    grammar,
    naming,
    parting,
    requests,
    wording,
    words,
)
from cognis_local.extraction.english.clauses import Clause, find_verb, split_clauses
from cognis_local.extraction.english.ellipsis import elided_predicate
from cognis_local.extraction.english.grammar import bare
from cognis_local.extraction.english.persons import ThirdPerson
from cognis_local.extraction.english.screening import declarative_part, states_something
from cognis_local.extraction.english.sentences import Sentence, sentences
from cognis_local.extraction.english.subjects import (
    Subject,
    find_subject,
    introduced_person,
    relation_label,
)
from cognis_local.extraction.english.talk import is_talk
from cognis_local.extraction.model import Change, Speaker, Statement
from cognis_local.extraction.patterns import ignoring_case, words_of

_RETRACTS: Final = ignoring_case(
    r"\bno longer\b|(?:\bnot|n't|\bnever)\b.*\bany ?(?:more|longer)\b",
    r"|\b(?:was|is|has been|got) (?:\w+ )?(?:called off|off|scrapped)(?=[.!]?$| because\b| after\b)",
    r"|\b(?:stopped|quit|quits|gave up|given up|has stopped|cancelled|canceled|dropped out of)\b(?! by\b)",
    r"|\b(?:sold|got rid of|gave away|scrapped|donated|rehomed|returned|traded in|threw (?:away|out))",
    r" (?:their|the)\b(?! (?:[\w'-]+ ){1,4}?(?:for|with) an?\b)",
    r"|\b(?:left|resigned from) (?-i:[A-Z])",
    r"|\bhad to (?:cancel|give up|call off|drop)\b|\b(?:recovered from|got over|gotten over"
    r"|is over) (?:the|their|an?)\b",
    r"|\bfinished (?:the|their) (?:\w+ )?(?:antibiotics|medication|meds|treatment|chemo|therapy"
    r"|physio|rehab|diet)\b",
    rf"|\b{parting.LEFT_WORK}\b|\b(?:{parting.LEFT_BODY}|{parting.LAID_OFF})",
    r"|\bdropped (?!(?:their|the|an?|out|off|by|in|them|it)\b)",
    rf"|\bis (?:now |finally )?(?:off|done with|through with) {words_of(words.DIETS)}\b",
    r"|\b(?:doesn't|does not|didn't|never) (?:\w+ly )?(?:have|had|own|owned) (?:an?|any|the|their|that)\b",
)
_GOES_ON: Final = ignoring_case(rf"{parting.PURPOSE}|\binstead\b(?! of\b)")
_ADDITIVE: Final = ignoring_case(r"\b(?:also|another|too|as well|second|additional|other)\b")
_NOT_BUT: Final = re.compile(r",?\s+(?:and\s+)?not\s+(?:(?:on|in|at|to|from|a|an|the)\s+)?[\w' .-]{1,40}$")
_DEFINITE: Final = ignoring_case(r"^the\b")


class EnglishParser:
    """Reads statements off one message."""

    def statements(self, text: str, speaker: Speaker) -> list[Statement]:
        """What the speaker states about persons, one statement each, in order."""
        found: list[Statement] = []
        last_person: Subject | None = None
        for sentence in _corrected(sentences(text), speaker):
            if last_person is None and naming.names_somebody(sentence.text):
                last_person = _introduced_in(speaker)
            reading = _Reading(speaker, sentence, last_person)
            found += reading.statements()
            last_person = reading.last_person
        return found


def _corrected(told: list[Sentence], speaker: Speaker) -> list[Sentence]:
    """The sentences once each, corrections with what they leave out."""
    before = [sentence.text for sentence in sentences(speaker.earlier)] if speaker.earlier else []
    found: list[Sentence] = []
    for sentence in dict.fromkeys(told):
        text = corrections.without_what_was_taken_back(sentence.text)
        text, found = corrections.JOKES.taken_back(text, found)
        if sentence.corrects:
            text = corrections.amended(text, before)
        before.append(text)
        found.append(Sentence(text, sentence.corrects))
    return found


def _introduced_in(speaker: Speaker) -> Subject | None:
    """The person or animal that the speaker's turn before brought up last, for "Her name is Mugi"."""
    who = Subject(speaker.name, speaker.name, 1, is_speaker=True)
    found = [introduced_person(sentence.text, who, speaker) for sentence in sentences(speaker.earlier)]
    return next((person for person in reversed(found) if person), None)


class _Reading:
    """One sentence being read; `last_person` is whom a later pronoun means."""

    def __init__(self, speaker: Speaker, sentence: Sentence, last_person: Subject | None) -> None:
        self.last_person = last_person
        self._speaker = speaker
        self._sentence = sentence
        self._previous: Subject | None = None
        self._previous_content = ""

    def statements(self) -> list[Statement]:
        sentence = self._sentence.text
        if not self._speaker.is_assistant:
            wish = requests.standing_wish(sentence, self._speaker)
            if wish:
                return [wish]
        thing = requests.forgotten_thing(sentence)
        if thing:
            return [self._forgotten(thing)]
        forgotten = requests.forgotten_clause(sentence)
        if not forgotten and requests.asks_to_forget(sentence):
            return []
        holds, denied = corrections.denied(sentence) if self._sentence.corrects else ("", "")
        text = declarative_part(forgotten or holds or sentence)
        change = Change.FORGETS if forgotten else Change.STATES
        if denied and text:
            wrong = self._statement(Clause(denied), Change.FORGETS)
            told = self._statement(Clause(text), change)
            return [statement for statement in (wrong, told) if statement]
        found = [self._statement(clause, change) for clause in split_clauses(text)] if text else []
        return [statement for statement in found if statement]

    def _forgotten(self, thing: str) -> Statement:
        """Of a relative ("my neighbour's dog") where it names one, else of the speaker."""
        label, _ = relation_label(thing.split(), self._speaker.name)
        content = ThirdPerson(self._speaker).rewrite(thing)
        return Statement(content, label or self._speaker.name, Change.FORGETS)

    def _statement(self, clause: Clause, change: Change) -> Statement | None:
        text = self._own_words(clause)
        if len(text.split()) < 2:
            self._previous = None
            return None
        if change is Change.FORGETS and find_verb([bare(token) for token in text.split()], 1) is None:
            return Statement(ThirdPerson(self._speaker).rewrite(text), self._speaker.name, change)
        if clause.elided:
            return self._with_shared_subject(text, change)
        self._previous, content = self._with_own_subject(text)
        if self._previous is None:
            return None
        self.last_person = introduced_person(text, self._previous, self._speaker) or self.last_person
        return self._finished(content, self._previous.label, change)

    def _own_words(self, clause: Clause) -> str:
        text = wording.without_ends(clause.text, self._speaker.addressee)
        text = naming.with_whom_met(text, self.last_person, self._speaker)
        if self._sentence.corrects:
            text = _DEFINITE.sub("my", _NOT_BUT.sub("", text))
        if self._speaker.is_assistant and not assistant.worth_keeping(text):
            return ""
        return text

    def _with_own_subject(self, text: str) -> tuple[Subject | None, str]:
        """Whom a clause is about, and its content; None where it states nothing."""
        text = wording.plain(naming.with_pronoun(text) if self.last_person else text)
        if not self._speaker.is_assistant and not states_something(text):
            return None, ""
        main, opening = wording.without_opening(text)
        if opening and not self._speaker.is_assistant and not states_something(main):
            return None, ""
        subject = find_subject(main, self._speaker, self.last_person)
        if subject is None:
            return self._without_subject(text)
        if bare(main.split()[0]).partition("'")[0] in words.THIRD_PERSON | words.THIRD_POSSESSIVES:
            main = wording.with_named_subject(main, subject)
        rewriter = ThirdPerson(self._speaker)
        return subject, " ".join(rewriter.rewrite(part) for part in (main, opening) if part)

    def _without_subject(self, text: str) -> tuple[Subject | None, str]:
        predicate = "" if self._speaker.is_assistant or is_talk(f"I {text}") else elided_predicate(text)
        if not predicate:
            return None, ""
        subject = Subject(self._speaker.name, self._speaker.name, 0, is_speaker=True)
        return subject, f"{subject.text} {ThirdPerson(self._speaker, mentioned=True).rewrite(predicate)}"

    def _with_shared_subject(self, text: str, change: Change) -> Statement | None:
        """A clause that goes on with the subject of the one before: "and live in Porto"."""
        subject = self._previous
        if subject is None or (subject.is_speaker and not states_something(f"I {text}")):
            return None
        tokens = text.split()
        if subject.is_speaker:
            position = next((i for i, token in enumerate(tokens) if not grammar.is_adverb(bare(token))), 0)
            tokens[position] = grammar.third_person(tokens[position])
        who = ThirdPerson(self._speaker).rewrite(subject.text or subject.label)
        rest = ThirdPerson(self._speaker, mentioned=True).rewrite(" ".join(tokens))
        return self._finished(f"{who} {rest}", subject.label, change, self._previous_content)

    def _finished(self, content: str, subject: str, change: Change, date_context: str = "") -> Statement:
        if self.last_person is not None:
            content = naming.with_named(content, self.last_person.text, self._speaker.name)
        self._previous_content = content
        if change is Change.STATES and _RETRACTS.search(content):
            change = Change.RETRACTS
        return Statement(
            content[0].upper() + content[1:],
            subject,
            change,
            additive=bool(_ADDITIVE.search(content)),
            goes_on=change is Change.RETRACTS and bool(_GOES_ON.search(content)),
            corrects=self._sentence.corrects,
            date_context=date_context,
        )
