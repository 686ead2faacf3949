"""What a move leaves behind: whoever moved to a place lives there, and is asked about in those words."""

from __future__ import annotations

import re
from typing import Final

from cognis_memory.domain.language import Language

_MOVED: Final = {
    "en": re.compile(r"\b(?:moved|relocated|emigrated|settled)\b", re.IGNORECASE),
    "ja": re.compile(r"引っ?越|転居|移住|移り住|移りました|移った|越しました|越した|越してき"),
}
_LIVES: Final = {"en": re.compile(r"\bliv(?:es|ing)\b"), "ja": re.compile(r"住んで")}
_NOTES: Final = {"en": ", where {subject} lives now", "ja": "（今はそこに住んでいます）"}
_NOTED: Final = re.compile(r", where [^,]{1,80} lives now$|（今はそこに住んでいます）$")


def with_present_state(content: str, slot: str | None, subject: str, language: Language) -> str:
    """A move to a new home, with the note that it is the home now; any other content as it is."""
    if slot != "home" or language not in _MOVED:
        return content
    if not _MOVED[language].search(content) or _LIVES[language].search(content):
        return content
    return content + _NOTES[language].format(subject=subject)


def without_present_state(content: str) -> str:
    """The speaker's own statement, for comparing it with others."""
    return _NOTED.sub("", content)
