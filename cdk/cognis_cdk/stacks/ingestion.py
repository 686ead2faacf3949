"""The state machines, the functions behind their states, and what looks after them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from cognis_cdk.constructs.function import FunctionMaker
from cognis_cdk.constructs.ingestion_machine import COMMENT, IngestionStates
from cognis_cdk.constructs.machines import Machines
from cognis_cdk.constructs.resources import Resources
from cognis_cdk.constructs.states import state_machine, task
from cognis_cdk.functions import ERASE_USER, INGESTION_STATES, RECORD_ENDED_EXECUTION, SWEEP
from cognis_memory.errors import SUPERSEDED_ERRORS

_INGESTION_TIMEOUT: Final = Duration.hours(12)
"""Long, as an execution may wait for others of its user; the sweep leaves alone what still runs."""
_ERASURE_TIMEOUT: Final = Duration.hours(1)

_DIED: Final = ["FAILED", "TIMED_OUT", "ABORTED"]


class IngestionStack(Stack):
    """Ingestion and erasure."""

    def __init__(
        self, scope: Construct, id_: str, *, resources: Resources, dependencies: Path, env: Environment
    ) -> None:
        super().__init__(scope, id_, env=env, description="Cognis: ingestion and erasure")
        self._config = resources.config
        self._functions = FunctionMaker(self, resources, dependencies)
        self.machines = Machines(ingestion=self._ingestion(), erasure=self._erasure())
        self._record_ended_executions()
        self._sweep()
        CfnOutput(self, "IngestionMachineArn", value=self.machines.ingestion.state_machine_arn)
        CfnOutput(self, "ErasureMachineArn", value=self.machines.erasure.state_machine_arn)

    def _ingestion(self) -> sfn.StateMachine:
        functions = {spec: self._functions.make(spec) for spec in INGESTION_STATES}
        states = IngestionStates(Construct(self, "IngestionStates"), functions)
        return state_machine(
            self, "Ingestion", self._config, start=states.start, comment=COMMENT, timeout=_INGESTION_TIMEOUT
        )

    def _erasure(self) -> sfn.StateMachine:
        function, comment = self._functions.make(ERASE_USER), ERASE_USER.description
        states = Construct(self, "ErasureStates")
        erase = task(states, ERASE_USER.id, function, comment=comment, repeated_on=SUPERSEDED_ERRORS)
        erase.next(sfn.Succeed(states, "ErasureSucceeded", comment="The event counts what was removed"))
        return state_machine(
            self, "Erasure", self._config, start=erase, comment=comment, timeout=_ERASURE_TIMEOUT
        )

    def _record_ended_executions(self) -> None:
        """Tells the function of every execution that died.

        No queue keeps what could not be delivered: EventBridge and Lambda repeat for hours, and the sweep
        finds the events of dead executions by itself.
        """
        recorder = self._functions.make(RECORD_ENDED_EXECUTION)
        machines = [self.machines.ingestion, self.machines.erasure]
        rule = events.Rule(
            self,
            "ExecutionEnded",
            description=RECORD_ENDED_EXECUTION.description,
            event_pattern=events.EventPattern(
                source=["aws.states"],
                detail_type=["Step Functions Execution Status Change"],
                detail={
                    "status": _DIED,
                    "stateMachineArn": [machine.state_machine_arn for machine in machines],
                },
            ),
        )
        rule.add_target(targets.LambdaFunction(recorder))

    def _sweep(self) -> None:
        schedule = events.Rule(
            self,
            "SweepSchedule",
            description=SWEEP.description,
            schedule=events.Schedule.rate(Duration.minutes(self._config.sweep_minutes)),
        )
        # A sweep that failed is made up for by the next.
        target = targets.LambdaFunction(self._functions.make(SWEEP, self.machines), retry_attempts=0)
        schedule.add_target(target)
