"""The routes that read."""

from cognis_memory.runtime.startup import without_collections

with without_collections():
    from cognis_memory.runtime.http.app import create_app
    from cognis_memory.runtime.http.retrieve import HANDLERS

    handle = create_app("retrieve", HANDLERS)
