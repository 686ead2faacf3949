"""What can be wrong with a request as such, beside what services refuse."""

from __future__ import annotations

from cognis_memory.errors import CognisError


class Unauthenticated(CognisError):
    """The request came without a credential that the authorizer accepted."""


class NotAllowed(CognisError):
    """The credential is bound to another user."""


class RouteNotFound(CognisError):
    """The API has no such path or method: a REST API answers both alike, before any function is called."""


class UnsupportedMediaType(CognisError):
    """The body is not called JSON."""
