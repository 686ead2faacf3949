"""What can go wrong with the local models, as branches of the tree in `cognis_memory.errors`."""

from __future__ import annotations

from cognis_memory.errors import PermanentError


class LocalModelsMissing(PermanentError):
    """A package that carries a model is missing or is another version than expected."""


class ModelProcessFailed(PermanentError):
    """The model process did not start or could not be replaced; the message names its log."""
