"""How an index names an owner."""

from __future__ import annotations

import hashlib

from cognis_memory.models.values import Owner


def owner_key(owner: Owner) -> str:
    """A hash that shows neither id, another for any other owner."""
    tenant, user = (part.encode("utf-8", "surrogatepass") for part in (owner.tenant_id, owner.user_id))
    return hashlib.sha256(len(tenant).to_bytes(8) + tenant + user).hexdigest()
