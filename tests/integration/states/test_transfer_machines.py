"""Exports and imports as their state machines run them: waits, kills, refusals, and what is left of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from transfer_machines import TransferMachines, TransferRun
from transfers import file_of, lines_of

from cognis_memory.errors import EmbeddingFailed, LedgerUnavailable, UserErased
from cognis_memory.models.answers import EventAnswer
from cognis_memory.models.event import Event, EventKind, EventStatus
from cognis_memory.models.values import FloatMatrix, Owner
from cognis_memory.ports import Embedder, ExecutionStatus, TransferFiles
from cognis_memory.services.events import describe_event
from cognis_memory.services.memories.deleting import delete_memory
from cognis_memory.services.replaying import ReplayPorts, replay_event
from cognis_memory.services.transfer import importing, undoing
from cognis_memory.services.transfer.files import (
    FILES_KEPT,
    UPLOAD_LINK_LIFETIME,
    export_key,
    upload_key,
)
from cognis_memory.services.transfer.state import request_transfer
from cognis_memory.services.transfer.uploads import LONGEST_WAIT_SECONDS

from .conftest import TENANT, Stage

SENTENCES = ("My home is Tokyo.", "What a day.", "My home is Kyoto.", "私の趣味は釣りです。")


@dataclass(slots=True)
class Desk:
    """Asks for exports and imports, whose executions the test steps through."""

    stage: Stage
    machines: TransferMachines

    def request(self, user_id: str, kind: EventKind) -> tuple[Event, TransferRun]:
        stage = self.stage
        owner = Owner(TENANT, user_id)
        event = request_transfer(stage.deployment.ledger, owner, kind, stage._new_event_id(), stage.clock)
        self.machines.start(event)
        return event, self.machines.runs[event.id]

    def upload(self, event: Event, data: bytes) -> None:
        self.stage.deployment.transfer_files.write(upload_key(event.owner, event.id), [data])

    def export(self, user_id: str) -> bytes:
        event, run = self.request(user_id, EventKind.EXPORT)
        assert run.finish().status is ExecutionStatus.SUCCEEDED, run.cause
        return self.file(event)

    def file(self, event: Event) -> bytes:
        files, key = self.stage.deployment.transfer_files, export_key(event.owner, event.id)
        found = files.find(key)
        assert found is not None
        return b"".join(files.read(key, found.tag))

    def import_(self, user_id: str, data: bytes) -> tuple[Event, TransferRun]:
        event, run = self.request(user_id, EventKind.IMPORT)
        self.upload(event, data)
        return event, run

    def read(self, event: Event) -> EventAnswer:
        held = self.stage.deployment.ledger.get_event(TENANT, event.id)
        assert held is not None
        return describe_event(
            self.stage.deployment.ledger,
            held,
            self.stage.clock(),
            open_files=lambda: self.stage.deployment.transfer_files,
        )

    def holdings(self, user_id: str) -> tuple[int, int]:
        ledger, owner = self.stage.deployment.ledger, Owner(TENANT, user_id)
        return len([*ledger.iterate_memories(owner)]), len([*ledger.iterate_messages(owner)])

    def left_files(self, user_id: str) -> int:
        prefix = upload_key(Owner(TENANT, user_id), "any").rpartition("imports/")[0]
        return self.stage.deployment.transfer_files.count(prefix)


@pytest.fixture
def desk(stage: Stage) -> Desk:
    stage.tell("ana", *SENTENCES)
    return Desk(stage, TransferMachines(stage.machines.start))


class TestExport:
    def test_the_event_leads_to_the_file_for_a_while(self, desk: Desk) -> None:
        event, run = desk.request("ana", EventKind.EXPORT)
        assert desk.read(event).download_url is None
        run.finish()

        answer = desk.read(event)
        assert (answer.status, answer.stage) == (EventStatus.SUCCEEDED, "ExportUser")
        assert answer.counts == {"memories": 3, "messages": 4}
        assert answer.download_url is not None
        assert [line["type"] for line in lines_of(desk.file(event))] == ["header"] + ["memory"] * 3 + [
            "message"
        ] * 4
        desk.stage.clock.advance(FILES_KEPT)
        assert desk.read(event).download_url is None

    def test_links_are_made_anew_and_kept_nowhere(self, desk: Desk) -> None:
        event, run = desk.request("ana", EventKind.EXPORT)
        run.finish()
        held = desk.stage.deployment.ledger.get_event(TENANT, event.id)
        assert held is not None
        assert "http" not in held.model_dump_json()

    def test_what_is_deleted_does_not_live_on_in_a_file(self, desk: Desk) -> None:
        event, run = desk.request("ana", EventKind.EXPORT)
        run.finish()
        memory = next(iter(desk.stage.deployment.ledger.iterate_memories(event.owner)))
        delete_memory(desk.stage.deployment.memories, event.owner, memory.id)

        assert desk.left_files("ana") == 0
        assert desk.read(event).download_url is None
        assert memory.content.encode() not in desk.export("ana")

    @pytest.mark.parametrize("when", ["before the first line", "after the last"])
    def test_who_is_written_to_meanwhile_is_exported_once_more(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, when: str
    ) -> None:
        """Neither a file of two moments stays nor a word that was deleted."""
        event, run = desk.request("ana", EventKind.EXPORT)
        opened = desk.stage.deployment
        memory = next(iter(opened.ledger.iterate_memories(event.owner)))

        def delete() -> None:
            monkeypatch.undo()
            delete_memory(opened.memories, event.owner, memory.id)

        meddled = _Meddled(opened.transfer_files, delete, first=when == "before the first line")
        monkeypatch.setattr(opened, "transfers", replace(opened.transfers, files=meddled))
        run.finish()

        assert run.status is ExecutionStatus.SUCCEEDED
        assert memory.content.encode() not in desk.file(event)
        assert lines_of(desk.file(event))[0]["memories"] == 1

    def test_an_export_killed_halfway_begins_anew(self, desk: Desk) -> None:
        event, run = desk.request("ana", EventKind.EXPORT)
        desk.stage.kill_after("update_event", 2)
        run.finish()
        assert desk.read(event).status is EventStatus.SUCCEEDED
        assert lines_of(desk.file(event))[0]["memories"] == 3


class TestUpload:
    def test_the_machine_waits_for_the_file_longer_and_longer(self, desk: Desk) -> None:
        file = desk.export("ana")
        event, run = desk.request("ben", EventKind.IMPORT)
        while len(run.waited) < 8:
            run.step()
            desk.stage.clock.advance(timedelta(seconds=20))
        assert run.waited == [1, 2, 4, 8, 16, 30, 30, 30]
        assert max(run.waited) == LONGEST_WAIT_SECONDS
        held = desk.stage.deployment.ledger.get_event(TENANT, event.id)
        assert held is not None
        assert desk.stage.clock() - held.updated_at < timedelta(minutes=2)  # the sweep leaves it alone
        desk.upload(event, file)
        run.finish()

        assert desk.read(event).status is EventStatus.SUCCEEDED
        assert run.history[run.history.index("CheckUpload") :] == [
            "CheckUpload",
            "AcquireUserLease",
            "IsLeaseAcquired",
            "ImportUser",
            "IsLeaseAcquired",
            "ReleaseUserLease",
            "ImportSucceeded",
        ]
        assert desk.left_files("ben") == 0

    def test_a_file_that_never_comes_fails_the_import(self, desk: Desk) -> None:
        event, run = desk.request("ben", EventKind.IMPORT)
        run.until("WaitForUpload")
        desk.stage.clock.advance(UPLOAD_LINK_LIFETIME)
        run.finish()
        answer = desk.read(event)
        assert (run.error, answer.status) == ("NotFound", EventStatus.FAILED)
        assert answer.error is not None
        assert "within 60 minutes" in answer.error.detail

    def test_a_file_that_is_too_large_is_refused_and_removed(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("cognis_memory.services.transfer.uploads.MAX_UPLOAD_BYTES", 100)
        event, run = desk.import_("ben", desk.export("ana"))
        run.finish()
        assert (run.error, desk.read(event).status) == ("InputTooLarge", EventStatus.FAILED)
        assert desk.left_files("ben") == 0

    def test_bad_lines_are_named_and_nothing_is_written(self, desk: Desk) -> None:
        lines = desk.export("ana").splitlines()
        lines[2] = lines[2].replace(b'"version":2', b'"version":7')
        lines[5] = b'{"type": "message", "secret": "zanzibar"}'
        event, run = desk.import_("ben", b"\n".join(lines))
        run.finish()

        answer = desk.read(event)
        assert (run.error, answer.status) == ("InvalidInput", EventStatus.FAILED)
        assert {fault.line for fault in answer.errors} == {3, 6}
        assert answer.counts["faults"] == len(answer.errors)
        assert answer.counts["lines"] == 8
        assert answer.error is not None
        assert "nothing was imported" in answer.error.detail
        assert desk.holdings("ben") == (0, 0)
        assert (desk.left_files("ben"), "UndoImport" in run.history) == (0, True)
        assert "zanzibar" not in json.dumps(desk.stage.lines())

    def test_a_replay_within_the_hour_takes_another_file(self, desk: Desk) -> None:
        file = desk.export("ana")
        event, run = desk.import_("ben", b"{}")
        run.finish()
        assert desk.read(event).errors
        opened = desk.stage.deployment
        ports = ReplayPorts(opened.ledger, opened.payloads, desk.machines, desk.stage.clock)
        again = replay_event(ports, TENANT, event.id)
        desk.upload(event, file)
        desk.machines.runs[again.execution_name].finish()

        answer = desk.read(event)
        assert (answer.status, answer.errors) == (EventStatus.SUCCEEDED, [])
        assert answer.counts == {"memories": 3, "messages": 4}

    def test_a_file_that_is_replaced_after_its_check_is_not_imported(self, desk: Desk) -> None:
        file = desk.export("ana")
        event, run = desk.import_("ben", file)
        run.until("ImportUser")
        desk.upload(event, file.replace(b"Kyoto", b"Osaka"))
        run.finish()
        assert (run.error, desk.read(event).status) == ("InvalidInput", EventStatus.FAILED)
        assert desk.holdings("ben") == (0, 0)


class TestImport:
    @pytest.mark.parametrize(
        "step", ["commit", "renew_lease", "update_event", "acquire_lease", "clear_pending"]
    )
    @pytest.mark.parametrize("times", [1, 2])
    def test_one_killed_anywhere_goes_on(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, step: str, times: int
    ) -> None:
        file = desk.export("ana")
        monkeypatch.setattr(importing, "LINES_PER_RUN", 3)
        event, run = desk.import_("ben", file)
        desk.stage.kill_after(step, times)
        run.finish()

        assert run.status is ExecutionStatus.SUCCEEDED, run.cause
        assert desk.read(event).counts == {"memories": 3, "messages": 4}
        assert desk.export("ben") == file
        assert desk.stage.found("ben", "home")[0] == "The home is Kyoto"
        assert desk.stage.tell("ben", "My home is Nara.").status is EventStatus.SUCCEEDED

    def test_a_large_file_comes_in_several_runs(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(importing, "LINES_PER_RUN", 2)
        file = desk.export("ana")
        _, run = desk.import_("ben", file)
        run.finish()
        assert run.history.count("ImportUser") == 4
        assert run.history.count("AcquireUserLease") == 1
        assert desk.export("ben") == file

    def test_it_waits_while_another_holds_the_lease(self, desk: Desk) -> None:
        file = desk.export("ana")
        other = desk.stage.post("ben", "What a day.").until("ExtractMemories")
        _, run = desk.import_("ben", file)
        run.until("WaitForLease")
        other.finish()
        run.finish()
        assert run.status is ExecutionStatus.FAILED  # the other's message is there
        assert run.error == "InvalidInput"
        assert desk.holdings("ben") == (0, 1)

    def test_a_lease_that_was_taken_over_is_acquired_again(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(importing, "LINES_PER_RUN", 2)
        file = desk.export("ana")
        event, run = desk.import_("ben", file)
        run.until("ImportUser").step()
        desk.stage.clock.advance(timedelta(minutes=5))
        ledger = desk.stage.deployment.ledger
        lease = ledger.acquire_lease(
            event.owner, "another", now=desk.stage.clock(), duration=timedelta(minutes=2)
        )
        ledger.release_lease(lease)
        run.finish()
        assert run.status is ExecutionStatus.SUCCEEDED
        assert run.history.count("AcquireUserLease") == 2
        assert lines_of(desk.export("ben"))[1:] == lines_of(file)[1:]

    @pytest.mark.parametrize("killed", [None, 1, 2, 3, 4])
    def test_what_cannot_be_finished_is_taken_back(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, killed: int | None
    ) -> None:
        """The model refuses the text of the last line. Later the same ids come as if for the first time."""
        monkeypatch.setattr(importing, "LINES_PER_RUN", 3)
        monkeypatch.setattr(undoing, "_REMOVED_AT_ONCE", 2)
        file = desk.export("ana")
        *lines, last = lines_of(file)
        event, run = desk.import_("ben", file_of([*lines, {**last, "vector": None}]))
        embedder = desk.stage.embedder.model
        desk.stage.embedder.model = _Refusing(embedder)
        while run.history.count("ImportUser") < 2:
            run.step()
        assert desk.holdings("ben") == (3, 3)
        if killed is not None:
            desk.stage.kill_after("commit", killed)
        run.finish()
        desk.stage.embedder.model = embedder

        assert (run.error, desk.read(event).status) == ("EmbeddingFailed", EventStatus.FAILED)
        assert (desk.holdings("ben"), desk.read(event).counts) == ((0, 0), {})
        assert desk.stage.found("ben", "home") == []
        assert desk.left_files("ben") == 0

        again, second = desk.import_("ben", file)
        second.finish()
        assert desk.read(again).status is EventStatus.SUCCEEDED
        assert desk.stage.found("ben", "home")[0] == "The home is Kyoto"
        assert desk.export("ben") == file

    def test_an_erasure_stops_it_and_takes_everything(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(importing, "LINES_PER_RUN", 3)
        file = desk.export("ana")
        _, run = desk.import_("ben", file)
        run.until("ImportUser").step()
        erasure = desk.stage.request_erasure("ben")
        run.finish()
        assert run.error == "UserErased"
        erasure.finish()
        assert (desk.holdings("ben"), desk.left_files("ben")) == ((0, 0), 0)
        assert desk.stage.found("ben", "home") == []

    def test_nothing_is_asked_for_while_the_user_is_being_erased(self, desk: Desk) -> None:
        desk.stage.request_erasure("ben")
        for kind in (EventKind.EXPORT, EventKind.IMPORT):
            with pytest.raises(UserErased):
                desk.request("ben", kind)

    def test_an_unforeseen_end_is_recorded_and_can_be_redriven(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(importing, "LINES_PER_RUN", 3)
        file = desk.export("ana")
        event, run = desk.import_("ben", file)
        run.until("ImportUser").step()
        ledger = desk.stage.deployment.ledger
        broken = replace(desk.stage.deployment.transfers, ledger=_Down(ledger))
        with monkeypatch.context() as patched:
            patched.setattr(desk.stage.deployment, "transfers", broken)
            run.finish()
        assert run.error == "LedgerUnavailable"
        run.redrive().finish()
        assert desk.read(event).status is EventStatus.SUCCEEDED
        assert desk.export("ben") == file


@dataclass(slots=True)
class _Meddled:
    """A store of files in which something happens while the first of them is written."""

    files: TransferFiles
    happens: Callable[[], None]
    first: bool

    def __getattr__(self, name: str) -> object:
        return getattr(self.files, name)

    def write(self, key: str, chunks: Iterable[bytes]) -> None:
        if self.first:
            self.happens()
        self.files.write(key, chunks)
        if not self.first:
            self.happens()


@dataclass(slots=True)
class _Refusing:
    """A model that refuses every text."""

    model: Embedder

    @property
    def model_id(self) -> str:
        return self.model.model_id

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        raise EmbeddingFailed("the model refuses the input")


class _Down:
    """A ledger that takes no commit."""

    def __init__(self, ledger: object) -> None:
        self._ledger = ledger

    def __getattr__(self, name: str) -> object:
        return getattr(self._ledger, name)

    def commit(self, commit: object) -> None:
        raise LedgerUnavailable("TransactWriteItems: ThrottlingException")
