"""How models become items and items become models."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import BaseModel

from cognis_memory.adapters.dynamodb.schema import (
    CHAIN,
    EVENT,
    EXPIRY,
    FAILED,
    MARK,
    MEMORY,
    MESSAGE,
    TTL_ATTRIBUTE,
    VECTOR,
    Item,
    age_shard,
    context_prefix,
    event_key,
    idempotency_key,
    user_key,
)
from cognis_memory.adapters.ledger.encoding import (
    from_micros,
    read_document,
    to_micros,
    vector_from_bytes,
    vector_to_bytes,
)
from cognis_memory.errors import CorruptData
from cognis_memory.models.commit import ChainWrite, Commit, PendingMark
from cognis_memory.models.event import Event, EventStatus, IdempotencyRecord
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Owner

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

_COMPRESSED_FROM_BYTES: Final = 32_768
"""Items may have 400 KB, and a message 100,000 characters of four bytes. Short documents stay readable."""

_MICROS_PER_SECOND: Final = 1_000_000

_Model = TypeVar("_Model", bound=BaseModel)


def text(value: str) -> AttributeValueTypeDef:
    return {"S": value}


def number(value: int) -> AttributeValueTypeDef:
    return {"N": str(value)}


def memory_item(memory: Memory) -> Item:
    """The document and the attributes that lists filter on."""
    item: Item = {
        **user_key(memory.owner, MEMORY, memory.id),
        **_owner_attributes(memory.owner),
        "revision": number(memory.revision),
        "category": text(memory.category),
        "memory_scope": text(memory.scope),  # "scope" is a reserved word in expressions
        "operation": text(memory.operation),
        "is_current": {"BOOL": memory.is_current},
        "document": _document(memory),
    }
    if memory.context_id is not None:
        item["context_id"] = text(memory.context_id)
    if memory.expires_at is not None:
        item["expires_at"] = number(to_micros(memory.expires_at))
    return {**item, **_expiry(memory)}


def message_item(message: Message) -> Item:
    return {
        **_expiry(message),
        **user_key(message.owner, MESSAGE, message.id),
        **_owner_attributes(message.owner),
        "revision": number(message.revision),
        "context_order": text(context_prefix(message.context_id) + message.id),
        "document": _document(message),
    }


def _expiry(document: Memory | Message) -> Item:
    """What has a sweep find the document once it has expired."""
    if document.expires_at is None:
        return {}
    return {
        "age_shard": text(age_shard(EXPIRY, document.id)),
        "age": number(to_micros(document.expires_at)),
    }


def vector_item(owner: Owner, id_: str, vector: FloatVector) -> Item:
    return {**user_key(owner, VECTOR, id_), "vector": {"B": vector_to_bytes(vector)}}


def chain_item(owner: Owner, chain: ChainWrite) -> Item:
    return {
        **user_key(owner, CHAIN, chain.chain_id),
        "revision": number(chain.revision),
        "version_ids": text(json.dumps(chain.version_ids)),
    }


def mark_item(commit: Commit) -> Item:
    created_at = number(to_micros(commit.created_at))
    return {
        **user_key(commit.owner, MARK, commit.id),
        **_owner_attributes(commit.owner),
        "document_ids": text(json.dumps(commit.touched)),
        "age_shard": text(age_shard(MARK, commit.id)),
        "age": created_at,
    }


def event_item(event: Event) -> Item:
    item: Item = {
        **event_key(event.tenant_id, event.id),
        "revision": number(event.revision),
        "document": _document(event),
    }
    if event.status is not EventStatus.SUCCEEDED:
        item["age_shard"] = text(age_shard(FAILED if event.failed else EVENT, event.id))
        item["age"] = number(to_micros(event.updated_at))
    return item


def event_pointer(event: Event) -> Item:
    """What makes the event its user's."""
    return user_key(event.owner, EVENT, event.id)


def record_item(record: IdempotencyRecord) -> Item:
    """`expires_at` is exact; the time to live, in whole seconds, only clears away."""
    expires_at = to_micros(record.expires_at)
    return {
        **idempotency_key(record.tenant_id, record.key),
        "body_hash": text(record.body_hash),
        "event_id": text(record.event_id),
        "expires_at": number(expires_at),
        TTL_ATTRIBUTE: number(-(-expires_at // _MICROS_PER_SECOND)),
    }


def read_memory(item: Item) -> Memory:
    return _read(Memory, item)


def read_message(item: Item) -> Message:
    return _read(Message, item)


def read_event(item: Item) -> Event:
    return _read(Event, item)


def read_vector(item: Item) -> FloatVector:
    return vector_from_bytes(item["vector"]["B"])


def read_mark(item: Item) -> PendingMark:
    return PendingMark(
        owner=read_owner(item),
        commit_id=item["sk"]["S"].removeprefix(MARK),
        document_ids=tuple(json.loads(item["document_ids"]["S"])),
        created_at=from_micros(int(item["age"]["N"])),
    )


def read_owner(item: Item) -> Owner:
    return Owner(item["tenant_id"]["S"], item["user_id"]["S"])


def _owner_attributes(owner: Owner) -> Item:
    """In clear beside the hashed key: these are the items that say who the owner is."""
    return {"tenant_id": text(owner.tenant_id), "user_id": text(owner.user_id)}


def _document(model: BaseModel) -> AttributeValueTypeDef:
    document = model.model_dump_json()
    data = document.encode()
    return {"S": document} if len(data) < _COMPRESSED_FROM_BYTES else {"B": zlib.compress(data)}


def _read(model: type[_Model], item: Item) -> _Model:
    document = item["document"]
    if "B" not in document:
        return read_document(model, document["S"])
    try:
        return read_document(model, zlib.decompress(document["B"]))
    except zlib.error:
        raise CorruptData(f"a stored {model.__name__.lower()} cannot be read") from None
