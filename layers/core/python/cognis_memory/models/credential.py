"""Tenants and API keys. Standard library only: every request to the API waits for what this module loads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Tenant:
    """Whose memories are kept apart from everybody else's; `name` is for people to read."""

    id: str
    name: str
    created_at: datetime
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is kept of an API key: its SHA-256 in hexadecimal, never the key.

    With a `user_id` the key is good for that user alone.
    """

    id: str
    digest: str
    tenant_id: str
    created_at: datetime
    user_id: str | None = None
    revoked: bool = False


@dataclass(frozen=True, slots=True)
class Credential:
    """Who calls: what the authorizer found out and every request carries from there on."""

    tenant_id: str
    key_id: str
    user_id: str | None = None
