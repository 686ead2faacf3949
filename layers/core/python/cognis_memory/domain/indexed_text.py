"""Which words stand for a message in indexes and reranker; a memory's content stands for itself."""

from __future__ import annotations

from cognis_memory.models.message import Message
from cognis_memory.models.values import Role

CONTEXT_TURNS = 2
"""How many turns before a message belong to its indexed context."""

MAX_CONTEXT_CHARACTERS = 1_000
"""Of a long context only the end counts: what was said last."""


def spoken_text(message: Message) -> str:
    """`Ana: I moved to Osaka`: what is embedded, matched and reranked. A mere role is left out."""
    named = message.speaker not in tuple(Role)
    return f"{message.speaker}: {message.content}" if named else message.content


def shorten_context(context: str) -> str:
    """The end of a long context: what was said last."""
    return context[-MAX_CONTEXT_CHARACTERS:]
