"""Synthesises stage `local`, from the same CDK app as every stage, when what it stands on has changed."""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from filelock import FileLock

from cognis_local.stack.errors import StackError
from cognis_local.stack.folder import StackFolder
from cognis_local.stack.log_files import last_line

_SOURCES: Final = ("cdk", "functions", "layers", "requirements", "cdk.json")
_PACKAGES: Final = ("aws-cdk-lib", "constructs")
_GENERATED: Final = ("__pycache__",)


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The folder of an assembly of stage `local`, and the fingerprint of what it is to be made from.

    `search_node` is the endpoint of the OpenSearch node that it searches in; None for user shards.
    """

    folder: Path
    fingerprint: str
    search_node: str | None


def project_folder() -> Path:
    """The checkout that this package belongs to. Raises StackError where there is none."""
    folder = Path(__file__).resolve().parents[5]
    if not (folder / "cdk" / "app.py").exists():
        raise StackError("The local stack is made from a checkout of the project; use its `make run`.")
    return folder


def fingerprint(project: Path, search_node: str | None = None) -> str:
    """A digest of all that the synthesis reads: sources, versions, this Python and this machine's kind, and
    the endpoint of the OpenSearch node that is searched in, if one is."""
    digest = hashlib.sha256()
    if search_node is not None:
        digest.update(f"{search_node}\n".encode())
    for name in _PACKAGES:
        digest.update(f"{name} {version(name)}\n".encode())
    digest.update(f"{platform.python_version()} {platform.system()} {platform.machine()}\n".encode())
    for path in _files(project, _SOURCES):
        digest.update(f"{path.relative_to(project)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _files(project: Path, names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        start = project / name
        found = sorted(start.rglob("*")) if start.is_dir() else [start]
        yield from (path for path in found if path.is_file() and path.parent.name not in _GENERATED)


def synthesis_of(project: Path, folder: StackFolder, search_node: str | None) -> Synthesis:
    """What the stack of that folder is to be deployed from.

    All stacks of a checkout share the assembly with user shards. One that searches in a node names the node,
    which is the stack's own, and lies in its folder.
    """
    shared, own = project / ".local" / "cdk.out" / "local", folder.root / "cdk.out" / "local-opensearch"
    assembly = shared if search_node is None else own.absolute()
    return Synthesis(assembly, fingerprint(project, search_node), search_node)


def is_synthesised(synthesis: Synthesis) -> bool:
    """Whether the assembly is there, made from what it is to be made from."""
    try:
        return _mark(synthesis.folder).read_text(encoding="utf-8") == synthesis.fingerprint
    except FileNotFoundError:
        return False


def synthesise(project: Path, synthesis: Synthesis, log: Path) -> None:
    """Writes the assembly, and its fingerprint once it is whole; what the app says goes to `log`.

    Raises StackError with the app's last words.
    """
    mark = _mark(synthesis.folder)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(mark.with_suffix(".lock")):
        mark.unlink(missing_ok=True)
        exit_code = _run_app(project, synthesis, log)
        if exit_code:
            raise StackError(f"The stacks cannot be synthesised: {last_line(log)}\nThe rest is in {log}.")
        mark.write_text(synthesis.fingerprint, encoding="utf-8")


def _mark(assembly: Path) -> Path:
    return assembly.with_name(f"{assembly.name}.fingerprint")


def _run_app(project: Path, synthesis: Synthesis, log: Path) -> int:
    arguments = ["local", "--output", str(synthesis.folder)]
    if synthesis.search_node is not None:
        arguments += ["--search-node", synthesis.search_node]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        ended = subprocess.run(  # noqa: S603 - our own interpreter and app
            [sys.executable, str(project / "cdk" / "app.py"), *arguments],
            cwd=project,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            check=False,
        )
    return ended.returncode
