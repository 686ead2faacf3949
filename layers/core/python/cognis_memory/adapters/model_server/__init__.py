"""How requests reach a model server, whatever their JSON says."""

from cognis_memory.adapters.model_server.errors import Refused, Unavailable, UnusableAnswer
from cognis_memory.adapters.model_server.transport import HttpTransport, Transport

__all__ = ["HttpTransport", "Refused", "Transport", "Unavailable", "UnusableAnswer"]
