"""Where the payloads of users and their events lie."""

from __future__ import annotations

import hashlib

from cognis_memory.models.values import Owner


def owner_prefix(owner: Owner) -> str:
    """Where all payloads of one user lie; the key shows neither tenant nor user."""
    digest = hashlib.sha256(f"{len(owner.tenant_id)}:{owner.tenant_id}{owner.user_id}".encode())
    return f"{digest.hexdigest()[:32]}/"


def payload_prefix(owner: Owner, event_id: str) -> str:
    return f"{owner_prefix(owner)}{event_id}/"


def request_key(owner: Owner, event_id: str) -> str:
    return f"{payload_prefix(owner, event_id)}request.json"


def proposals_key(owner: Owner, event_id: str) -> str:
    return f"{payload_prefix(owner, event_id)}proposals.json"
