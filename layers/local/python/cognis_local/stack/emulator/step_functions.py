"""How executions name the failures of functions, and survive the emulator's end."""

from __future__ import annotations

import contextvars
import json
import threading
from typing import Any, Final

from cognis_local.stack.emulator.patching import Function, module, wrap

_INTERRUPTED: Final = "States.ServiceRestart"
"""What MiniStack calls the failure of an execution that its own end interrupted."""


def patch() -> InterruptedExecutions:
    """Returns the executions to go on with once the emulator serves."""
    service = module("services.stepfunctions")
    interrupted = InterruptedExecutions(service)
    wrap(service, "_call_lambda", lambda call: _naming_throttles(call, service))
    wrap(service, "_restore_state", interrupted.restored_by)
    return interrupted


def _naming_throttles(call: Function, service: Any) -> Function:
    """A throttled function is `Lambda.TooManyRequestsException`; to MiniStack it is `Lambda.Unknown`."""

    def called(reference: Any, event: Any) -> Any:
        try:
            return call(reference, event)
        except service._ExecutionError as error:
            if error.error == "Lambda.Unknown" and "TooManyRequestsException" in error.cause:
                message = json.loads(error.cause).get("message", "")
                raise service._ExecutionError("Lambda.TooManyRequestsException", message) from None
            raise

    return called


class InterruptedExecutions:
    """AWS never loses a running execution; MiniStack marks it failed when it restarts. Here it runs again
    from its first state, under its own name: each state of the application can run twice."""

    def __init__(self, service: Any) -> None:
        self._service = service
        self._executions = list[tuple[str, str, str]]()

    def restored_by(self, restore: Function) -> Function:
        def restored(data: Any) -> None:
            restore(data)
            for (account, region, arn), execution in self._service._executions._data.items():
                if execution.get("error") == _INTERRUPTED:
                    execution.update(status="RUNNING", stopDate=None, error=None, cause=None)
                    self._executions.append((account, region, arn))

        return restored

    def resume(self) -> int:
        """Runs each of them; returns how many there are. To be called when the emulator answers."""
        for account, region, arn in self._executions:
            context = contextvars.copy_context()
            context.run(_as_account, account, region)
            run = (self._service._run_execution, arn)
            threading.Thread(target=context.run, args=run, daemon=True).start()
        return len(self._executions)


def _as_account(account: str, region: str) -> None:
    responses = module("core.responses")
    responses.set_request_account_id(account)
    responses.set_request_region(region)
