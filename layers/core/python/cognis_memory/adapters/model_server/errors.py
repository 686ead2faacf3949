"""What can go wrong with a model server. Clients turn these into the errors of their port."""

from __future__ import annotations


class Unavailable(Exception):
    """The server is out of reach, slow, overloaded or failing: later it may answer."""


class Refused(Exception):
    """The server does not take this request: sent again, it would not be taken either."""


class UnusableAnswer(ValueError):
    """The answer is not what the request asked for; the message quotes nothing of it."""
