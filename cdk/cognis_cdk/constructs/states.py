"""What the states of both machines share: tasks that are repeated when a repeat may help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from aws_cdk import Duration, Stack
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from constructs import Construct

from cognis_cdk.config import StageConfig
from cognis_cdk.constructs.logs import log_group
from cognis_memory.errors import RETRYABLE_ERRORS

INFRASTRUCTURE_ERRORS: Final = (
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
    "Lambda.Unknown",
    "Runtime.ExitError",
    "Sandbox.Timedout",
    "States.Timeout",
)
"""Lambda and Step Functions have these names for a function that was lost, throttled or too slow."""

_ATTEMPTS: Final = 6
_FIRST_DELAY_SECONDS: Final = 1
_LONGEST_DELAY_SECONDS: Final = 60
_GRACE_SECONDS: Final = 30
"""A state waits this much longer than its function may run, so that Lambda says first what happened."""


def task(
    scope: Construct,
    name: str,
    function: lambda_.Function,
    *,
    comment: str,
    repeated_on: Sequence[str] = (),
    payload: sfn.TaskInput | None = None,
    result_path: str | None = None,
) -> tasks.LambdaInvoke:
    """A state that calls the function with its input and passes on what it answers.

    It is repeated on errors of `RETRYABLE_ERRORS` and of the infrastructure and on `repeated_on`, each time
    after up to twice as long.
    """
    timeout = function.timeout or Duration.minutes(15)
    state = tasks.LambdaInvoke(
        scope,
        name,
        lambda_function=function,
        payload_response_only=True,
        payload=payload,
        result_path=result_path,
        retry_on_service_exceptions=False,
        task_timeout=sfn.Timeout.duration(timeout.plus(Duration.seconds(_GRACE_SECONDS))),
        comment=comment,
    )
    state.add_retry(
        errors=[*RETRYABLE_ERRORS, *INFRASTRUCTURE_ERRORS, *repeated_on],
        interval=Duration.seconds(_FIRST_DELAY_SECONDS),
        backoff_rate=2,
        max_delay=Duration.seconds(_LONGEST_DELAY_SECONDS),
        max_attempts=_ATTEMPTS,
        jitter_strategy=sfn.JitterType.FULL,
    )
    return state


def state_machine(
    stack: Stack, id_: str, config: StageConfig, *, start: sfn.IChainable, comment: str, timeout: Duration
) -> sfn.StateMachine:
    """A machine of type Standard named `<prefix>-<id in lower case>`.

    Everything an execution does is logged, its data too: states hand on ids and keys alone, and an error of
    an unforeseen kind bears no message of its own.
    """
    return sfn.StateMachine(
        stack,
        id_,
        state_machine_name=f"{config.prefix}-{id_.lower()}",
        state_machine_type=sfn.StateMachineType.STANDARD,
        definition_body=sfn.DefinitionBody.from_chainable(start),
        comment=comment,
        timeout=timeout,
        tracing_enabled=config.tracing,
        logs=sfn.LogOptions(
            destination=log_group(stack, f"{id_}Logs", config),
            level=sfn.LogLevel.ALL,
            include_execution_data=True,
        ),
    )
