"""Exports and imports of a deployment, carried out as its state machines would."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deployment import Deployment, owner_of

from cognis_local.transfers import run_export, run_import
from cognis_memory.models.answers import EventAnswer
from cognis_memory.models.event import Event, EventKind
from cognis_memory.ports import TransferFiles
from cognis_memory.services.transfer.files import export_key, upload_key
from cognis_memory.services.transfer.state import TransferPorts, request_transfer

Line = dict[str, Any]


@dataclass(slots=True)
class Transfers:
    """The doors of exports and imports over a deployment."""

    deployment: Deployment
    masks_secrets: bool = True

    @property
    def files(self) -> TransferFiles:
        return self.deployment.files

    @property
    def ports(self) -> TransferPorts:
        opened = self.deployment
        return TransferPorts(
            ledger=opened.ledger,
            files=self.files,
            embedder=opened.embedder,
            projector=opened.projector,
            clock=opened.clock,
            masks_secrets=self.masks_secrets,
            prices=opened.prices,
        )

    def request(self, user_id: str, kind: EventKind) -> Event:
        opened = self.deployment
        return request_transfer(
            opened.ledger,
            owner_of(user_id),
            kind,
            opened.new_event_id(),
            opened.clock,
            prices=opened.prices,
        )

    def export(self, user_id: str) -> bytes:
        """The file of an export, which is removed."""
        event = self.request(user_id, EventKind.EXPORT)
        run_export(self.ports, self.deployment.ingestion, event.reference, self.deployment.retries)
        key = export_key(event.owner, event.id)
        found = self.files.find(key)
        assert found is not None
        data = b"".join(self.files.read(key, found.tag))
        self.files.delete(key)
        return data

    def import_(self, user_id: str, data: bytes) -> EventAnswer:
        """The event at the end of an import of the file."""
        event = self.request(user_id, EventKind.IMPORT)
        self.files.write(upload_key(event.owner, event.id), [data])
        run_import(self.ports, self.deployment.ingestion, event.reference, self.deployment.retries)
        return self.deployment.event(event.id)


def lines_of(data: bytes) -> list[Line]:
    return [json.loads(line) for line in data.splitlines()]


def file_of(lines: Sequence[Line]) -> bytes:
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)
