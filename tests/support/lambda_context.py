"""What Lambda hands a function beside its event."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

API_SECONDS = 29.0
AUTHORIZER_SECONDS = 5.0
STATE_SECONDS = 300.0
"""What the functions behind API Gateway have, and those of states."""


@dataclass(frozen=True, slots=True)
class InvocationContext:
    """Of an invocation that may take `seconds` from now."""

    function_name: str = "api"
    aws_request_id: str = "r1"
    seconds: float = API_SECONDS
    began: float = field(default_factory=time.monotonic)

    def get_remaining_time_in_millis(self) -> int:
        return max(0, round((self.began + self.seconds - time.monotonic()) * 1_000))
