"""Reads of memories, messages, chains and vectors."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final, TypeVar

from cognis_memory.adapters.ledger.cursors import make_cursor, read_cursor
from cognis_memory.adapters.ledger.encoding import read_document, to_micros, vector_from_bytes
from cognis_memory.adapters.sqlite.database import Database
from cognis_memory.models.commit import Chain
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, FloatVector, Operation, Owner, Scope
from cognis_memory.ports import MemoryPage

_ITERATION_ROWS: Final = 200
_AFTER_EVERY_ID: Final = "\U0010ffff"

_Value = TypeVar("_Value")
_Document = TypeVar("_Document", Memory, Message)

# The ids come as one JSON array, so that there is no limit to their number.
_MEMORIES = """
    SELECT id, document FROM memories
    WHERE tenant_id = ? AND user_id = ? AND id IN (SELECT value FROM json_each(?))
"""
_MESSAGES = """
    SELECT id, document FROM messages
    WHERE tenant_id = ? AND user_id = ? AND id IN (SELECT value FROM json_each(?))
"""
_VECTORS = """
    SELECT id, vector FROM vectors
    WHERE tenant_id = ? AND user_id = ? AND id IN (SELECT value FROM json_each(?))
"""
_CHAINS = """
    SELECT id, json_array(revision, json(version_ids)) FROM chains
    WHERE tenant_id = ? AND user_id = ? AND id IN (SELECT value FROM json_each(?))
"""

_LIST = """
    SELECT document FROM memories
    WHERE tenant_id = :tenant AND user_id = :user AND id < :before
        AND operation <> :retraction AND (expires_at IS NULL OR expires_at > :now)
        AND (:history OR is_current)
        AND (:category IS NULL OR category = :category)
        AND (:scope IS NULL OR scope = :scope)
        AND (:context IS NULL OR context_id = :context)
    ORDER BY id DESC LIMIT :rows
"""

_RECENT = """
    SELECT document FROM messages
    WHERE tenant_id = ? AND user_id = ? AND context_id IS ? AND id < ? ORDER BY id DESC LIMIT ?
"""

_ALL_MEMORIES = """
    SELECT document FROM memories
    WHERE tenant_id = ? AND user_id = ? AND id > ? ORDER BY id LIMIT ?
"""
_ALL_MESSAGES = """
    SELECT document FROM messages
    WHERE tenant_id = ? AND user_id = ? AND id > ? ORDER BY id LIMIT ?
"""


class Documents:
    """The part of the ledger that reads documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get_memories(self, owner: Owner, ids: Sequence[str]) -> dict[str, Memory]:
        with self._database.reading() as connection:
            return _select(connection, _MEMORIES, owner, ids, _memory)

    def get_messages(self, owner: Owner, ids: Sequence[str]) -> dict[str, Message]:
        with self._database.reading() as connection:
            return _select(connection, _MESSAGES, owner, ids, _message)

    def get_vectors(self, owner: Owner, ids: Sequence[str]) -> dict[str, FloatVector]:
        with self._database.reading() as connection:
            return _select(connection, _VECTORS, owner, ids, vector_from_bytes)

    def get_chains(self, owner: Owner, chain_ids: Sequence[str]) -> dict[str, Chain]:
        with self._database.reading() as connection:
            links = _select(connection, _CHAINS, owner, chain_ids, json.loads)
            version_ids = [id_ for _, ids in links.values() for id_ in ids]
            held = _select(connection, _MEMORIES, owner, version_ids, _memory)
        return {
            chain_id: Chain(chain_id, tuple(held[id_] for id_ in ids if id_ in held), revision)
            for chain_id, (revision, ids) in links.items()
        }

    def list_memories(
        self,
        owner: Owner,
        *,
        limit: int,
        cursor: str | None = None,
        category: Category | None = None,
        scope: Scope | None = None,
        context_id: str | None = None,
        include_history: bool = False,
        now: datetime,
    ) -> MemoryPage:
        row = {
            "tenant": owner.tenant_id,
            "user": owner.user_id,
            "before": _AFTER_EVERY_ID if cursor is None else read_cursor(owner, cursor),
            "retraction": Operation.DELETE,
            "now": to_micros(now),
            "history": include_history,
            "category": category,
            "scope": scope,
            "context": context_id,
            "rows": limit + 1,
        }
        with self._database.reading() as connection:
            found = [_memory(document) for (document,) in connection.execute(_LIST, row)]
        page = tuple(found[:limit])
        return MemoryPage(page, make_cursor(owner, page[-1].id) if len(found) > limit else None)

    def recent_messages(
        self, owner: Owner, context_id: str | None, *, before_id: str, limit: int
    ) -> list[Message]:
        values = (owner.tenant_id, owner.user_id, context_id, before_id, limit)
        with self._database.reading() as connection:
            newest_first = [_message(document) for (document,) in connection.execute(_RECENT, values)]
        return newest_first[::-1]

    def iterate_memories(self, owner: Owner) -> Iterator[Memory]:
        return self._iterate(_ALL_MEMORIES, owner, _memory)

    def iterate_messages(self, owner: Owner) -> Iterator[Message]:
        return self._iterate(_ALL_MESSAGES, owner, _message)

    def _iterate(self, query: str, owner: Owner, read: Callable[[str], _Document]) -> Iterator[_Document]:
        """Reads page by page: a caller who stops half-way leaves no transaction open behind."""
        last_id = ""
        while True:
            values = (owner.tenant_id, owner.user_id, last_id, _ITERATION_ROWS)
            with self._database.reading() as connection:
                documents = [read(document) for (document,) in connection.execute(query, values)]
            yield from documents
            if len(documents) < _ITERATION_ROWS:
                return
            last_id = documents[-1].id


def _select(
    connection: sqlite3.Connection,
    query: str,
    owner: Owner,
    ids: Sequence[str],
    read: Callable[..., _Value],
) -> dict[str, _Value]:
    """What the query finds, in the order of `ids`."""
    rows = connection.execute(query, (owner.tenant_id, owner.user_id, json.dumps(list(ids))))
    found = {id_: read(value) for id_, value in rows}
    return {id_: found[id_] for id_ in ids if id_ in found}


def _memory(document: str) -> Memory:
    return read_document(Memory, document)


def _message(document: str) -> Message:
    return read_document(Message, document)
