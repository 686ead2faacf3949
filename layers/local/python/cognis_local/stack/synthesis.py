"""Synthesises stage `local`, from the same CDK app as every stage, when what it stands on has changed."""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

from filelock import FileLock

from cognis_local.stack.errors import StackError
from cognis_local.stack.log_files import last_line

_SOURCES: Final = ("cdk", "functions", "layers", "requirements", "cdk.json")
_PACKAGES: Final = ("aws-cdk-lib", "constructs")
_GENERATED: Final = ("__pycache__",)


def project_folder() -> Path:
    """The checkout that this package belongs to. Raises StackError where there is none."""
    folder = Path(__file__).resolve().parents[5]
    if not (folder / "cdk" / "app.py").exists():
        raise StackError("The local stack is made from a checkout of the project; use its `make run`.")
    return folder


def fingerprint(project: Path) -> str:
    """A digest of all that the synthesis reads: sources, versions, this Python and this machine's kind."""
    digest = hashlib.sha256()
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


def assembly_folder(project: Path) -> Path:
    """Where the assembly of stage `local` is."""
    return project / ".local" / "cdk.out" / "local"


def is_synthesised(assembly: Path, wanted: str) -> bool:
    """Whether the assembly in the folder has this fingerprint."""
    try:
        return _mark(assembly).read_text(encoding="utf-8") == wanted
    except FileNotFoundError:
        return False


def synthesise(project: Path, assembly: Path, made_from: str, log: Path) -> None:
    """Writes the assembly, and its fingerprint once it is whole; what the app says goes to `log`.

    Raises StackError with the app's last words.
    """
    mark = _mark(assembly)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(mark.with_suffix(".lock")):
        mark.unlink(missing_ok=True)
        exit_code = _run_app(project, assembly, log)
        if exit_code:
            raise StackError(f"The stacks cannot be synthesised: {last_line(log)}\nThe rest is in {log}.")
        mark.write_text(made_from, encoding="utf-8")


def _mark(assembly: Path) -> Path:
    return assembly.with_name(f"{assembly.name}.fingerprint")


def _run_app(project: Path, assembly: Path, log: Path) -> int:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        ended = subprocess.run(  # noqa: S603 - our own interpreter and app
            [sys.executable, str(project / "cdk" / "app.py"), "local", "--output", str(assembly)],
            cwd=project,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            check=False,
        )
    return ended.returncode
