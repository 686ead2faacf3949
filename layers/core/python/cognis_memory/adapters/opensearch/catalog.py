"""The versioned indexes of a deployment and the aliases before them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cognis_memory.adapters.opensearch.connection import Json, Missing, OpenSearchConnection
from cognis_memory.adapters.opensearch.identity import IndexIdentity
from cognis_memory.adapters.opensearch.mapping import IndexSettings, index_body
from cognis_memory.adapters.opensearch.names import IndexNames
from cognis_memory.errors import NotFound

_SLOW_SECONDS: Final = 60.0
"""For what all nodes of a cluster have to take note of."""


@dataclass(frozen=True, slots=True)
class IndexVersion:
    """One physical index: `read` and `write` say whether the aliases lead to it, `meta` what made it.

    `blocked`: it takes no writes for now.
    """

    name: str
    number: int
    read: bool
    write: bool
    blocked: bool
    meta: Json

    @property
    def identity(self) -> IndexIdentity:
        return IndexIdentity.of(self.meta)

    @property
    def settings(self) -> IndexSettings:
        """What it was made with."""
        return IndexSettings(**self.meta.get("settings", {}))

    @property
    def replaces(self) -> str | None:
        """The index whose place it is being made for, or has taken without what comes after that."""
        name: str | None = self.meta.get("replaces")
        return name


@dataclass(frozen=True, slots=True)
class IndexSize:
    """`documents` counts records of owners, too; `health` is green, yellow or red."""

    documents: int
    size_bytes: int
    health: str


class IndexCatalog:
    """Makes, finds and removes the indexes of one deployment."""

    def __init__(self, connection: OpenSearchConnection, names: IndexNames) -> None:
        self._connection = connection
        self._names = names

    def versions(self) -> list[IndexVersion]:
        """All there are, oldest first."""
        try:
            found: dict[str, Any] = self._connection.request("GET", f"/{self._names.base}-*")
        except Missing:
            return []
        versions = [
            IndexVersion(
                name=name,
                number=number,
                read=self._names.read in index["aliases"],
                write=self._names.write in index["aliases"],
                blocked=_is_blocked(index["settings"]["index"]),
                meta=index["mappings"].get("_meta", {}),
            )
            for name, index in found.items()
            if (number := self._names.number_of(name)) is not None
        ]
        return sorted(versions, key=lambda version: version.number)

    def in_use(self) -> IndexVersion | None:
        """The index that is written to."""
        return next((version for version in self.versions() if version.write), None)

    def find(self, name: str) -> IndexVersion:
        """Raises NotFound for an index that is not this deployment's, or not there."""
        for version in self.versions():
            if version.name == name:
                return version
        raise NotFound(f"there is no index {name}")

    def next_name(self) -> str:
        """Of a version that is not there yet."""
        return self._names.version(max((version.number for version in self.versions()), default=0) + 1)

    def create(self, settings: IndexSettings, model_id: str, *, replaces: str | None = None) -> str:
        """Makes the next version, empty and behind no alias, and returns its name; `replaces`: see
        `index_body`."""
        name = self.next_name()
        body = index_body(settings, model_id, replaces=replaces)
        self._connection.request("PUT", f"/{name}", body, seconds=_SLOW_SECONDS)
        return name

    def finish(self, version: IndexVersion) -> None:
        """Forgets which index that one took the place of."""
        meta = {name: value for name, value in version.meta.items() if name != "replaces"}
        self._connection.request("PUT", f"/{version.name}/_mapping", {"_meta": meta}, seconds=_SLOW_SECONDS)

    def block_writes(self, name: str) -> None:
        """Refuses writes from now on; those under way have ended when it returns."""
        self._connection.request("PUT", f"/{name}/_block/write", seconds=_SLOW_SECONDS)

    def allow_writes(self, name: str) -> None:
        """Ends `block_writes`."""
        settings = {"index.blocks.write": None}
        self._connection.request("PUT", f"/{name}/_settings", settings, seconds=_SLOW_SECONDS)

    def refresh(self, name: str) -> None:
        self._connection.request("POST", f"/{name}/_refresh", seconds=_SLOW_SECONDS)

    def size(self, name: str) -> IndexSize:
        stats = self._connection.request("GET", f"/{name}/_stats/docs,store")["_all"]["primaries"]
        health = self._connection.request("GET", f"/_cluster/health/{name}")["status"]
        documents, store = stats.get("docs", {}), stats.get("store", {})  # none before a shard is there
        return IndexSize(documents.get("count", 0), store.get("size_in_bytes", 0), health)

    def lead_to(self, name: str) -> None:
        """Has both aliases lead to that index, and to no other, in one step."""
        aliases = (self._names.read, self._names.write)
        leave = [
            {"remove": {"index": version.name, "alias": alias}}
            for version in self.versions()
            for alias, leads in zip(aliases, (version.read, version.write), strict=True)
            if leads and version.name != name
        ]
        enter = [{"add": {"index": name, "alias": alias}} for alias in aliases]
        self._connection.request("POST", "/_aliases", {"actions": [*leave, *enter]}, seconds=_SLOW_SECONDS)

    def delete(self, name: str) -> None:
        """Removes an index; one that is not there is no error."""
        try:
            self._connection.request(
                "DELETE", f"/{name}", params={"ignore_unavailable": "true"}, seconds=_SLOW_SECONDS
            )
        except Missing:
            return


def _is_blocked(settings: Json) -> bool:
    blocked: bool = settings.get("blocks", {}).get("write") == "true"
    return blocked
