"""Turns a commit into one transaction."""

from __future__ import annotations

from cognis_memory.adapters.dynamodb.events import replace_event
from cognis_memory.adapters.dynamodb.items import (
    chain_item,
    mark_item,
    memory_item,
    message_item,
    vector_item,
)
from cognis_memory.adapters.dynamodb.leases import check_fences
from cognis_memory.adapters.dynamodb.schema import CHAIN, MEMORY, MESSAGE, VECTOR, user_key
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.adapters.dynamodb.transaction import ABSENT, Condition, Transaction, at_revision
from cognis_memory.adapters.ledger.commits import check_commit
from cognis_memory.errors import RevisionConflict
from cognis_memory.models.commit import ChainWrite, Commit, DocumentWrite
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Owner


class Commits:
    """The part of the ledger that writes documents."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def commit(self, commit: Commit) -> None:
        """The order of the actions is the order in which their refusals count."""
        check_commit(commit)
        transaction = self._table.transaction()
        check_fences(transaction, commit)
        if commit.event is not None:
            replace_event(transaction, commit.event)
        for write in commit.documents:
            _write_document(transaction, write)
        for chain in commit.chains:
            _write_chain(transaction, commit.owner, chain)
        self._delete_documents(transaction, commit)
        if commit.touched:
            transaction.put(mark_item(commit))
        transaction.run()

    def _delete_documents(self, transaction: Transaction, commit: Commit) -> None:
        """An id does not tell what it names, so the table is asked; that never changes in between."""
        owner = commit.owner
        found = self._table.get_many([user_key(owner, MEMORY, id_) for id_ in commit.deleted])
        memories = {item["sk"]["S"] for item in found}
        for id_ in commit.deleted:
            key = user_key(owner, MEMORY if MEMORY + id_ in memories else MESSAGE, id_)
            revision = commit.deleted_revisions.get(id_)
            if revision is None:
                transaction.delete(key)
            else:
                transaction.delete(key, at_revision(revision), _moved(id_, revision))
            transaction.delete(user_key(owner, VECTOR, id_))


def _write_document(transaction: Transaction, write: DocumentWrite) -> None:
    document = write.document
    item = memory_item(document) if isinstance(document, Memory) else message_item(document)
    before = document.revision - 1
    transaction.put(item, _at(before), _moved(document.id, before))
    if write.vector is not None:
        transaction.put(vector_item(document.owner, document.id, write.vector))


def _moved(id_: str, revision: int) -> RevisionConflict:
    return RevisionConflict(f"{id_} is no longer at revision {revision}")


def _write_chain(transaction: Transaction, owner: Owner, chain: ChainWrite) -> None:
    """A chain that is left without versions is removed."""
    moved = RevisionConflict(f"chain {chain.chain_id} is no longer at revision {chain.revision - 1}")
    if chain.version_ids:
        transaction.put(chain_item(owner, chain), _at(chain.revision - 1), moved)
    else:
        transaction.delete(user_key(owner, CHAIN, chain.chain_id), _at(chain.revision - 1), moved)


def _at(revision: int) -> Condition:
    return at_revision(revision) if revision else ABSENT
