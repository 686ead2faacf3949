"""Stage 2: who speaks, and every relative date made absolute against the message's own time and zone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from cognis_memory.domain.dates import main_date
from cognis_memory.domain.speakers import resolve_speaker
from cognis_memory.models.commit import DocumentWrite
from cognis_memory.models.event import Event
from cognis_memory.models.message import Message
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState
from cognis_memory.services.progress import begin
from cognis_memory.services.writing import split_commits

STAGE = "ResolveSpeakersAndDates"


def resolve_speakers_and_dates(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """Writes speaker and event time on each message where they differ from what is stored.

    The indexes follow with the next projection; until then searches read these fields from the ledger.
    """
    event = begin(ports, state, STAGE)
    if event.payload_key is None:
        return state
    stored = ports.ledger.get_messages(event.owner, event.message_ids)
    messages = [stored[id_] for id_ in event.message_ids if id_ in stored]
    around = [*_turns_before(ports, event, messages), *messages]
    changed = [resolved for message in messages if (resolved := _resolve(message, around)) != message]
    writes = [DocumentWrite(m.model_copy(update={"revision": m.revision + 1})) for m in changed]
    for commit in split_commits(
        writes, id_=f"{event.id}-dates", owner=event.owner, epoch=event.erasure_epoch, now=ports.clock()
    ):
        ports.ledger.commit(commit)
    return state


def local_time(message: Message) -> datetime:
    """When it was said, on the user's own clock."""
    return message.timestamp.astimezone(ZoneInfo(message.timezone))


def _turns_before(ports: IngestionPorts, event: Event, messages: Sequence[Message]) -> list[Message]:
    known = {message.id for message in messages}
    ids = dict.fromkeys(id_ for message in messages for id_ in message.preceding if id_ not in known)
    return list(ports.ledger.get_messages(event.owner, list(ids)).values())


def _resolve(message: Message, around: Sequence[Message]) -> Message:
    if not message.searchable:
        return message
    changes: dict[str, object] = {"speaker": resolve_speaker(message, around)}
    if mention := main_date(message.content, local_time(message)):
        end = mention.end if mention.end > mention.start else None
        changes |= {"event_time": mention.start, "event_end": end}
    return Message.model_validate({**message.model_dump(), **changes})
