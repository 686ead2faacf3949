"""Tenants and keys in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cognis_memory.errors import AlreadyExists, NotFound
from cognis_memory.models.credential import ApiKey, Tenant


class MemoryCredentialStore:
    """The `CredentialStore` port; `reads` counts how often a key was looked up."""

    def __init__(self) -> None:
        self._tenants: dict[str, Tenant] = {}
        self._keys: dict[str, ApiKey] = {}
        self.reads = 0

    def create_tenant(self, tenant: Tenant) -> None:
        if tenant.id in self._tenants:
            raise AlreadyExists(tenant.id)
        self._tenants[tenant.id] = tenant

    def get_tenant(self, tenant_id: str) -> Tenant | None:
        return self._tenants.get(tenant_id)

    def set_tenant_disabled(self, tenant_id: str, disabled: bool) -> None:
        if tenant_id not in self._tenants:
            raise NotFound(tenant_id)
        self._tenants[tenant_id] = replace(self._tenants[tenant_id], disabled=disabled)

    def tenants(self) -> Iterator[Tenant]:
        return iter(self._tenants.values())

    def create_key(self, key: ApiKey) -> None:
        if key.digest in self._keys:
            raise AlreadyExists(key.id)
        self._keys[key.digest] = key

    def get_key(self, digest: str) -> ApiKey | None:
        self.reads += 1
        return self._keys.get(digest)

    def revoke_key(self, key_id: str) -> None:
        found = next((key for key in self._keys.values() if key.id == key_id), None)
        if found is None:
            raise NotFound(key_id)
        self._keys[found.digest] = replace(found, revoked=True)

    def keys(self, tenant_id: str) -> Iterator[ApiKey]:
        return (key for key in self._keys.values() if key.tenant_id == tenant_id)
