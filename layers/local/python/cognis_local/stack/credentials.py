"""The tenant that the stack's own conversations belong to, and its API key."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from cognis_local.stack.folder import Credentials, read_record, write_record
from cognis_memory.errors import AlreadyExists
from cognis_memory.ports import CredentialStore
from cognis_memory.services.credentials import authenticate, create_key, create_tenant

TENANT: Final = "local"


def working_key(store: CredentialStore, file: Path, now: datetime) -> str:
    """The key in the file, or a new one, kept there, where that is none or no longer good."""
    saved = read_record(file, Credentials)
    if saved and authenticate(store, saved.api_key):
        return saved.api_key
    try:
        create_tenant(store, TENANT, "This machine", now=now)
    except AlreadyExists:
        store.set_tenant_disabled(TENANT, False)
    _, key = create_key(store, TENANT, now=now)
    write_record(file, Credentials(TENANT, key))
    return key
