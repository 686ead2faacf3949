"""Compiled files of layers: Lambda cannot keep what it compiles, so every new process would do it again."""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cognis_cdk.packaging.folders import BuildFailed, put_layer, remove_unused, use_layer

_TELL_VERSION: Final = "import platform; print(platform.python_version())"
_COMPILE: Final = ("-I", "-m", "compileall", "-q", "--invalidation-mode=unchecked-hash")
"""What is compiled is taken as it is: deployed sources have other times than these."""

_IN_LAMBDA: Final = "/opt"
"""Where layers lie, and tracebacks say that they do."""

_DIGEST_CHARACTERS: Final = 16

_IGNORED: Final = ("__pycache__", "*.pyc", ".*")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """`command` runs it; `version` is complete, such as 3.13.2."""

    command: str
    version: str


def find_python(minor: str) -> Interpreter | None:
    """One of that minor version (`3.13`), this one or that on the PATH; None where neither is."""
    if platform.python_version().startswith(f"{minor}."):
        return Interpreter(sys.executable, platform.python_version())
    command = shutil.which(f"python{minor}")
    if command is None:
        return None
    told = subprocess.run(  # noqa: S603 - an interpreter by its name
        [command, "-I", "-c", _TELL_VERSION], capture_output=True, text=True, check=False
    )
    version = told.stdout.strip()
    return Interpreter(command, version) if version.startswith(f"{minor}.") else None


def compile_layer(layer: Path, python: Interpreter) -> None:
    """Puts a compiled file beside every source; the same version of Python makes the same bytes.

    Raises BuildFailed for a source that is not valid in that version.
    """
    command = [python.command, *_COMPILE, "-s", str(layer), "-p", _IN_LAMBDA, str(layer)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - see find_python
    if finished.returncode != 0:
        raise BuildFailed(f"Python {python.version} could not compile the layer:\n{finished.stdout.strip()}")


def build_sources(source: Path, python: Interpreter, cache: Path) -> Path:
    """A copy of the layer's folder with compiled files; built unless `cache` has it. Raises BuildFailed.

    Copies of earlier sources go, once none has been used for an hour.
    """
    layer = cache / f"{source.name}-{_digest(source, python)}"
    if not use_layer(layer):
        remove_unused(cache, f"{source.name}-{'[0-9a-f]' * _DIGEST_CHARACTERS}")
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".building-") as folder:
            built = Path(folder, "layer")
            shutil.copytree(source, built, ignore=shutil.ignore_patterns(*_IGNORED))
            compile_layer(built, python)
            put_layer(built, layer)
    return layer


def _digest(source: Path, python: Interpreter) -> str:
    digest = hashlib.sha256(python.version.encode())
    for file in _sources(source):
        digest.update(f"\0{file.relative_to(source)}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:_DIGEST_CHARACTERS]


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent.name != "__pycache__" and not path.name.startswith("."):
            yield path
