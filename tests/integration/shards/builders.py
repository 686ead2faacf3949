"""Documents and openings for the tests of shards as files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.domain.matryoshka import candidate_vectors, normalise
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import FloatVector, Kind, Owner

NOON = datetime(2026, 7, 15, 12, tzinfo=UTC)
OWNER = Owner("acme", "ana")
MODEL = "test-model"


def vector(number: int) -> FloatVector:
    return normalise(np.random.default_rng(number).standard_normal(768))


def document(number: int, text: str = "", **changes: Any) -> IndexDocument:
    values: dict[str, Any] = {
        "id": f"mem_{number:05d}",
        "kind": Kind.MEMORY,
        "text": text or f"Ana has been to place {number}.",
        "vector": vector(number),
        "revision": 1,
        "timestamp": NOON,
        "created_at": NOON,
        "valid_from": NOON,
    }
    return IndexDocument(**(values | changes))


def documents(numbers: Sequence[int]) -> list[IndexDocument]:
    return [document(number) for number in numbers]


def ids(numbers: Sequence[int]) -> set[str]:
    return {document(number).id for number in numbers}


def open_folder(folder: Path, **options: Any) -> UserShards:
    return UserShards(FolderShardStore(folder), MODEL, **options)


def found(shards: UserShards, owner: Owner = OWNER) -> set[str]:
    """What both searches find."""
    near = shards.nearest(owner, candidate_vectors(vector(1)), filter=EVERYTHING, limit=10_000)
    matching = shards.match(owner, "place", filter=EVERYTHING, limit=10_000)
    assert {hit.id for hit in near} == {hit.id for hit in matching}
    return {hit.id for hit in near}


def matching(shards: UserShards, query: str, limit: int = 100) -> list[str]:
    return [hit.id for hit in shards.match(OWNER, query, filter=EVERYTHING, limit=limit)]


def shard_files(folder: Path, owner: Owner = OWNER) -> list[Path]:
    """The owner's files, locks aside."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and owner_key(owner) in path.parts)


def content(folder: Path, owner: Owner = OWNER) -> bytes:
    return b"".join(path.read_bytes() for path in shard_files(folder, owner))
