"""What a change leaves behind: whoever moved to a place lives there, and is asked about in those words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cognis_memory.domain.language import Language


@dataclass(frozen=True, slots=True)
class _State:
    """A state that a change leads to: words of the change, words that tell the state already, the note."""

    change: re.Pattern[str]
    told: re.Pattern[str]
    note: str


def _state(change: str, told: str, note: str) -> _State:
    return _State(re.compile(change, re.IGNORECASE), re.compile(told, re.IGNORECASE), note)


_STATES: Final[dict[tuple[str, Language], _State]] = {
    ("home", "en"): _state(
        r"\b(?:moved|relocated|emigrated|settled)\b", r"\bliv(?:es|ing)\b", ", where {subject} lives now"
    ),
    ("home", "ja"): _state(
        r"引っ?越|転居|移住|移り住|移りました|移った|越しました|越した|越してき",
        r"住んで",
        "（今はそこに住んでいます）",
    ),
    ("employer", "en"): _state(
        r"\b(?:started|joined|hired)\b", r"\bwork(?:s|ing)\b", ", where {subject} works now"
    ),
    ("employer", "ja"): _state(r"転職|入社|就職", r"働いて|勤めて|勤務", "（今はそこで働いています）"),
    ("team", "en"): _state(
        r"\b(?:moved|transferred|switched|joined|reassigned)\b", r"\bworks\b", ", where {subject} works now"
    ),
    ("team", "ja"): _state(r"異動|配属|転属|移", r"所属|働いて", "（今はそこに所属しています）"),
    ("car", "en"): _state(
        r"\b(?:traded|swapped|replaced)\b", r"\bdriv(?:es|ing)\b", ", the car that {subject} drives now"
    ),
    ("car", "ja"): _state(r"買い?替え|乗り換え", r"乗って", "（今はその車に乗っています）"),
}
_NOTED: Final = re.compile(
    r", (?:where|the car that) [^,]{1,80} (?:lives|works|drives) now$|（今はその?[^（）]{1,12}います）$"
)


def with_present_state(content: str, slot: str | None, subject: str, language: Language) -> str:
    """A change that leads to a new home, work or car, with the note what is so now; others as they are."""
    state = _STATES.get((slot or "", language))
    if state is None or not state.change.search(content) or state.told.search(content):
        return content
    return content + state.note.format(subject=subject)


def without_present_state(content: str) -> str:
    """The speaker's own statement, for comparing it with others."""
    return _NOTED.sub("", content)
