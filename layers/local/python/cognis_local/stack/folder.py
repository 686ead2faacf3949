"""The folder `.local`: everything that the local stack keeps, and what it writes down about itself."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

DEFAULT_FOLDER = ".local"

_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class StackFolder:
    """Where the parts of the stack keep their files.

    run.json          while it is up: URL, key, process
    run.pid           the process that starts it or keeps it up
    credentials.json  the tenant's key, kept between runs
    deployment.json   what was deployed last, and its outputs
    ingested.json     the events of conversations that were played
    emulator/         the emulated account: tables, objects, functions
    opensearch/       the OpenSearch node, where it was searched in one
    models/           state of the model process
    logs/             of the emulator and of the synthesis

    cdk.out/          the stacks that search in its node; those with user shards are in the project's own
                      `.local/cdk.out`, whatever the folder
    """

    root: Path

    @property
    def run_file(self) -> Path:
        return self.root / "run.json"

    @property
    def pid_file(self) -> Path:
        return self.root / "run.pid"

    @property
    def credentials_file(self) -> Path:
        return self.root / "credentials.json"

    @property
    def deployment_file(self) -> Path:
        return self.root / "deployment.json"

    @property
    def journal_file(self) -> Path:
        return self.root / "ingested.json"

    @property
    def emulator(self) -> Path:
        return self.root / "emulator"

    @property
    def models(self) -> Path:
        return self.root / "models"

    @property
    def opensearch(self) -> Path:
        return self.root / "opensearch"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def emulator_pid_file(self) -> Path:
        return self.emulator / "emulator.pid"

    def run_lock(self) -> FileLock:
        """Held by the process that brought the stack up, for as long as it is."""
        return FileLock(self.root / "run.lock")

    def is_up(self) -> bool:
        """Whether a process is starting the stack or keeps it up."""
        if not self.root.exists():
            return False
        try:
            with self.run_lock().acquire(timeout=0):
                return False
        except Timeout:
            return True

    def emulator_lock(self) -> FileLock:
        """Held by the emulator, until all of its state is written."""
        return FileLock(self.emulator / "emulator.lock")


@dataclass(frozen=True, slots=True)
class Run:
    """A stack that is up: the API's URL and key, the emulator's endpoint, the process that keeps it up."""

    url: str
    api_key: str
    endpoint: str
    pid: int


@dataclass(frozen=True, slots=True)
class Credentials:
    """The key of the tenant that the stack's own conversations belong to."""

    tenant_id: str
    api_key: str


@dataclass(frozen=True, slots=True)
class Deployment:
    """The fingerprint of the assembly that was deployed, the outputs of each stack by its name, and the
    engine that searches, whose index alone is up to date."""

    fingerprint: str
    outputs: dict[str, dict[str, str]]
    search: str = "shards"


def write_record(path: Path, record: Run | Credentials | Deployment | dict[str, Any]) -> None:
    """Writes the record as JSON that nobody else can read, in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = record if isinstance(record, dict) else asdict(record)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    unfinished.replace(path)


def read_record(path: Path, kind: type[_Record]) -> _Record | None:
    """The record; None where there is none, or none that can be read: it is written anew then."""
    try:
        return kind(**json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None
