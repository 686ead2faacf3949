"""Who may call: tenants, their API keys, and whom a key stands for.

Nothing heavy is imported here: every request to the API waits for what this module loads.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from cognis_memory.domain.api_keys import KEY_BYTES, KEY_ID_BYTES, api_key, digest, is_api_key, key_id
from cognis_memory.errors import FieldError, InvalidInput, NotFound
from cognis_memory.models.credential import ApiKey, Credential, Tenant

if TYPE_CHECKING:
    from cognis_memory.ports import CredentialStore

MAX_NAME_CHARACTERS: Final = 256
MAX_USER_ID_CHARACTERS: Final = 256

_TENANT_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)

RandomBytes = Callable[[int], bytes]


def authenticate(store: CredentialStore, key: str) -> Credential | None:
    """Whom the key stands for; None for an unknown or revoked key and for a disabled tenant's."""
    if not is_api_key(key):
        return None
    found = store.get_key(digest(key))
    if found is None or found.revoked:
        return None
    tenant = store.get_tenant(found.tenant_id)
    if tenant is None or tenant.disabled:
        return None
    return Credential(found.tenant_id, found.id, found.user_id)


def create_tenant(store: CredentialStore, tenant_id: str, name: str | None, *, now: datetime) -> Tenant:
    """Raises AlreadyExists, and InvalidInput for an id that cannot be one."""
    if not _TENANT_ID.fullmatch(tenant_id):
        fault = FieldError(
            "tenant_id", "use 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first"
        )
        raise InvalidInput("this cannot be a tenant's id", [fault])
    _check_length("name", name or tenant_id, MAX_NAME_CHARACTERS)
    tenant = Tenant(id=tenant_id, name=name or tenant_id, created_at=now)
    store.create_tenant(tenant)
    return tenant


def create_key(
    store: CredentialStore,
    tenant_id: str,
    *,
    now: datetime,
    user_id: str | None = None,
    random_bytes: RandomBytes = secrets.token_bytes,
) -> tuple[ApiKey, str]:
    """What is kept of a new key, and the key itself, which is nowhere else and cannot be had again.

    Raises NotFound for an unknown tenant, and InvalidInput for a user id that no request could carry.
    """
    if user_id is not None:
        _check_length("user_id", user_id, MAX_USER_ID_CHARACTERS)
    if store.get_tenant(tenant_id) is None:
        raise NotFound(f"there is no tenant {tenant_id}")
    secret = api_key(random_bytes(KEY_BYTES))
    key = ApiKey(
        id=key_id(random_bytes(KEY_ID_BYTES)),
        digest=digest(secret),
        tenant_id=tenant_id,
        created_at=now,
        user_id=user_id,
    )
    store.create_key(key)
    return key, secret


def list_keys(store: CredentialStore, tenant_id: str) -> list[ApiKey]:
    """The tenant's keys, oldest first. Raises NotFound for an unknown tenant."""
    if store.get_tenant(tenant_id) is None:
        raise NotFound(f"there is no tenant {tenant_id}")
    return sorted(store.keys(tenant_id), key=lambda key: (key.created_at, key.id))


def _check_length(field: str, text: str, limit: int) -> None:
    if not text.strip() or len(text) > limit:
        fault = FieldError(field, f"use 1 to {limit} characters, not only spaces")
        raise InvalidInput(f"{field} is empty or too long", [fault])
