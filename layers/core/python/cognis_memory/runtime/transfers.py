"""The tasks of the state machines of exports and imports as Lambda handlers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from aws_lambda_powertools.utilities.typing import LambdaContext

from cognis_memory.models.event import Event, EventReference
from cognis_memory.runtime.invocation import in_time
from cognis_memory.runtime.log_lines import log_end
from cognis_memory.runtime.observability import observed
from cognis_memory.runtime.states import Handler, Json, logged
from cognis_memory.runtime.wiring import deployment
from cognis_memory.services.transfer.state import TransferPorts

StateT = TypeVar("StateT", bound=EventReference)


def transfer_handler(
    name: str, model: type[StateT], stage: Callable[[TransferPorts, StateT], EventReference | Event]
) -> Handler:
    """The handler of one state, whose input is a `model`; it answers the next state's input.

    A stage that hands on nothing answers its event, of which only the ids go out.
    """

    def handle(event: Json, context: LambdaContext) -> Json:
        with in_time(context), observed(name):
            opened, state = deployment(), model.model_validate(event)
            with logged(name, state):
                after = stage(opened.transfers, state)
            held = opened.ledger.get_event(state.tenant_id, state.event_id)
            if held is not None and held.finished:
                log_end(opened, held)
            answer = after.reference if isinstance(after, Event) else after
            return answer.model_dump(mode="json", exclude_defaults=True)

    return handle
