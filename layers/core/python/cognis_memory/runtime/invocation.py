"""What Lambda gives a function for one invocation."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

from cognis_memory.deadline import within

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

RESERVE_SECONDS: Final = 1.0
"""For the answer, its log lines and metrics, once nothing more is waited for."""


def in_time(context: LambdaContext | None) -> AbstractContextManager[None]:
    """The work inside has what is left of this invocation, less a reserve; without one, any time."""
    if context is None:
        return within(None)
    return within(max(0.0, context.get_remaining_time_in_millis() / 1_000 - RESERVE_SECONDS))
