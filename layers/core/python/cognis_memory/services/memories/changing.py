"""Changes by hand: new content makes a new version, anything else changes in place."""

from __future__ import annotations

from datetime import datetime

from cognis_memory.domain.language import detect_language
from cognis_memory.domain.versions import changed, place
from cognis_memory.errors import NotFound, RevisionConflict
from cognis_memory.models.answers import MemoryAnswer
from cognis_memory.models.commit import Chain, ChainWrite, Commit, DocumentWrite
from cognis_memory.models.memory import Memory
from cognis_memory.models.requests import PatchRequest
from cognis_memory.models.values import FloatVector, Operation, Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.erasure_epochs import writable_epoch
from cognis_memory.services.masking import mask_patch
from cognis_memory.services.memories.ports import MemoryPorts
from cognis_memory.services.memories.reading import find_chain, find_memory
from cognis_memory.services.spending import count_on_tenant, embedding_usage

_IN_PLACE = ("category", "metadata", "expires_at")


def change_memory(
    ports: MemoryPorts,
    owner: Owner,
    memory_id: str,
    patch: PatchRequest,
    *,
    version_id: str,
    event_id: str,
    masks_secrets: bool = True,
) -> MemoryAnswer:
    """The memory as it is afterwards; with new content the new version, whose id is `version_id`.

    Secrets are masked before anything is kept.

    Raises NotFound, UserErased while the user is being erased, and RevisionConflict when `if_version` is not
    the memory's version, when new content is given for a version that is no longer current, or when another
    writer was faster.
    """
    ledger, now = ports.ledger, ports.clock()
    patch = mask_patch(patch) if masks_secrets else patch
    memory = find_memory(ledger, owner, memory_id, now)
    if memory.operation is Operation.DELETE:
        raise NotFound(f"there is no memory {memory_id}")
    chain = find_chain(ledger, owner, memory)
    _check_version(memory, patch)
    given = {name: getattr(patch, name) for name in _IN_PLACE if name in patch.model_fields_set}
    changes = {name: value for name, value in given.items() if value is not None or name == "expires_at"}
    if patch.content is None or patch.content == memory.content:
        after = memory.model_copy(update={**changes, "updated_at": now, "revision": memory.revision + 1})
        commit = _commit(ledger, owner, after, (DocumentWrite(after),), ())
    else:
        version = _version(
            memory,
            patch.content,
            changes,
            now=now,
            version_id=version_id,
            event_id=event_id,
            model=ports.embedder.model_id,
        )
        versions = place(chain.versions, version, now=now)
        after = next(v for v in versions if v.id == version.id)
        vector = ports.embedder.embed([patch.content])[0]
        count_on_tenant(ports, owner.tenant_id, version_id, embedding_usage([patch.content]))
        commit = _commit(ledger, owner, after, *_writes(chain, versions, after, vector))
    ledger.commit(commit)
    ports.projector.catch_up(owner)
    return MemoryAnswer.of(after)


def _check_version(memory: Memory, patch: PatchRequest) -> None:
    if patch.if_version is not None and patch.if_version != memory.version:
        raise RevisionConflict(f"the memory is at version {memory.version}, not {patch.if_version}")
    if patch.content is not None and not memory.is_current:
        raise RevisionConflict("the memory is not current; change the version that is")


def _version(
    memory: Memory,
    content: str,
    changes: dict[str, object],
    *,
    now: datetime,
    version_id: str,
    event_id: str,
    model: str,
) -> Memory:
    """A version made by hand: no message is its source, and it holds from now."""
    return memory.model_copy(
        update={
            **changes,
            "id": version_id,
            "event_id": event_id,
            "position": 0,
            "operation": Operation.UPDATE,
            "content": content,
            "language": detect_language(content),
            "timestamp": max(now, memory.last_stated),
            "event_time": None,
            "event_end": None,
            "retracts": False,
            "lapses": False,
            "source_messages": (),
            "repeats": (),
            "created_at": now,
            "embedding_model": model,
        }
    )


def _writes(
    chain: Chain, versions: tuple[Memory, ...], after: Memory, vector: FloatVector
) -> tuple[tuple[DocumentWrite, ...], tuple[ChainWrite, ...]]:
    documents = tuple(
        DocumentWrite(memory, vector if memory.id == after.id else None)
        for memory in changed(chain.versions, versions)
    )
    ids = tuple(memory.id for memory in versions)
    return documents, (ChainWrite(chain.chain_id, ids, chain.revision + 1),)


def _commit(
    ledger: Ledger,
    owner: Owner,
    after: Memory,
    documents: tuple[DocumentWrite, ...],
    chains: tuple[ChainWrite, ...],
) -> Commit:
    return Commit(
        id=f"change-{after.id}-{after.revision}",
        owner=owner,
        epoch=writable_epoch(ledger, owner),
        created_at=after.updated_at,
        documents=documents,
        chains=chains,
    )
