"""The rules extractor: patterns, word lists and dictionaries decide what is worth keeping."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple, Protocol

from cognis_local.extraction.categories import categorise
from cognis_local.extraction.comparing import corrected_by, denied_before
from cognis_local.extraction.english import appointments as english_appointments
from cognis_local.extraction.english.description import describe as describe_english
from cognis_local.extraction.english.lists import lists_others as lists_others_in_english
from cognis_local.extraction.english.lists import without_item as without_english_item
from cognis_local.extraction.english.parser import EnglishParser
from cognis_local.extraction.handed_over import without_material
from cognis_local.extraction.instructions import only_categories
from cognis_local.extraction.japanese import appointments as japanese_appointments
from cognis_local.extraction.japanese.description import describe as describe_japanese
from cognis_local.extraction.japanese.lists import lists_others as lists_others_in_japanese
from cognis_local.extraction.japanese.lists import without_item as without_japanese_item
from cognis_local.extraction.japanese.parser import JapaneseParser
from cognis_local.extraction.model import Description, Speaker, Statement
from cognis_local.extraction.operations import (
    Decision,
    Held,
    decide,
    retracts,
    tells_of_end,
    without_conflicts,
)
from cognis_local.extraction.own_words import own_words
from cognis_local.extraction.present_state import with_present_state, without_present_state
from cognis_local.extraction.speakers import speaker_of
from cognis_local.extraction.timing import local_time, place_in_time
from cognis_memory.domain.language import Language, detect_language
from cognis_memory.models.event import Notice
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Operation, Role

MAX_STATEMENTS: Final = 300
"""Of one message; what comes after them in a message that long stays findable as raw text."""

INSTRUCTIONS_IGNORED: Final = "instructions_ignored"
"""The code of the notice that instructions were given which rules cannot follow."""


class _Parser(Protocol):
    def statements(self, text: str, speaker: Speaker) -> list[Statement]: ...


class _Rules(NamedTuple):
    """The rules of one language: how statements are read, and how contents are compared."""

    parser: _Parser
    describe: Callable[[str, str], Description]
    without_item: Callable[[str, frozenset[str]], str]
    lists_others: Callable[[str, frozenset[str]], bool]
    with_fuller_name: Callable[[str, str], str]


_RULES: Final[dict[Language, _Rules]] = {
    "en": _Rules(
        EnglishParser(),
        describe_english,
        without_english_item,
        lists_others_in_english,
        english_appointments.with_fuller_name,
    ),
    "ja": _Rules(
        JapaneseParser(),
        describe_japanese,
        without_japanese_item,
        lists_others_in_japanese,
        japanese_appointments.with_fuller_name,
    ),
}


class RulesExtractor:
    """Extracts facts from English and Japanese by rules alone; text in other languages gives none.

    It loads its dictionaries on first use and holds no other state, so one object serves many threads.
    """

    @property
    def chunk_messages(self) -> int:
        return 1

    def extract(self, request: ExtractionRequest) -> Extraction:
        """One fact for each thing that a message states of a person; any text is safe.

        Of instructions only those that name the categories to keep are followed; others give a notice.
        """
        facts: list[ExtractedFact] = []
        for index, message in enumerate(request.messages):
            facts += _facts_of(index, message, request)
        if not request.instructions:
            return Extraction(tuple(facts))
        categories = only_categories(request.instructions)
        if categories is None:
            return Extraction(tuple(facts), notices=(Notice(code=INSTRUCTIONS_IGNORED),))
        return Extraction(tuple(fact for fact in facts if fact.category in categories))


def _rules_of(memory: LabelledMemory) -> _Rules:
    return _RULES.get(detect_language(memory.content, "ja"), _RULES["en"])


def _held(memory: LabelledMemory, told: datetime) -> Held:
    """Described; the stored slot counts where the words tell none, but not which of its values they end."""
    rules = _rules_of(memory)
    content = without_present_state(memory.content)
    description = rules.describe(content, memory.subject)
    ends = memory.retracts or memory.retracted
    if description.slot is None and memory.slot is not None and not ends:
        description = replace(description, slot=memory.slot)
    later = memory.timestamp is not None and memory.timestamp > told
    without_item, lists_others = partial(rules.without_item, content), partial(rules.lists_others, content)
    return Held(memory.label, description, ends, later, without_item, lists_others)


def _facts_of(index: int, message: Message, request: ExtractionRequest) -> list[ExtractedFact]:
    if message.role in (Role.SYSTEM, Role.TOOL):
        return []
    text = without_material(own_words(message.content))
    language = detect_language(text, _conversation_language(request))
    if language not in _RULES:
        return []
    statements = _distinct(_RULES[language].parser.statements(text, speaker_of(message, request)))
    held = [_held(memory, message.timestamp) for memory in request.similar] if statements else []
    memories = {memory.label: memory for memory in request.similar}
    reference = local_time(message)
    told: list[tuple[Description, list[ExtractedFact]]] = []
    for statement in statements:
        fact, description = _fact(statement, index, message, language, reference)
        decisions = decide(statement, description, held)
        ends = len(decisions) == 1 and not decisions[0].content and tells_of_end(statement, description)
        made = [_decided(replace(fact, retracts=ends), each, memories) for each in decisions]
        told = [said for said in told if not _taken_back(statement, description, said[0])]
        told.append((description, made))
        held.append(Held(None, description, ends=retracts(statement, description)))
    return without_conflicts([fact for _, made in told for fact in made])


def _decided(
    fact: ExtractedFact, decision: Decision, memories: Mapping[int, LabelledMemory]
) -> ExtractedFact:
    """The fact as decided: an appointment that is moved keeps its fuller name.

    What a memory still tells without a part is about whom the memory is about.
    """
    decided = replace(fact, operation=decision.operation, label=decision.label)
    if decision.operation is not Operation.UPDATE or decision.label is None:
        return decided
    memory = memories[decision.label]
    if not decision.content:
        rules = _RULES[detect_language(fact.content, "ja")]
        return replace(decided, content=rules.with_fuller_name(fact.content, memory.content))
    rest = _rules_of(memory).describe(decision.content, memory.subject)
    return replace(
        decided,
        content=decision.content,
        category=categorise(decision.content, rest.slot),
        subject=rest.subject,
        slot=rest.slot,
        event_time=None,
        event_end=None,
        lapses=False,
    )


def _taken_back(statement: Statement, new: Description, said: Description) -> bool:
    return denied_before(new, said) or (statement.corrects and corrected_by(new, said))


def _telling_slot(statement: Statement, description: Description) -> str | None:
    """The slot where it tells the category: who "User's dentist" is tells more by the relation."""
    return None if description.slot == "name" and "'s " in statement.subject else description.slot


def _distinct(statements: Sequence[Statement]) -> list[Statement]:
    """The statements without word-for-word repeats, and no more than any message that people write has."""
    return list({statement.content: statement for statement in statements}.values())[:MAX_STATEMENTS]


def _conversation_language(request: ExtractionRequest) -> Language | None:
    """Japanese where a turn before was: a message in Chinese characters alone does not tell."""
    before = [detect_language(message.content) for message in request.turns_before]
    return "ja" if "ja" in before or any(m.timezone == "Asia/Tokyo" for m in request.messages) else None


def _fact(
    statement: Statement, index: int, message: Message, language: Language, reference: datetime
) -> tuple[ExtractedFact, Description]:
    timed = place_in_time(statement.content, statement.date_context, reference, language)
    description = _RULES[language].describe(timed.content, statement.subject)
    fact = ExtractedFact(
        operation=Operation.ADD,
        content=with_present_state(timed.content, description.slot, statement.subject, language),
        category=categorise(statement.content, _telling_slot(statement, description)),
        message_index=index,
        subject=statement.subject,
        slot=description.slot,
        speaker=message.speaker,
        language=language,
        event_time=timed.start,
        event_end=timed.end,
        lapses=timed.lapses,
    )
    return fact, description
