"""Checks an uploaded file, every line of it, before anything of it is taken over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from cognis_memory.domain.versions import place
from cognis_memory.errors import InvalidInput
from cognis_memory.models.event import LineFault
from cognis_memory.models.memory import Memory
from cognis_memory.models.transfer import DocumentLine, HeaderLine, MemoryLine
from cognis_memory.models.values import Owner
from cognis_memory.services.transfer.lines import document_of, read_line, split_lines

MAX_FAULTS: Final = 50
"""So many an event names; all are counted."""

_ANYBODY: Final = Owner("any", "any")
"""Whose the documents are changes nothing about their chains."""

_WRITTEN: Final = frozenset({"revision", "updated_at"})
"""What says when and how often a version was written, and nothing about its chain."""


@dataclass(slots=True)
class FileCheck:
    """What was found so far: `faults` holds the first of `fault_count`, `lines` counts all."""

    header: HeaderLine | None = None
    memories: int = 0
    messages: int = 0
    lines: int = 0
    fault_count: int = 0
    faults: list[LineFault] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)
    _chains: set[str] = field(default_factory=set)
    _open: list[tuple[int, MemoryLine]] = field(default_factory=list)
    _unreadable: int = -1

    def add(self, line: bytes) -> None:
        self.lines += 1
        try:
            read = read_line(line)
        except InvalidInput as error:
            self._unreadable = self.lines
            for fault in error.errors:
                self._fault(self.lines, fault.field, fault.message)
            return
        if isinstance(read, HeaderLine):
            self._add_header(read)
        else:
            self._add_document(read)

    def end(self) -> None:
        """To be called after the last line."""
        self._close_chain()
        if self.lines == 0:
            self._fault(1, "", "the file is empty")
        elif self.header is not None and not self.fault_count:
            self._check_counts(self.header)

    def _add_header(self, header: HeaderLine) -> None:
        if self.lines > 1:
            self._fault(self.lines, "type", "only the first line is a header")
        else:
            self.header = header

    def _add_document(self, line: DocumentLine) -> None:
        if self.lines == 1:
            self._fault(1, "type", "the first line must be a header")
        for id_ in (line.id, *(repeat.id for repeat in getattr(line, "repeats", ()))):
            if id_ in self._ids:
                self._fault(self.lines, "id", "stands in an earlier line, too")
                self._unreadable = self.lines
            self._ids.add(id_)
        if isinstance(line, MemoryLine):
            self.memories += 1
            self._add_version(line)
        else:
            self.messages += 1
            self._close_chain()

    def _add_version(self, line: MemoryLine) -> None:
        if self._open and self._open[-1][1].chain_id != line.chain_id:
            self._close_chain()
        if not self._open and line.chain_id in self._chains:
            self._fault(self.lines, "chain_id", "the versions of a chain must stand together")
        self._chains.add(line.chain_id)
        self._open.append((self.lines, line))

    def _close_chain(self) -> None:
        """Beside a line that could not be read a chain may not be whole: that one line is fault enough."""
        if self._open and self._unreadable < self._open[0][0] - 1:
            self._check_chain()
        self._open.clear()

    def _check_chain(self) -> None:
        """A chain is a function of what was stated: see `domain.versions`."""
        documents = [document_of(version, _ANYBODY) for _, version in self._open]
        versions = [document for document in documents if isinstance(document, Memory)]
        placed = place(versions, now=versions[0].updated_at)
        for (line, _), memory, rightly in zip(self._open, versions, placed, strict=False):
            if memory.id != rightly.id:
                self._fault(line, "timestamp", "the versions of a chain must stand in order of time")
                return
            for name, value in memory:
                if name not in _WRITTEN and value != getattr(rightly, name):
                    self._fault(line, name, "is not what follows from the versions of the chain")

    def _check_counts(self, header: HeaderLine) -> None:
        for name, found in (("memories", self.memories), ("messages", self.messages)):
            promised = getattr(header, name)
            if promised != found:
                self._fault(1, name, f"the file has {found} of the {promised} that its header counts")

    def _fault(self, line: int, name: str, message: str) -> None:
        self.fault_count += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(LineFault(line=line, field=name, message=message))


def check_file(chunks: Iterable[bytes]) -> FileCheck:
    """In memory for the ids alone, and for the longest chain."""
    check = FileCheck()
    for line in split_lines(chunks):
        check.add(line)
    check.end()
    return check
