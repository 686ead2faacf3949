"""The routes that change what is held."""

from cognis_memory.runtime.startup import without_collections

with without_collections():
    from cognis_memory.runtime.http.app import create_app
    from cognis_memory.runtime.http.ingest import HANDLERS

    handle = create_app("ingest", HANDLERS)
