"""What can go wrong with the local stack, as branches of the tree in `cognis_memory.errors`."""

from __future__ import annotations

from cognis_memory.errors import PermanentError


class StackError(PermanentError):
    """The stack cannot be brought up or used; the message says why and what to do."""


class NotRunning(StackError):
    """A command needs the stack, and it is not up."""


class AlreadyRunning(StackError):
    """The stack is up already, in another process."""
