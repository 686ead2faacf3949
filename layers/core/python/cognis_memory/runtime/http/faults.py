"""What can be wrong with a request as such, beside what services refuse."""

from __future__ import annotations

from cognis_memory.errors import CognisError


class Unauthenticated(CognisError):
    """The request came without a credential that the authorizer accepted."""


class NotAllowed(CognisError):
    """The credential is bound to another user."""


class RouteNotFound(CognisError):
    """The API has no such path."""


class MethodNotAllowed(CognisError):
    """The path has other methods than that."""

    def __init__(self, allowed: list[str]) -> None:
        super().__init__(f"this path takes {', '.join(allowed)}")
        self.allowed = allowed


class UnsupportedMediaType(CognisError):
    """The body is not called JSON."""
