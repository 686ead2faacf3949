"""Cursors of lists: the id that the page before ended with, bound to the owner whose list it is."""

from __future__ import annotations

import base64
import hashlib
import json

from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.values import Owner

_DIGEST_BYTES = 12


def make_cursor(owner: Owner, last_id: str) -> str:
    """Opaque and safe in URLs.

    The digest finds cursors that were damaged or belong to another list. It is no secret and need not be
    one: a list is confined to its owner by the query, whatever the cursor says.
    """
    bound = json.dumps([owner.tenant_id, owner.user_id, last_id]).encode()
    digest = hashlib.blake2b(bound, digest_size=_DIGEST_BYTES).digest()
    return base64.urlsafe_b64encode(digest + last_id.encode()).decode()


def read_cursor(owner: Owner, cursor: str) -> str:
    """The id after which the list goes on. Raises InvalidInput for what `make_cursor` did not make."""
    try:
        last_id = base64.urlsafe_b64decode(cursor.encode())[_DIGEST_BYTES:].decode()
    except ValueError:  # neither base64 nor UTF-8
        last_id = ""
    if not last_id or make_cursor(owner, last_id) != cursor:
        advice = FieldError("cursor", "pass the next_cursor of the page before, unchanged")
        raise InvalidInput("the cursor does not belong to this list", [advice])
    return last_id
