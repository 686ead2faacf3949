"""Cognis on one machine: models from packages, rules as extractor, memory in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cognis_local.memory import Memory

__all__ = ["Memory"]


def __getattr__(name: str) -> Any:
    """Loads `Memory` when it is asked for: the model process needs this package without it."""
    if name == "Memory":
        from cognis_local.memory import Memory  # noqa: PLC0415

        return Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
