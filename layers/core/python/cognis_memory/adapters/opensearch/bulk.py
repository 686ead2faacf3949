"""Writes by `_bulk`, with an eye on what became of every item."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from cognis_memory.adapters.opensearch.connection import (
    Missing,
    OpenSearchConnection,
    VersionConflict,
    error_of,
)
from cognis_memory.adapters.opensearch.documents import Body
from cognis_memory.deadline import pause
from cognis_memory.errors import CognisError, IndexRefused, IndexUnavailable

MAX_BYTES: Final = 5_000_000
MAX_ITEMS: Final = 500
"""Of one request; a small node of Amazon OpenSearch takes 10 MB."""

ATTEMPTS: Final = 5
_FIRST_PAUSE: Final = 0.1

CONFLICT: Final = 409
_REJECTED: Final = frozenset({429, 503})

Item = str
"""The lines of one action: what to do, and with what."""

Outcome = dict[str, Any]


def item(*lines: Body) -> Item:
    """The action, and the body that it takes."""
    return "".join(f"{json.dumps(line)}\n" for line in lines)


class BulkWriter:
    """Writes to one alias, or one index where it is none.

    Rejected items are sent again, with growing pauses; the others' outcomes stand.
    """

    def __init__(self, connection: OpenSearchConnection, alias: str, *, is_alias: bool = True) -> None:
        self._connection = connection
        self._path = f"/{alias}/_bulk"
        self._require_alias = str(is_alias).lower()

    def write(self, items: Iterable[Item], *, refresh: bool) -> list[Outcome]:
        """The items' outcomes in their order, once all are written and, with `refresh`, can be found.

        What is older than the document there is no error, nor what is deleted and not there. Raises
        IndexUnavailable for items still rejected after ATTEMPTS tries and IndexRefused for those that the
        index cannot take, which are then the only ones that are not written.
        """
        requests = list(_requests(items))
        outcomes: list[Outcome] = []
        for number, lines in enumerate(requests, start=1):
            outcomes += self._sent(lines, refresh=refresh and number == len(requests))
        refused = [error for outcome in outcomes if (error := _error(outcome)) is not None]
        for error in refused:
            if not isinstance(error, IndexRefused):
                raise error
        if refused:
            kinds = Counter(map(str, refused)).most_common()
            raise IndexRefused(
                f"{len(refused)} documents: " + ", ".join(f"{kind} ({number})" for kind, number in kinds)
            )
        return outcomes

    def _sent(self, items: Sequence[Item], *, refresh: bool) -> list[Outcome]:
        outcomes: dict[int, Outcome] = {}
        waiting = list(range(len(items)))
        for attempt in range(ATTEMPTS):
            if attempt:
                pause(_FIRST_PAUSE * 2**attempt * random.uniform(0.5, 1.5))  # noqa: S311
            answered = self._request([items[place] for place in waiting], refresh=refresh)
            outcomes |= zip(waiting, answered, strict=True)
            waiting = [place for place in waiting if outcomes[place]["status"] in _REJECTED]
            if not waiting:
                return [outcomes[place] for place in range(len(items))]
        raise IndexUnavailable(f"OpenSearch rejected {len(waiting)} of {len(items)} writes {ATTEMPTS} times")

    def _request(self, items: Sequence[Item], *, refresh: bool) -> list[Outcome]:
        params = {"require_alias": self._require_alias, "refresh": "wait_for" if refresh else "false"}
        answer = self._connection.request("POST", self._path, "".join(items), params=params)
        return [outcome for each in answer["items"] for outcome in each.values()]


def _requests(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The items in order, as many a request as its limits take."""
    batch: list[Item] = []
    size = 0
    for lines in items:  # in ASCII, so that characters are bytes
        if batch and (len(batch) == MAX_ITEMS or size + len(lines) > MAX_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(lines)
        size += len(lines)
    if batch:
        yield batch


def _error(outcome: Outcome) -> CognisError | None:
    """None for what is written, and for what was not to be: an older document, a deletion of nothing."""
    status = outcome["status"]
    if 200 <= status < 300:
        return None
    error = error_of(status, outcome.get("error", {}).get("type", ""))
    return None if isinstance(error, Missing | VersionConflict) else error
