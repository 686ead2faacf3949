"""The files of a release, gathered once for this user and shared by all of its nodes."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import platformdirs
from filelock import FileLock, Timeout

from cognis_local.opensearch import layout, releases
from cognis_local.opensearch.errors import DistributionFailed, ToolsMissing
from cognis_local.opensearch.jdk import find_jdk
from cognis_local.opensearch.releases import Release, release_of

GATHER_SECONDS: Final = 1_200.0
"""How long another process may take to gather the same files."""

_MADE_BY: Final = (Path(layout.__file__), Path(releases.__file__))


def missing_tools(line: str) -> str | None:
    """Why no node of the line can start on this machine, such as "no JDK 17 or newer and no Maven (mvn)".

    None when all is there. Maven is needed until the files of the release have been gathered.
    """
    release = release_of(line)
    missing = [] if find_jdk(line) else [f"no JDK {release.java} or newer"]
    if not distribution_folder(release).exists() and _maven() is None:
        missing.append("no Maven (mvn)")
    return " and ".join(missing) or None


def distribution_folder(release: Release) -> Path:
    """Where the files are, once they have been gathered: whole, or not there.

    Its name has a digest of what it is made from, so that another version of this package has another.
    """
    digest = hashlib.sha256()
    sources = (path for path in sorted(layout.RESOURCES.rglob("*")) if path.is_file())
    for path in (*sources, *_MADE_BY):
        digest.update(path.read_bytes())
    return (
        platformdirs.user_cache_path("cognis") / "opensearch" / f"{release.version}-{digest.hexdigest()[:12]}"
    )


def ensure_distribution(release: Release, jdk: Path, say: Callable[[str], None]) -> Path:
    """The folder with the files, which are gathered if they are not there; 80 to 95 MB by Maven.

    Any number of processes may ask at once. One that is killed leaves nothing that passes for whole. Raises
    ToolsMissing without Maven, DistributionFailed with the end of its log.
    """
    folder = distribution_folder(release)
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder.with_name(f"{folder.name}.lock"), timeout=GATHER_SECONDS):
            if not folder.exists():
                _gather(release, jdk, folder, say)
    except Timeout:
        raise DistributionFailed(
            f"Another process has been gathering {folder} for {GATHER_SECONDS:.0f} s."
        ) from None
    return folder


def _gather(release: Release, jdk: Path, folder: Path, say: Callable[[str], None]) -> None:
    maven = _maven()
    if maven is None:
        raise ToolsMissing(
            f"OpenSearch {release.version} is gathered by Maven: install it, so that PATH has mvn."
        )
    say(f"Gathering OpenSearch {release.version} with Maven (once, some 90 MB)")
    for unfinished in folder.parent.glob(f"{folder.name}.new.*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{folder.name}.new.", dir=folder.parent) as made:
        whole = Path(made) / folder.name
        whole.mkdir()
        log = folder.with_name(f"{folder.name}.log")
        layout.Layout(release, jdk, whole, log).fill(maven)
        whole.rename(folder)


def _maven() -> str | None:
    return shutil.which("mvn")
