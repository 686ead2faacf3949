"""The record of each owner: which *generation* of the owner's documents is the one to be seen.

Every document belongs to a generation, and a query looks up, within the cluster, which one its owner's record
names. So an owner's documents are replaced in one step for readers: the new ones are written as a generation
of their own, then the record names it. The record counts changes, so that a replacement sees that another
writer came between, and names the generation by embedding model, so that vectors of two never meet.
"""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import asdict, dataclass
from typing import Any, Final

from cognis_memory.adapters.opensearch.bulk import Item, item
from cognis_memory.adapters.opensearch.connection import Missing, OpenSearchConnection, VersionConflict
from cognis_memory.adapters.opensearch.documents import Body, owner_fields
from cognis_memory.adapters.opensearch.names import Address
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.errors import IndexUnavailable, ModelMismatch
from cognis_memory.models.values import Owner

_TOUCH: Final = (
    "if (params.generation.equals(ctx._source.generations[params.model])) { ctx._source.changes += 1 }"
    " else { ctx.op = 'none' }"
)


RecordVersion = tuple[int, int]
"""Sequence number and primary term."""


@dataclass(frozen=True, slots=True)
class OwnerCopy:
    """Of which version of the owner's record in another index this one is the copy, and of how many
    documents."""

    sequence: int
    term: int
    documents: int


@dataclass(frozen=True, slots=True)
class OwnerRecord:
    """What it says of `owner`, and where it is.

    `generation` is None when the documents are another model's. `index` is the physical index that holds the
    record, `sequence` and `term` are OpenSearch's version of it there, another after every change.
    """

    owner: Owner
    generation: str | None
    model_id: str
    changes: int
    index: str
    sequence: int
    term: int

    @property
    def version(self) -> RecordVersion:
        return self.sequence, self.term


class OwnerRecords:
    """Reads and changes the records of one index's owners, each change on the condition that it is due."""

    def __init__(self, connection: OpenSearchConnection, names: Address, model_id: str) -> None:
        self._connection = connection
        self._names = names
        self._model_id = model_id
        self._model = _digest(model_id)

    def read(self, owner: Owner) -> OwnerRecord | None:
        """As readers find it, refreshed or not; None where there is none."""
        return self.read_key(owner_key(owner))

    def read_key(self, key: str) -> OwnerRecord | None:
        """`read` for an owner of whom only the key is known."""
        return self._read(key, self._names.read)

    def read_to_write(self, owner: Owner) -> OwnerRecord | None:
        """That of the index which is written to."""
        return self._read(owner_key(owner), self._names.write)

    def opened(self, owner: Owner) -> str:
        """The generation to write to, made where there is none. Raises ModelMismatch."""
        record = self.read_to_write(owner)
        if record is None:
            try:
                return self._create(owner)
            except VersionConflict:  # another writer was first
                record = self.read_to_write(owner)
        if record is None:
            raise IndexUnavailable("the user's index was dropped while it was written to")
        return self.checked(record)

    def checked(self, record: OwnerRecord) -> str:
        """The record's generation. Raises ModelMismatch when its documents are of another model."""
        if record.generation is None:
            raise ModelMismatch(
                f"the user's index holds vectors of the embedding model {record.model_id!r}, "
                f"this process uses {self._model_id!r}: rebuild it with `cognis-admin index migrate`"
            )
        return record.generation

    def switch(
        self,
        owner: Owner,
        record: OwnerRecord | None,
        generation: str,
        *,
        copied: OwnerCopy | None = None,
    ) -> None:
        """Has readers see that generation from now on. Raises IndexUnavailable when the record is no longer
        the one read before (None: there was none): another writer came between.

        `copied`: what of another index this is the copy of.
        """
        try:
            if record is None:
                self._create(owner, generation, copied)
            else:
                condition = {"if_seq_no": str(record.sequence), "if_primary_term": str(record.term)}
                self._write(owner, generation, record.changes + 1, condition, copied)
        except VersionConflict:
            held = self.read_to_write(owner)  # ours, where the answer to a first try was lost
            if held is None or held.generation != generation:
                raise IndexUnavailable("the user's index was changed while it was built anew") from None

    def touch(self, owner: Owner, generation: str) -> Item:
        """An item of a `_bulk` that counts a change; its result is `updated` when the generation still is."""
        action = {"_id": owner_key(owner), "routing": owner_key(owner), "retry_on_conflict": 20}
        params = {"generation": generation, "model": self._model}
        return item({"update": action}, {"script": {"source": _TOUCH, "params": params}})

    def delete(self, key: str) -> None:
        """Readers see nothing of the owner with that key from now on."""
        try:
            self._connection.request("DELETE", f"/{self._names.write}/_doc/{key}", params={"routing": key})
        except Missing:
            return

    def lookup(self, owner: Owner) -> Body:
        """The query for documents of the generation to be seen, which the cluster reads from the record."""
        return self._lookup(owner_key(owner), self._names.read)

    def lookup_to_write(self, key: str) -> Body:
        """That query in the index which is written to."""
        return self._lookup(key, self._names.write)

    def _lookup(self, key: str, alias: str) -> Body:
        source = {
            "index": alias,
            "id": key,
            "routing": key,
            "path": f"generations.{self._model}",
        }
        return {"terms": {"generation": source}}

    def _read(self, key: str, alias: str) -> OwnerRecord | None:
        try:
            found = self._connection.request("GET", f"/{alias}/_doc/{key}", params={"routing": key})
        except Missing:
            return None
        source = found["_source"]
        generation = source["generations"].get(self._model)
        return OwnerRecord(
            owner=Owner(source["tenant_id"], source["user_id"]),
            generation=generation,
            model_id=source["model_id"],
            changes=source["changes"],
            index=found["_index"],
            sequence=found["_seq_no"],
            term=found["_primary_term"],
        )

    def _create(self, owner: Owner, generation: str | None = None, copied: OwnerCopy | None = None) -> str:
        made = generation or new_generation()
        self._write(owner, made, 1, {"op_type": "create"}, copied)
        return made

    def _write(
        self,
        owner: Owner,
        generation: str,
        changes: int,
        condition: dict[str, str],
        copied: OwnerCopy | None,
    ) -> None:
        body = {
            **owner_fields(owner),
            "record": True,
            "model_id": self._model_id,
            "changes": changes,
            "generations": {self._model: generation},
            **({"copied": asdict(copied)} if copied else {}),
        }
        params = _routed(owner) | condition | {"require_alias": str(self._names.are_aliases).lower()}
        self._connection.request("PUT", self._path(owner, self._names.write), body, params=params)

    def _path(self, owner: Owner, alias: str) -> str:
        return f"/{alias}/_doc/{owner_key(owner)}"


def new_generation() -> str:
    """Another one every time."""
    return uuid.uuid4().hex


def _routed(owner: Owner) -> dict[str, Any]:
    return {"routing": owner_key(owner)}


def _digest(model_id: str) -> str:
    """A name for a model that can stand in a path."""
    return hashlib.sha256(model_id.encode()).hexdigest()[:16]
