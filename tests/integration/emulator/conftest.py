"""An emulator in a process of its own, with the patches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from emulated import Emulated, free_port

from cognis_local.stack.aws import EmulatedAccount
from cognis_local.stack.emulator.process import running_emulator
from cognis_local.stack.folder import StackFolder


@pytest.fixture(scope="package")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulated]:
    """Started from an environment with settings of a user in it."""
    folder = StackFolder(tmp_path_factory.mktemp("emulated"))
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("AWS_PROFILE", "users-own")
            environment.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
            environment.setenv("USERS_SECRET", "secret")
            emulator = stack.enter_context(running_emulator(folder, free_port()))
        yield Emulated(EmulatedAccount(emulator.endpoint))
