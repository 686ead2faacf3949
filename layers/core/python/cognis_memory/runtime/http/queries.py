"""The query strings of the API's routes."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict

from cognis_memory.models.fields import PageSize
from cognis_memory.models.requests import ListRequest, UserRequest, read_request

_INTEGER: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_BOOLEANS: Final = {"true": True, "false": False}


def _integer(text: Any) -> Any:
    """Digits alone: no `+5`, `5.0`, `1_000` or spaces."""
    if not isinstance(text, str) or not _INTEGER.fullmatch(text):
        raise ValueError("must be an integer")
    return int(text)


def _boolean(text: Any) -> Any:
    if text not in _BOOLEANS:
        raise ValueError("must be true or false")
    return _BOOLEANS[text]


class Query(BaseModel):
    """The query of a route that takes none, and what those of all routes share."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class UserQuery(UserRequest, Query):
    """The query of a route that is about a user."""


def read_user_id(text: str) -> str:
    """A user's id as it stands in a path. Raises InvalidInput for one that no user can have."""
    return read_request(UserQuery, {"user_id": text}).user_id


class ListQuery(ListRequest, UserQuery):
    """A ListRequest as a query string writes it."""

    limit: Annotated[PageSize, BeforeValidator(_integer)] = 50
    include_history: Annotated[bool, BeforeValidator(_boolean)] = False
