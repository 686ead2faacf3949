"""All that a deployment holds of a user, in words that do not depend on ids and on times of writing."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.models.event import Event
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger, SearchIndex
from cognis_memory.services.projection import Projector
from cognis_memory.services.verification import verify

_ID: Final = re.compile(r"(mem|msg|evt)_[0-9A-Z]+(?:_[0-9]+)?")
_LEFT_OUT: Final = {"revision", "updated_at", "created_at", "tenant_id"}
"""What counts the writes on the way, or says when they were done."""


def user_state(
    ledger: Ledger, index: SearchIndex, owner: Owner, event: Event | None, now: datetime
) -> dict[str, Any]:
    """Memories, chains, messages, links, vectors, index and marks of a user, and the event's end.

    Ids are replaced by the words of what they stand for; where two documents have the same words and time,
    there is one more of them, which makes the state another. Asks for the lease, which must be free.
    """
    memories = list(ledger.iterate_memories(owner))
    documents: list[Memory | Message] = [*memories, *ledger.iterate_messages(owner)]
    names = {each.id: f"{each.id[:3]}:{each.content}@{each.timestamp:%j-%H%M}" for each in documents}
    chains = ledger.get_chains(owner, sorted({memory.chain_id for memory in memories}))
    vectors = ledger.get_vectors(owner, list(names))
    lease = ledger.acquire_lease(owner, "who looks", now=now, duration=timedelta(seconds=1))
    ledger.release_lease(lease)
    state = {
        "documents": [each.model_dump(mode="json", exclude=_LEFT_OUT) for each in documents],
        "chains": [" then ".join(version.id for version in chain.versions) for chain in chains.values()],
        "vectors": [[id_, hashlib.sha256(vector.tobytes()).hexdigest()] for id_, vector in vectors.items()],
        "marks": [list(mark.document_ids) for mark in ledger.pending_marks(owner)],
        "index": _index_state(ledger, index, owner),
        "event": event
        and event.model_dump(
            mode="json",
            include={"status", "stage", "message_ids", "operations", "notices", "error", "payload_key"},
        ),
    }
    return {name: _renamed(value, names) for name, value in state.items()}


def _index_state(ledger: Ledger, index: SearchIndex, owner: Owner) -> dict[str, Any]:
    """How it differs from the ledger, as an operator is told, and what it answers to each text."""
    verified = verify(ledger, index)
    texts = sorted({document.text for document in Projector(ledger, [index]).documents(owner)})
    return {
        "differences": [str(found) for found in verified.differences] + verified.unknown,
        "count": index.count(owner),
        "scores": [
            [text, hit.id, round(hit.score, 4)]
            for text in texts
            for hit in index.match(owner, text, filter=EVERYTHING, limit=1_000)
        ],
    }


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """Sorted, because what comes in the order of ids came in another before."""
    text = json.dumps(value, ensure_ascii=False)
    renamed = _ID.sub(lambda match: json.dumps(names.get(match[0], match[1]), ensure_ascii=False)[1:-1], text)
    return _sorted(json.loads(renamed))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(each) for name, each in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(each) for each in value), key=lambda each: json.dumps(each, sort_keys=True))
    return value


def differences(one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    """Where two states of a user are not the same."""
    for name, value in one.items():
        if value != other[name]:
            yield f"{name}: {_written(value)} is not {_written(other[name])}"


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
