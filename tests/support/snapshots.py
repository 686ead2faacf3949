"""The end state of a user as one value, to compare what must come out the same by different ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deployment import Deployment, owner_of

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.models.event import Usage

_EVERY_DOCUMENT = 10_000


def end_state(deployment: Deployment, user_id: str, event_ids: Sequence[str] = ()) -> dict[str, Any]:
    """All that the ledger and the index hold of a user, and the events named.

    Revisions are left out, and usage: they count the writes and the calls of models on the way.
    """
    owner, ledger = owner_of(user_id), deployment.ledger
    memories = {memory.id: memory for memory in ledger.iterate_memories(owner)}
    messages = {message.id: message for message in ledger.iterate_messages(owner)}
    chains = ledger.get_chains(owner, sorted({memory.chain_id for memory in memories.values()}))
    vectors = ledger.get_vectors(owner, [*memories, *messages])
    return {
        "memories": {id_: memory.model_dump(exclude={"revision"}) for id_, memory in memories.items()},
        "messages": {id_: message.model_dump(exclude={"revision"}) for id_, message in messages.items()},
        "chains": {id_: [version.id for version in chain.versions] for id_, chain in chains.items()},
        "vectors": {id_: vector.tobytes() for id_, vector in vectors.items()},
        "pending": ledger.pending_marks(owner),
        "events": [deployment.event(id_).model_copy(update={"usage": Usage()}) for id_ in event_ids],
        "index": index_content(deployment, user_id),
    }


def index_content(deployment: Deployment, user_id: str) -> dict[str, Any]:
    """What the index answers about every document: its vector, and its scores for the words of others."""
    owner, index = owner_of(user_id), deployment.index
    texts = [m.content for m in deployment.ledger.iterate_memories(owner)]
    texts += [m.content for m in deployment.ledger.iterate_messages(owner)]
    query = deployment.embedder.embed(["anything"])[0]
    nearest = index.nearest(owner, candidate_vectors(query), filter=EVERYTHING, limit=_EVERY_DOCUMENT)
    ids = sorted(hit.id for hit in nearest)
    return {
        "count": index.count(owner),
        "vectors": {hit.id: hit.vector.tobytes() for hit in index.rescore(owner, query, ids)},
        "keywords": {
            text: {
                hit.id: round(hit.score, 4)
                for hit in index.match(owner, text, filter=EVERYTHING, limit=_EVERY_DOCUMENT)
            }
            for text in sorted(set(texts))[:50]
        },
    }


def found_documents(content: dict[str, Any]) -> dict[str, Any]:
    """Of an index's content what is the same on all engines: not the scores, nor a vector's last digits.

    Scores of OpenSearch count documents that were deleted and are not merged away yet.
    """
    return {
        "count": content["count"],
        "vectors": sorted(content["vectors"]),
        "keywords": {text: sorted(hits) for text, hits in content["keywords"].items()},
    }
