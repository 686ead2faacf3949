"""The layer of third-party packages: locked wheels, laid out as Lambda expects them."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from cognis_cdk.packaging.compiling import Interpreter, compile_layer
from cognis_cdk.packaging.folders import BuildFailed, put_layer
from cognis_cdk.packaging.platforms import Platform

_RECIPE: Final = "1"
"""Counts the changes of how a layer is made, so that none of an earlier recipe is taken."""

_PIP_OPTIONS: Final = (
    "--quiet",
    "--disable-pip-version-check",
    "--no-compile",
    "--no-deps",
    "--require-hashes",
    "--only-binary=:all:",
)
_PIP_VARIABLES: Final = ("PIP_PREFIX", "PIP_REQUIRE_VIRTUALENV", "PIP_ROOT", "PIP_TARGET", "PIP_USER")
"""A user's settings of where pip installs, which a layer has no part in."""

_JUNK_FOLDERS: Final = ("__pycache__", "tests", "bin")
"""Compiled for whoever built, never imported, or pointing to the interpreter of whoever built."""
_JUNK_METADATA: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
"""Says how and by what a package was installed."""


def build_dependencies(
    locks: Sequence[Path], platform: Platform, cache: Path, python: Interpreter | None = None
) -> Path:
    """The folder of a layer with the locks' packages for the platform; built unless `cache` has it.

    Locks used together agree on the packages that they share. The same locks give the same files, whenever
    and wherever they are built. With `python`, of the platform's version, compiled files lie beside the
    sources; the same version makes the same. The folder appears at once and whole: a build that is killed
    leaves none, and of two at the same time one is kept. Raises BuildFailed with pip's own words.
    """
    texts = [lock.read_text("utf-8") for lock in locks]
    chosen = [requirement for text in texts for requirement in select_requirements(text, platform)]
    requirements = list(dict.fromkeys(chosen))
    layer = cache / f"dependencies-{platform.name}-{_digest(requirements, platform, python)}"
    if layer.is_dir():
        return layer
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=".building-") as folder:
        built = Path(folder, "layer")
        _install(requirements, platform, built / "python")
        _prune(built)
        if python is not None:
            compile_layer(built, python)
        put_layer(built, layer)
    return layer


def select_requirements(lock: str, platform: Platform) -> Iterator[str]:
    """The lock's requirements that apply on the platform, with their hashes and without their markers.

    pip itself judges markers by the machine that it runs on.
    """
    for line in lock.replace("\\\n", " ").splitlines():
        text, *hashes = line.partition("#")[0].split("--hash=")
        if not text.strip():
            continue
        requirement = Requirement(text.strip())
        if requirement.marker is None or requirement.marker.evaluate(dict(platform.markers)):
            requirement.marker = None
            yield " ".join([str(requirement), *(f"--hash={value.strip()}" for value in hashes)])


def _digest(requirements: Sequence[str], platform: Platform, python: Interpreter | None) -> str:
    compiled = [] if python is None else [f"compiled by {python.version}"]
    parts = (_RECIPE, *platform.pip_options, *requirements, *compiled)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _install(requirements: Sequence[str], platform: Platform, target: Path) -> None:
    chosen = target.parent.with_suffix(".txt")
    chosen.write_text("\n".join(requirements), "utf-8")
    command = [sys.executable, "-m", "pip", "install", *_PIP_OPTIONS, *platform.pip_options]
    environment = {name: value for name, value in os.environ.items() if name not in _PIP_VARIABLES}
    finished = subprocess.run(  # noqa: S603 - pip, with what is written here
        [*command, f"--target={target}", f"--requirement={chosen}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode != 0:
        raise BuildFailed(f"pip found no packages for {platform.name}:\n{finished.stderr.strip()}")


def _prune(layer: Path) -> None:
    """Removes what differs between two builds or is never imported, and evens out the modes of files."""
    for path in sorted(layer.rglob("*"), reverse=True):
        if path.is_dir() and path.name in _JUNK_FOLDERS:
            shutil.rmtree(path)
        elif path.parent.suffix == ".dist-info" and path.name in _JUNK_METADATA:
            path.unlink()
        elif path.exists():
            path.chmod(0o755 if path.is_dir() else 0o644)
