"""What the stack writes down about itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cognis_local.stack.aws import EmulatedAccount
from cognis_local.stack.folder import Credentials, Run, StackFolder, read_record, write_record


def test_a_record_is_read_back_and_is_nobody_elses(tmp_path: Path) -> None:
    file = StackFolder(tmp_path / "stack").run_file
    run = Run("http://127.0.0.1:4566/api", "cgn_x", "http://127.0.0.1:4566", 42)
    write_record(file, run)
    assert read_record(file, Run) == run
    assert file.stat().st_mode & 0o777 == 0o600
    assert {"url", "api_key"} <= json.loads(file.read_text()).keys()
    assert [path.name for path in file.parent.iterdir()] == ["run.json"]


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"tenant_id": "t"}', '{"other": 1}'])
def test_a_record_that_cannot_be_read_is_none(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "credentials.json"
    if content is not None:
        file.write_text(content)
    assert read_record(file, Credentials) is None


def test_clients_are_made_whatever_the_users_own_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "not-there")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    client = EmulatedAccount("http://127.0.0.1:4566").s3()
    assert (client.meta.endpoint_url, client.meta.region_name) == ("http://127.0.0.1:4566", "us-east-1")
    client.close()
