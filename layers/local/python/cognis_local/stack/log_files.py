"""The last words of log files."""

from __future__ import annotations

from pathlib import Path


def last_line(log: Path) -> str:
    """The last thing that a log says."""
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else "its log is empty"
