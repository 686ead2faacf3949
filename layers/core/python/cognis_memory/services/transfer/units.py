"""What the lines of a checked file write into the ledger of whoever imports them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from cognis_memory.domain.secrets import mask_secrets
from cognis_memory.models.commit import CHAIN_BYTES, ChainWrite, DocumentWrite
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.transfer import DocumentLine, HeaderLine, MemoryLine, MessageLine
from cognis_memory.models.values import FloatVector, Owner
from cognis_memory.services.masking import mask_metadata
from cognis_memory.services.projection import is_indexed
from cognis_memory.services.transfer.lines import document_of, read_line, split_lines
from cognis_memory.services.writing import CommitSize

_CHAIN: Final = CommitSize(1, CHAIN_BYTES)
_ANY_VECTOR: Final = np.zeros(768, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Unit:
    """The document of one line, whose number is `line`; the first version of a chain brings the chain along.

    `embeds`: it needs a vector of this deployment's model. `masked`: it held a secret.
    """

    line: int
    document: Memory | Message
    vector: FloatVector | None
    embeds: bool = False
    masked: bool = False
    chain: ChainWrite | None = None

    @property
    def size(self) -> CommitSize:
        """Of a commit, with the vector that is still to come."""
        write = DocumentWrite(self.document, _ANY_VECTOR if self.embeds else self.vector)
        return CommitSize.of(write) + (_CHAIN if self.chain else CommitSize())


@dataclass(frozen=True, slots=True)
class UnitReader:
    """Reads lines as documents of `owner`, whose vectors are `model_id`'s; `masks` takes secrets out."""

    owner: Owner
    model_id: str
    masks: bool

    def read(self, chunks: Iterable[bytes], *, after: int = 0) -> Iterator[Unit]:
        """The units of all lines after that one, in order; the file was checked before."""
        chain: list[tuple[int, MemoryLine]] = []
        before: DocumentLine | None = None
        for number, line in _document_lines(chunks, first=after):
            if chain and not (isinstance(line, MemoryLine) and line.chain_id == chain[0][1].chain_id):
                yield from self._versions(chain, after)
                chain.clear()
            if isinstance(line, MemoryLine):
                chain.append((number, line))
            elif number > after:
                yield self._unit(number, line, asked=_asked(before, line))
            before = line
        yield from self._versions(chain, after)

    def _versions(self, chain: Sequence[tuple[int, MemoryLine]], after: int) -> Iterator[Unit]:
        ids = tuple(line.id for _, line in chain)
        for number, line in chain:
            write = ChainWrite(line.chain_id, ids, 1) if line.version == 1 else None
            if number > after:
                yield self._unit(number, line, chain=write)

    def _unit(
        self, number: int, line: DocumentLine, *, asked: str = "", chain: ChainWrite | None = None
    ) -> Unit:
        kept = _mask(line, asked) if self.masks else line
        masked = kept != line
        document = document_of(kept, self.owner)
        own = line.embedding_model == self.model_id and not masked
        findable = is_indexed(document) or (line.vector is not None and line.vector.any())
        if not findable or (own and line.vector is not None):
            return Unit(number, document, line.vector, masked=masked, chain=chain)
        document = document.model_copy(update={"embedding_model": self.model_id})
        return Unit(number, document, None, embeds=True, masked=masked, chain=chain)


def _document_lines(chunks: Iterable[bytes], *, first: int) -> Iterator[tuple[int, DocumentLine]]:
    """With their numbers in the file, from that line on."""
    for number, text in enumerate(split_lines(chunks), start=1):
        if number < first:
            continue
        line = read_line(text)
        if not isinstance(line, HeaderLine):
            yield number, line


def _asked(before: DocumentLine | None, line: MessageLine) -> str:
    """What was said just before in the same request: a question tells what the digits after it are."""
    if isinstance(before, MessageLine) and before.event_id == line.event_id:
        return before.content if before.position + 1 == line.position else ""
    return ""


def _mask(line: DocumentLine, asked: str) -> DocumentLine:
    """The line with every secret masked, as `services.masking` masks requests; ids stay as they are."""
    changes: dict[str, object] = {
        "content": mask_secrets(line.content, asked),
        "metadata": mask_metadata(line.metadata),
        "speaker": line.speaker and mask_secrets(line.speaker),
    }
    if all(getattr(line, name) == value for name, value in changes.items()):
        return line
    return line.model_copy(update=changes)
