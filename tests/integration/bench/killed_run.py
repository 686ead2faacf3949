"""Runs the bench until SIGKILL, once it has added so many lines to a journal: FILE LINES ARGUMENT..."""

from __future__ import annotations

import os
import signal
import sys
from itertools import count
from pathlib import Path

from pydantic import BaseModel

import qa
from qa_bench import evaluation
from qa_bench.folder import Journal


def killing(file: Path, lines: int) -> type[Journal[BaseModel]]:
    """A journal that nothing comes after in this process, once the file has that many lines from it."""
    added = count(1)

    class KillingJournal(Journal[BaseModel]):
        def append(self, line: BaseModel) -> None:
            super().append(line)
            if self._path == file and next(added) == lines:
                os.kill(os.getpid(), signal.SIGKILL)

    return KillingJournal


if __name__ == "__main__":
    evaluation.Journal = killing(Path(sys.argv[1]), int(sys.argv[2]))
    qa.main(sys.argv[3:])
