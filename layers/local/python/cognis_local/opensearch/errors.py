"""What can go wrong with the node, as branches of the tree in `cognis_memory.errors`."""

from __future__ import annotations

from cognis_memory.errors import PermanentError


class NodeError(PermanentError):
    """The node cannot be started, stopped or used; the message says why and what to do."""


class ToolsMissing(NodeError):
    """No fitting JDK, or no Maven to gather the node's artifacts with."""


class DistributionFailed(NodeError):
    """The node's artifacts cannot be gathered; the message has the last words of the tool that failed."""


class PortTaken(NodeError):
    """Something else listens where the node was to listen, or the node already listens elsewhere."""


class NodeFailed(NodeError):
    """The node ended or did not answer in time; the message has the end of its log."""
