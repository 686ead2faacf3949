"""Faults beneath the payload stores become errors of ours."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, IncompleteReadError, ReadTimeoutError

from cognis_memory.adapters.files import FolderPayloadStore
from cognis_memory.adapters.s3 import S3PayloadStore
from cognis_memory.errors import CognisError, PayloadUnavailable, PermanentError


class BrokenBody(io.BytesIO):
    def read(self, *_: Any) -> bytes:
        raise IncompleteReadError(actual_bytes=1, expected_bytes=2)


class Bucket:
    """An S3 client whose calls all end the same way; listing finds one key."""

    def __init__(self, outcome: Exception | dict[str, Any]) -> None:
        self._outcome = outcome

    def __getattr__(self, _: str) -> Any:
        def call(**__: Any) -> Any:
            if isinstance(self._outcome, Exception):
                raise self._outcome
            return self._outcome

        return call

    def get_paginator(self, _: str) -> Any:
        return self

    def paginate(self, **_: Any) -> Any:
        return [{"Contents": [{"Key": "key"}]}]


def store(outcome: Exception | dict[str, Any]) -> S3PayloadStore:
    client: Any = Bucket(outcome)
    return S3PayloadStore("payloads", client)


def refused(code: str, status: int) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": "of a user"},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return ClientError(response, "AnyOperation")


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (refused("SlowDown", 503), PayloadUnavailable),
        (refused("InternalError", 500), PayloadUnavailable),
        (ReadTimeoutError(endpoint_url="https://s3"), PayloadUnavailable),
        (refused("NoSuchBucket", 404), PermanentError),
        (refused("AccessDenied", 403), PermanentError),
    ],
)
def test_faults_of_s3(fault: Exception, error: type[CognisError]) -> None:
    for call in (
        lambda: store(fault).put("key", b"data"),
        lambda: store(fault).get("key"),
        lambda: store(fault).delete("key"),
    ):
        with pytest.raises(error) as raised:
            call()
        assert type(raised.value) is error
        assert "of a user" not in str(raised.value)


def test_a_body_that_breaks_off_may_come_whole_next_time() -> None:
    with pytest.raises(PayloadUnavailable):
        store({"Body": BrokenBody()}).get("key")


@pytest.mark.parametrize(
    ("code", "error"), [("InternalError", PayloadUnavailable), ("AccessDenied", PermanentError)]
)
def test_a_delete_that_leaves_something_says_so(code: str, error: type[CognisError]) -> None:
    with pytest.raises(error) as raised:
        store({"Errors": [{"Key": "key", "Code": code}]}).delete("key")
    assert type(raised.value) is error


def test_a_root_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "root").write_text("not a folder")
    with pytest.raises(PermanentError):
        FolderPayloadStore(tmp_path / "root").put("key", b"data")


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_only_its_owner_may_read_a_payload(tmp_path: Path) -> None:
    FolderPayloadStore(tmp_path / "root").put("acme/evt_1/request", b"data")
    (file,) = (path for path in (tmp_path / "root").rglob("*") if path.is_file())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
