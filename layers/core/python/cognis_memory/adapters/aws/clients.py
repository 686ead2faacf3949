"""Clients of boto3 that keep to the deadline of the invocation they work in."""

from __future__ import annotations

from typing import Any, Final, Literal

import boto3
from botocore.config import Config

from cognis_memory.deadline import fits
from cognis_memory.errors import DeadlineExceeded

Service = Literal[
    "bedrock-agent-runtime",
    "bedrock-runtime",
    "dynamodb",
    "s3",
    "sagemaker-runtime",
    "secretsmanager",
    "stepfunctions",
]


def aws_client(
    service: Service,
    *,
    connect_seconds: float,
    read_seconds: float,
    attempts: int,
    abandoned: bool = False,
    config: Config | None = None,
) -> Any:
    """A client with retries of botocore's `standard` mode, `attempts` in all, each within these seconds.

    An attempt, with the pause before it, begins only when it may take all of its time before the deadline: a
    request that has none left raises DeadlineExceeded, and a failed one its own error, in place of a
    repetition. With `abandoned` any time that is left suffices, since whoever asks goes on without an answer.
    `config` is merged over this.
    """
    retries: Any = {"mode": "standard", "total_max_attempts": attempts}
    settings = Config(connect_timeout=connect_seconds, read_timeout=read_seconds, retries=retries)
    client = boto3.client(service, config=settings if config is None else settings.merge(config))
    gate = _DeadlineGate(client, None if abandoned else connect_seconds + read_seconds)
    name = client.meta.service_model.service_id.hyphenize()
    client.meta.events.register(f"before-send.{name}", gate.before_send)
    client.meta.events.register_first(f"needs-retry.{name}", gate.needs_retry)
    return client


_FIRST_FAILURE: Final = 300
"""Of HTTP statuses, as botocore tells answers from errors."""


_LONGEST_PAUSE_SECONDS: Final = 20.0
"""Of botocore's mode `standard`, whose pauses double from a second on, each shortened at random."""


class _DeadlineGate:
    """Handlers of botocore's events, for attempts of this client that may take `seconds`; None: any."""

    def __init__(self, client: Any, seconds: float | None) -> None:
        self._client = client
        self._seconds = seconds

    def before_send(self, **_: object) -> None:
        if not fits(self._seconds or 0.0):
            raise DeadlineExceeded("the time of this invocation does not suffice for another request")

    def needs_retry(
        self, response: Any, operation: Any, attempts: int, caught_exception: Exception | None, **_: object
    ) -> None:
        """After a failed attempt: raises its error where there is no time for another.

        A handler cannot say no: of its answers, botocore before 1.43.50 takes False for a pause of 0 seconds.
        """
        pause = min(2.0 ** (attempts - 1), _LONGEST_PAUSE_SECONDS)
        if fits(0.0 if self._seconds is None else pause + self._seconds):
            return
        if caught_exception is not None:
            raise caught_exception
        if response is not None and response[0].status_code >= _FIRST_FAILURE:
            code = response[1].get("Error", {}).get("Code")
            raise self._client.exceptions.from_code(code)(response[1], operation.name)
