"""A progress bar on a terminal, a line for each finished request anywhere else; both on stderr."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cognis_local.conversations import Conversation
from cognis_memory.models.answers import EventAnswer
from cognis_memory.models.values import Operation


@dataclass(slots=True)
class Tally:
    """What was taken in so far and how fast. `facts` are the operations that changed something."""

    total: int
    started: float
    messages: int = 0
    facts: int = 0

    def count(self, event: EventAnswer) -> None:
        self.messages += len(event.messages)
        self.facts += sum(done.operation is not Operation.NONE for done in event.operations)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def rate(self) -> float:
        """Messages per second."""
        return self.messages / max(self.seconds, 1e-3)

    def __str__(self) -> str:
        return f"{self.messages} of {self.total} messages · {self.facts} facts · {self.rate:.0f} messages/s"


class IngestionProgress:
    """Follows one conversation; call it with each finished event."""

    def __init__(self, conversation: Conversation, console: Console, bar: Progress) -> None:
        self.tally = Tally(conversation.turn_count, time.monotonic())
        self._console = console
        self._name = conversation.id
        self._bar = bar
        self._task = bar.add_task(conversation.id, total=conversation.turn_count, tally="")

    def __call__(self, event: EventAnswer) -> None:
        self.tally.count(event)
        if self._console.is_terminal:
            self._bar.update(self._task, completed=self.tally.messages, tally=str(self.tally))
        else:
            self._console.print(f"{self._name}: {self.tally}")


@contextmanager
def ingestion_progress(conversation: Conversation, console: Console) -> Iterator[IngestionProgress]:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[tally]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        yield IngestionProgress(conversation, console, bar)
