"""Finds a Java Development Kit."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cognis_local.opensearch.releases import release_of

INSTALLED: Final = (
    "/usr/lib/jvm/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
)
"""Patterns of the folders in which systems install JDKs."""

_VERSION: Final = re.compile(r'^JAVA_VERSION="(\d+)', re.MULTILINE)


def find_jdk(line: str) -> Path | None:
    """A JDK that the line of OpenSearch runs on: JAVA_HOME, else PATH's, else one that is installed."""
    oldest = release_of(line).java
    return next((home for home in _candidates() if (java_version(home) or 0) >= oldest), None)


def java_version(home: Path) -> int | None:
    """The feature version, such as 17; None where the folder is no JDK (a runtime has no compiler)."""
    try:
        found = _VERSION.search((home / "release").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    tools = (home / "bin" / name for name in ("java", "javac", "jar"))
    return int(found[1]) if found and all(os.access(tool, os.X_OK) for tool in tools) else None


def _candidates() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home)
    if compiler := shutil.which("javac"):
        yield Path(compiler).resolve().parent.parent
    for pattern in INSTALLED:
        yield from sorted(Path("/").glob(pattern.removeprefix("/")))
