"""Notices when a stack that is up can no longer be kept up."""

from __future__ import annotations

import os
import signal
import time
from threading import Event, Thread
from typing import Final

import urllib3
from urllib3.exceptions import HTTPError

from cognis_local.models.process import ensure_model_process
from cognis_local.stack.emulator.process import Emulator
from cognis_local.stack.folder import StackFolder
from cognis_local.stack.search import SearchNode
from cognis_memory.errors import PermanentError

_WATCH_SECONDS: Final = 0.5
_KEEP_MODELS_SECONDS: Final = 300.0
"""Between the requests that keep the model process from ending for want of use, which it does after 900 s."""


class Watch:
    """Ends the process in order, as `make stop` does, when the stack can no longer be kept up."""

    def __init__(
        self, emulator: Emulator, node: SearchNode | None, folder: StackFolder, parent: int | None
    ) -> None:
        """`parent` is the process whose end is a reason, too."""
        self._emulator = emulator
        self._node = node
        self._folder = folder
        self._parent = parent
        self._models_kept = time.monotonic()
        self._stopped = Event()
        self.fault: str | None = None
        """What went wrong; None while nothing has."""

    def __enter__(self) -> Watch:
        Thread(target=self._run, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(_WATCH_SECONDS):
            self.fault = self._fault()
            if self.fault:
                os.kill(os.getpid(), signal.SIGTERM)
                return

    def _fault(self) -> str | None:
        if self._emulator.exit_code is not None:
            return f"The emulator has ended with code {self._emulator.exit_code}; see {self._emulator.log}."
        if self._parent is not None and os.getppid() != self._parent:
            return "The process that started the stack has ended."
        if time.monotonic() - self._models_kept > _KEEP_MODELS_SECONDS:
            return self._keep_models()
        return self._node.keep_up() if self._node else None

    def _keep_models(self) -> str | None:
        """Uses the model process once, or starts it anew where it has ended."""
        self._models_kept = time.monotonic()
        try:
            url = ensure_model_process(self._folder.models)
            with urllib3.PoolManager(retries=False) as pool:
                pool.request("POST", f"{url}/embed", json={"inputs": ["."]})
        except (PermanentError, HTTPError) as error:
            return f"The model process cannot be kept up: {error}"
        return None
