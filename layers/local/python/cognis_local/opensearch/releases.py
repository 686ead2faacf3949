"""The releases of OpenSearch that a node can be made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cognis_local.opensearch.errors import NodeError


@dataclass(frozen=True, slots=True)
class Release:
    """One version of the core with the k-NN plugin that was published for it, and none other fits.

    `java` is the oldest JDK it runs on, `profile` that of `pom.xml`, None for its default. The classes of
    bundled modules end in `class_suffix`. `lacks_grpc`: its k-NN plugin links against types of a module that
    is not published.
    """

    line: str
    version: str
    java: int
    profile: str | None = None
    class_suffix: str = "Plugin"
    lacks_grpc: bool = False


DEFAULT_LINE: Final = "2.19"

RELEASES: Final = {
    release.line: release
    for release in (
        Release("2.19", "2.19.1", java=17),
        Release("3.5", "3.5.0", java=21, profile="os3", class_suffix="ModulePlugin", lacks_grpc=True),
    )
}


def release_of(line: str) -> Release:
    """Raises NodeError, which says what there is, for an unknown line."""
    if line not in RELEASES:
        raise NodeError(f"There is no line {line!r} of OpenSearch to run; there are {', '.join(RELEASES)}.")
    return RELEASES[line]
