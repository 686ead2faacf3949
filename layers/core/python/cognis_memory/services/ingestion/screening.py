"""What of the messages an extractor may read as their authors' statements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cognis_memory.domain.prompt_injection import is_injection
from cognis_memory.domain.recalled_context import without_recalled_context
from cognis_memory.models.event import Notice
from cognis_memory.models.extraction import ExtractedFact
from cognis_memory.models.message import Message

INSTRUCTION_QUARANTINED: Final = "instruction_quarantined"
"""The code of the notice for a message that tries to instruct the memory: kept as it is, never a memory."""


def screened(
    messages: Iterable[Message], *, verbatim: bool = False
) -> tuple[list[Message], tuple[Notice, ...]]:
    """What is left to read, and a notice for each message that is not.

    Nobody reads a message in quarantine. The others come without what was recalled into them, and not at all
    where nothing else was said; word for word they are kept as they are.
    """
    readable, notices = [], []
    for message in messages:
        if is_injection(message.content):
            notices.append(Notice(code=INSTRUCTION_QUARANTINED, message_id=message.id))
        elif verbatim:
            readable.append(message)
        elif (own := without_recalled_context(message.content)).strip():
            readable.append(message.model_copy(update={"content": own}))
    return readable, tuple(notices)


def instructs(fact: ExtractedFact) -> bool:
    """Whether a fact carries on such an order, which a model took for a statement."""
    return is_injection(fact.content)
