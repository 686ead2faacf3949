"""From Japanese text to statements in the third person."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from cognis_local.extraction.japanese import (
    assistant,
    corrections,
    owned,
    parting,
    predicates,
    requests,
    wording,
)
from cognis_local.extraction.japanese.context import Context, Introduced, parted_at_name
from cognis_local.extraction.japanese.morphology import tokenize
from cognis_local.extraction.japanese.outline import Outline, outline
from cognis_local.extraction.japanese.screening import reason_given, states_something
from cognis_local.extraction.japanese.sentences import (
    Sentence,
    sentences,
    split_clauses,
    without_contrast,
)
from cognis_local.extraction.japanese.subjects import Phrase, Topic
from cognis_local.extraction.model import Change, Speaker, Statement
from cognis_local.extraction.own_words import QUOTATION
from cognis_local.extraction.patterns import any_of

_RETRACTS: Final = re.compile(
    r"もう[^。]*(?:ません|ない|いない)|(?:を|は|なんて)(?:もう)?(?:持って|飼って)(?:い)?(?:ません|ない)(?:です)?$|"
    + any_of(
        r"なくなりました|なくなった|(?:やめ|辞め)ることに(?:し|な)(?:まし|っ|りまし)?た|やめました|やめた|辞めました|辞めた|手放しました|手放した|売りました|売った",
        r"(?:売却|解約|処分|退会|返品)し(?:まし)?た|譲りました|譲った|下取りに出し(?:まし)?た",
        parting.LEFT,
        owned.CANCELLED,
        r"(?<!アレルギー[がはも])(?:治|なお)(?:りました|った)|完治し(?:まし)?た|克服し(?:まし)?た",
        r"(?:活動|治療|服用|リハビリ|通院|休職|育休|産休|出張|留学)(?:は|が|を)?(?:もう|無事)?(?:終わりました|終わった|終えました|終了しました)",
    )
    + "$"
)
_GOES_ON: Final = re.compile(rf"{parting.ENDS}[、]?.{{3,}}$")
_ENDS_AT_LAST: Final = re.compile(r"(?:やめ|辞め|手放し|売り|譲り)(?:まし)?た$")
_RENAMED: Final = re.compile(r"(?:苗字|名字|姓|名前)が変わ(?:って|り)")
_ADDITIVE: Final = re.compile(r"も(?![うのしっらとち])|もう(?:一|ひと)|他に|ほかに|また、")
_SIGH: Final = re.compile(
    r"^[^、]{0,12}(?:は|も)(?:もう|本当に|ほんとに|ほんと)?(?:散々|最悪|最高|残念|微妙|大変)(?:で|です|だ|でした|だった)?$"
)
"""僕のほうは散々で: how it feels at the moment, which says nothing to whoever reads it later."""
_NAMES_SOMETHING: Final = re.compile(r"^名前(?:は|を).*(?:した|しました|決めた)$")
_GENERAL_PLACE: Final = re.compile(
    r"(?:日本|アメリカ|中国|韓国|フランス|ドイツ|イギリス|世界|海外|一般|普通)(?:で)?は[^、]*(?<!て)(?:ます|る)$"
)


@dataclass(frozen=True, slots=True)
class _Person:
    """Who a clause was about, as its label and as written in its content."""

    label: str
    text: str


class JapaneseParser:
    """Reads statements off one message."""

    def statements(self, text: str, speaker: Speaker) -> list[Statement]:
        """What the speaker states about persons, one statement each, in order."""
        found: list[Statement] = []
        context = Context(speaker.earlier)
        for sentence in _corrected(sentences(text), speaker):
            found += _Reading(speaker, sentence, context).statements()
        return found


def _corrected(told: list[Sentence], speaker: Speaker) -> list[Sentence]:
    """The sentences once each, corrections with what they leave out, and before them what they deny."""
    before = [sentence.text for sentence in sentences(speaker.earlier)] if speaker.earlier else []
    found: list[Sentence] = []
    for sentence in dict.fromkeys(told):
        text, found = corrections.JOKES.taken_back(sentence.text, found)
        if sentence.corrects:
            denied = corrections.denied(text)
            if denied:
                found.append(Sentence(f"{denied}という話は忘れて", corrects=True))
            text = without_contrast(corrections.amended(text, before))
        if not text:
            continue
        before.append(text)
        found.append(Sentence(text, sentence.corrects))
    return found


class _Reading:
    """One sentence being read."""

    def __init__(self, speaker: Speaker, sentence: Sentence, context: Context) -> None:
        self._context = context
        self._speaker = speaker
        self._sentence = sentence
        self._name = wording.written_name(speaker)
        self._previous: _Person | None = None
        self._previous_content = ""

    def statements(self) -> list[Statement]:
        text = self._sentence.text
        if QUOTATION in text:
            return []
        if self._speaker.is_assistant:
            return self._of_assistant(text)
        wish = requests.standing_wish(text, self._speaker, self._name)
        if wish:
            return [wish]
        forgotten = requests.forgotten_clause(text)
        if forgotten:
            return self._forgotten(forgotten)
        text = text if states_something(text) else reason_given(text)
        return self._clauses(text, Change.STATES) if text else []

    def _of_assistant(self, text: str) -> list[Statement]:
        if not assistant.worth_keeping(text):
            return []
        return [self._finished(f"{self._name}は{wording.cleaned(text)}", self._speaker.name, Change.STATES)]

    def _forgotten(self, text: str) -> list[Statement]:
        """What is to be forgotten, as a clause (「切手を集めている」) or as a thing (「電話番号」)."""
        if predicates.main_verb(tokenize(text)) is None and not text.endswith(("だ", "です", "な", "い")):
            return [Statement(wording.owned(text, self._name), self._speaker.name, Change.FORGETS)]
        return self._clauses(text, Change.FORGETS)

    def _clauses(self, text: str, change: Change) -> list[Statement]:
        clauses = [part for clause in split_clauses(text) for part in parted_at_name(clause)]
        found = [self._statement(wording.cleaned(clause), change) for clause in clauses]
        return [statement for statement in found if statement]

    def _statement(self, text: str, change: Change) -> Statement | None:
        named = self._context.named(text)
        if named is not None:
            return self._named(*named, change)
        text = self._context.placed(text)
        self._context.note(text)
        empty = _NAMES_SOMETHING.match(text) or _SIGH.match(text)
        if len(text) < 3 or empty or self._is_about_listener(text):
            return None
        clause = outline(text, self._speaker)
        if not clause.has_content or clause.asks or predicates.says_little(clause.tokens):
            return None
        leading = self._leading(clause)
        if leading is None or (clause.names_nobody and leading is clause.leading):
            return self._of_nobody_named(clause, change)
        if leading.topic is Topic.EXCLUDED:
            return None
        content, who = wording.with_topic(clause, leading, self._name)
        label = leading.label or self._speaker.name
        if leading.topic is not Topic.OWNED:
            self._previous = _Person(label, who)
        return self._finished(content, label, change)

    def _leading(self, clause: Outline) -> Phrase | None:
        """The phrase that tells whom a clause is about; a thing that must be the speaker's is theirs."""
        phrase = clause.leading
        if phrase is None or phrase.topic is not Topic.THING:
            return phrase
        start, end = clause.tokens[phrase.start].start, clause.tokens[phrase.end].start
        predicate = clause.text[end + len(phrase.particle) :]
        if not owned.is_speakers(clause.text[start:end], predicate):
            return phrase
        return replace(phrase, topic=Topic.OWNED)

    def _is_about_listener(self, text: str) -> bool:
        """「Takumiなら大丈夫」 tells nothing of the speaker."""
        return re.match(rf"{re.escape(self._speaker.addressee)}(?:さん|くん)?(?:なら|って)", text) is not None

    def _named(self, who: Introduced, told: str, change: Change) -> Statement | None:
        """The name of somebody or of an animal that was brought up before."""
        if not told:
            return None
        owner = self._speaker.name
        label = f"{owner}'s {who.relation}" if who.relation else owner
        return self._finished(f"{wording.owned(who.text, self._name)}の名前{told}", label, change)

    def _of_nobody_named(self, clause: Outline, change: Change) -> Statement | None:
        """Of the person of the clause before, else of the speaker where the predicate is personal."""
        if not self._is_personal(clause):
            return None
        person = self._previous or _Person(self._speaker.name, self._name)
        particle = "が" if clause.leading is not None and wording.is_cleft(clause.text) else "は"
        comment = wording.in_third_person(wording.as_comment(clause), self._name)
        return self._finished(
            f"{person.text}{particle}{comment}", person.label, change, self._previous_content
        )

    def _is_personal(self, clause: Outline) -> bool:
        text = clause.text
        always = (
            predicates.is_posted,
            predicates.counts,
            predicates.lacks,
            predicates.gives_up,
            predicates.tolerates,
            _RENAMED.search,
        )
        if any(tells(text) for tells in always):
            return True
        if _GENERAL_PLACE.match(clause.text) or clause.of_a_kind:
            return False
        leading = clause.leading
        if leading is not None and leading.particle == "が":
            return predicates.state_of_speaker(clause.tokens) or clause.tells_of_family
        if leading is not None and wording.is_cleft(clause.text):
            return True
        if predicates.of_speaker(clause.main, topical=leading is not None):
            return True
        return leading is None and clause.tells_of_family

    def _finished(self, content: str, subject: str, change: Change, date_context: str = "") -> Statement:
        self._previous_content = content
        if self._previous is None and subject == self._speaker.name:
            self._previous = _Person(subject, self._name)
        goes_on = bool(_GOES_ON.search(content)) and not _ENDS_AT_LAST.search(content)
        if change is Change.STATES and (goes_on or _RETRACTS.search(content)):
            change = Change.RETRACTS
        return Statement(
            content,
            subject,
            change,
            additive=bool(_ADDITIVE.search(content)) and not goes_on,
            goes_on=goes_on,
            corrects=self._sentence.corrects,
            date_context=date_context,
        )
