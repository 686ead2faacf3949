"""What an index was made for, so that nobody writes into one of another kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cognis_memory.adapters.opensearch.connection import OpenSearchConnection
from cognis_memory.adapters.opensearch.mapping import LAYOUT_VERSION
from cognis_memory.adapters.opensearch.names import Address
from cognis_memory.domain.text import TOKENISATION_VERSION
from cognis_memory.errors import IndexUnavailable, ModelMismatch


@dataclass(frozen=True, slots=True)
class IndexIdentity:
    """What an index says of itself in its mapping's `_meta`; None where it says nothing."""

    layout: int | None
    tokenisation: object
    model_id: str | None
    full_graph: bool

    @classmethod
    def of(cls, meta: Mapping[str, Any]) -> IndexIdentity:
        return cls(
            layout=meta.get("layout"),
            tokenisation=meta.get("tokenisation"),
            model_id=meta.get("model_id"),
            full_graph=meta.get("settings", {}).get("full_graph", False),
        )

    @property
    def is_current(self) -> bool:
        """Whether this version of Cognis can write there."""
        return (self.layout, self.tokenisation) == (LAYOUT_VERSION, TOKENISATION_VERSION)


class IdentityCheck:
    """Reads the identity of the index that is written to, and tells whether it fits.

    `model_id`: the embedding model that the whole index must have been made for; None leaves that to each
    owner's record.
    """

    def __init__(self, connection: OpenSearchConnection, address: Address, model_id: str | None) -> None:
        self._connection = connection
        self._address = address
        self._model_id = model_id
        self._known: IndexIdentity | None = None

    def known(self, *, anew: bool = False) -> IndexIdentity:
        """As it was last read, which may be that of an index whose place another has taken since."""
        if self._known is None or anew:
            self._known = self._read()
        return self._known

    def check(self) -> None:
        """Before a write, since what is written goes by it.

        Raises IndexUnavailable for an index of another layout or tokenisation, which somebody is about to
        migrate, and ModelMismatch for one of another embedding model.
        """
        found = self.known(anew=True)
        if not found.is_current:
            raise IndexUnavailable(
                f"the index has layout {found.layout} and tokenisation {found.tokenisation}, this version of "
                f"Cognis writes {LAYOUT_VERSION} and {TOKENISATION_VERSION}: run `cognis-admin index migrate`"
            )
        if self._model_id is not None and found.model_id != self._model_id:
            raise ModelMismatch(
                f"the index was made for the embedding model {found.model_id!r}, this process uses "
                f"{self._model_id!r}: run `cognis-admin index migrate`, or set the model that it was made for"
            )

    def _read(self) -> IndexIdentity:
        answer = self._connection.request("GET", f"/{self._address.write}/_mapping")
        (index,) = answer.values()
        return IndexIdentity.of(index["mappings"].get("_meta", {}))
