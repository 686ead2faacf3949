"""Applies a commit: conditions first, then every write, in one transaction."""

from __future__ import annotations

import json
import sqlite3

from cognis_memory.adapters.ledger.commits import check_commit
from cognis_memory.adapters.ledger.encoding import to_micros, vector_to_bytes
from cognis_memory.adapters.sqlite.database import Database
from cognis_memory.adapters.sqlite.events import replace_event
from cognis_memory.adapters.sqlite.leases import check_epoch, held_token
from cognis_memory.errors import RevisionConflict, StaleLease
from cognis_memory.models.commit import ChainWrite, Commit, DocumentWrite
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner


class Commits:
    """The part of the ledger that writes documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def commit(self, commit: Commit) -> None:
        check_commit(commit)
        with self._database.writing(removing=commit.removes_text) as connection:
            _check_fences(connection, commit)
            if commit.event is not None:
                replace_event(connection, commit.event)
            for document in commit.documents:
                _write_document(connection, document)
            for chain in commit.chains:
                _write_chain(connection, commit.owner, chain)
            _delete(connection, commit)
            _mark_pending(connection, commit)


def _check_fences(connection: sqlite3.Connection, commit: Commit) -> None:
    check_epoch(connection, commit.owner, commit.epoch)
    if commit.fence is not None and held_token(connection, commit.owner) != commit.fence:
        raise StaleLease("the lease was taken over or released")


def _write_document(connection: sqlite3.Connection, write: DocumentWrite) -> None:
    document = write.document
    if isinstance(document, Memory):
        written = _write_memory(connection, document)
    else:
        written = _write_message(connection, document)
    if not written:
        raise RevisionConflict(f"{document.id} is no longer at revision {document.revision - 1}")
    if write.vector is not None:
        connection.execute(
            "INSERT INTO vectors (tenant_id, user_id, id, vector) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (tenant_id, user_id, id) DO UPDATE SET vector = excluded.vector",
            (document.tenant_id, document.user_id, document.id, vector_to_bytes(write.vector)),
        )


_INSERT_MEMORY = """
    INSERT INTO memories (
        tenant_id, user_id, id, category, scope, context_id,
        operation, is_current, expires_at, revision, document
    ) VALUES (
        :tenant, :user, :id, :category, :scope, :context,
        :operation, :current, :expires, :revision, :document
    ) ON CONFLICT DO NOTHING
"""
_UPDATE_MEMORY = """
    UPDATE memories SET
        category = :category, scope = :scope, context_id = :context, operation = :operation,
        is_current = :current, expires_at = :expires, revision = :revision, document = :document
    WHERE tenant_id = :tenant AND user_id = :user AND id = :id AND revision = :revision - 1
"""


def _write_memory(connection: sqlite3.Connection, memory: Memory) -> bool:
    """Whether the memory was at the revision before."""
    statement = _INSERT_MEMORY if memory.revision == 1 else _UPDATE_MEMORY
    row = {
        "tenant": memory.tenant_id,
        "user": memory.user_id,
        "id": memory.id,
        "category": memory.category,
        "scope": memory.scope,
        "context": memory.context_id,
        "operation": memory.operation,
        "current": memory.is_current,
        "expires": None if memory.expires_at is None else to_micros(memory.expires_at),
        "revision": memory.revision,
        "document": memory.model_dump_json(),
    }
    return connection.execute(statement, row).rowcount == 1


_INSERT_MESSAGE = """
    INSERT INTO messages (tenant_id, user_id, id, context_id, expires_at, revision, document)
    VALUES (:tenant, :user, :id, :context, :expires, :revision, :document) ON CONFLICT DO NOTHING
"""
_UPDATE_MESSAGE = """
    UPDATE messages SET
        context_id = :context, expires_at = :expires, revision = :revision, document = :document
    WHERE tenant_id = :tenant AND user_id = :user AND id = :id AND revision = :revision - 1
"""


def _write_message(connection: sqlite3.Connection, message: Message) -> bool:
    """Whether the message was at the revision before."""
    statement = _INSERT_MESSAGE if message.revision == 1 else _UPDATE_MESSAGE
    row = {
        "tenant": message.tenant_id,
        "user": message.user_id,
        "id": message.id,
        "context": message.context_id,
        "expires": None if message.expires_at is None else to_micros(message.expires_at),
        "revision": message.revision,
        "document": message.model_dump_json(),
    }
    return connection.execute(statement, row).rowcount == 1


_INSERT_CHAIN = """
    INSERT INTO chains (tenant_id, user_id, id, revision, version_ids)
    VALUES (:tenant, :user, :id, :revision, :versions) ON CONFLICT DO NOTHING
"""
_UPDATE_CHAIN = """
    UPDATE chains SET revision = :revision, version_ids = :versions
    WHERE tenant_id = :tenant AND user_id = :user AND id = :id AND revision = :revision - 1
"""
_REMOVE_CHAIN = """
    DELETE FROM chains
    WHERE tenant_id = :tenant AND user_id = :user AND id = :id AND revision = :revision - 1
"""


def _write_chain(connection: sqlite3.Connection, owner: Owner, chain: ChainWrite) -> None:
    """A chain that is left without versions is removed."""
    if not chain.version_ids:
        statement = _REMOVE_CHAIN
    else:
        statement = _INSERT_CHAIN if chain.revision == 1 else _UPDATE_CHAIN
    row = {
        "tenant": owner.tenant_id,
        "user": owner.user_id,
        "id": chain.chain_id,
        "revision": chain.revision,
        "versions": json.dumps(chain.version_ids),
    }
    if connection.execute(statement, row).rowcount != 1:
        raise RevisionConflict(f"chain {chain.chain_id} is no longer at revision {chain.revision - 1}")


def _delete(connection: sqlite3.Connection, commit: Commit) -> None:
    for id_, revision in commit.deleted_revisions.items():
        _check_revision(connection, commit.owner, id_, revision)
    documents = [(commit.owner.tenant_id, commit.owner.user_id, id_) for id_ in commit.deleted]
    for statement in (
        "DELETE FROM memories WHERE tenant_id = ? AND user_id = ? AND id = ?",
        "DELETE FROM messages WHERE tenant_id = ? AND user_id = ? AND id = ?",
        "DELETE FROM vectors WHERE tenant_id = ? AND user_id = ? AND id = ?",
    ):
        connection.executemany(statement, documents)


def _check_revision(connection: sqlite3.Connection, owner: Owner, id_: str, revision: int) -> None:
    values = (owner.tenant_id, owner.user_id, id_)
    held = connection.execute(
        "SELECT revision FROM memories WHERE tenant_id = ? AND user_id = ? AND id = ?"
        " UNION ALL SELECT revision FROM messages WHERE tenant_id = ? AND user_id = ? AND id = ?",
        (*values, *values),
    ).fetchone()
    if held != (revision,):
        raise RevisionConflict(f"{id_} is no longer at revision {revision}")


def _mark_pending(connection: sqlite3.Connection, commit: Commit) -> None:
    if not commit.touched:
        return
    connection.execute(
        "INSERT OR REPLACE INTO marks (tenant_id, user_id, id, created_at, document_ids)"
        " VALUES (?, ?, ?, ?, ?)",
        (
            commit.owner.tenant_id,
            commit.owner.user_id,
            commit.id,
            to_micros(commit.created_at),
            json.dumps(commit.touched),
        ),
    )
