"""The file by which a model process tells where it listens."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ServerState:
    """`instance` is unique to one run, so that a process that got the same pid or port is not mistaken."""

    pid: int
    port: int
    instance: str
    version: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def write_state(path: Path, state: ServerState) -> None:
    """Replaces the file in one step, readable by its owner alone."""
    draft = path.with_name(f"{path.name}.{state.instance}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(state), file)
    draft.replace(path)


def read_state(path: Path) -> ServerState | None:
    """None when there is no file or it is not one of ours."""
    try:
        state = ServerState(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return state if isinstance(state.port, int) and isinstance(state.instance, str) else None


def remove_state(path: Path, instance: str) -> None:
    """Removes the file if it still names that run."""
    state = read_state(path)
    if state is not None and state.instance == instance:
        path.unlink(missing_ok=True)
