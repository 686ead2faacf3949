"""Which words stand for a document in the indexes and in the reranker."""

from __future__ import annotations

from cognis_memory.models.message import Message
from cognis_memory.models.values import Role

CONTEXT_TURNS = 2
"""How many turns before a message belong to its indexed context."""

MAX_CONTEXT_CHARACTERS = 1_000
"""Of a long context only the end counts: what was said last."""


def spoken_text(message: Message) -> str:
    """`Ana: I moved to Osaka`; a speaker who is only a role says nothing about the words."""
    named = message.speaker not in tuple(Role)
    return f"{message.speaker}: {message.content}" if named else message.content


def message_text(message: Message, context: str) -> str:
    """What is embedded: the turns before make short answers findable, the own words come last."""
    own = spoken_text(message)
    return f"{context}\n{own}" if context else own


def shorten_context(context: str) -> str:
    """The end of a long context: what was said last."""
    return context[-MAX_CONTEXT_CHARACTERS:]


def memory_text(content: str) -> str:
    """A memory's content stands on its own."""
    return content
