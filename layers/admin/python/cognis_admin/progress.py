"""Progress on stderr, for work of minutes and hours."""

from __future__ import annotations

import time
from typing import Final

import click

_EVERY_SECONDS: Final = 2.0


class Progress:
    """Shows a line now and then, and how many of something were done in a second since it began."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._shown = self._began

    def show(self, line: str, done: int, what: str) -> None:
        """`done`: how many of `what` so far."""
        now = time.monotonic()
        if now - self._shown >= _EVERY_SECONDS:
            self._shown = now
            click.echo(f"{line}, {done / (now - self._began):,.0f} {what} a second", err=True)
