"""One state of an ingestion in a process of its own: run_stage.py STATE DESCRIPTION INPUT, both as JSON.

Prints the output of the state, as a Lambda hands it to the state machine.
"""

from __future__ import annotations

import json
import sys

from engines import open_deployment

from cognis_memory.services.ingestion.embed_and_commit_memories import embed_and_commit_memories
from cognis_memory.services.ingestion.extract_memories import extract_memories
from cognis_memory.services.ingestion.lease import acquire_user_lease, release_user_lease
from cognis_memory.services.ingestion.resolve_speakers_and_dates import resolve_speakers_and_dates
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.ingestion.store_messages import store_messages

STAGES = {
    "StoreMessages": store_messages,
    "ResolveSpeakersAndDates": resolve_speakers_and_dates,
    "AcquireUserLease": acquire_user_lease,
    "ExtractMemories": extract_memories,
    "EmbedAndCommitMemories": embed_and_commit_memories,
    "ReleaseUserLease": release_user_lease,
}


def main(stage: str, description: str, state: str) -> None:
    ports = open_deployment(json.loads(description)).ingestion
    print(STAGES[stage](ports, IngestionState.model_validate_json(state)).model_dump_json())


if __name__ == "__main__":
    main(*sys.argv[1:])
