"""The state machines, the functions behind their states, and what looks after them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from cognis_cdk.constructs import erasure_machine
from cognis_cdk.constructs.erasure_machine import ErasureStates
from cognis_cdk.constructs.function import FunctionMaker
from cognis_cdk.constructs.ingestion_machine import COMMENT, IngestionStates
from cognis_cdk.constructs.machines import Machines
from cognis_cdk.constructs.resources import Resources
from cognis_cdk.constructs.states import state_machine
from cognis_cdk.constructs.transfer_machines import (
    EXPORT_COMMENT,
    IMPORT_COMMENT,
    ExportStates,
    ImportStates,
)
from cognis_cdk.functions import (
    ERASURE_STATES,
    INGESTION_STATES,
    RECORD_ENDED_EXECUTION,
    SWEEP,
    TRANSFER_STATES,
)

_INGESTION_TIMEOUT: Final = Duration.hours(12)
"""Long, as an execution may wait for others of its user; the sweep leaves alone what still runs."""
_ERASURE_TIMEOUT: Final = Duration.hours(6)
"""Some millions of items go in that time."""

_TRANSFER_TIMEOUT: Final = Duration.hours(12)
"""Of an import as of an ingestion; its file is kept longer than that."""

_DIED: Final = ["FAILED", "TIMED_OUT", "ABORTED"]


class IngestionStack(Stack):
    """Ingestion, erasure, exports and imports."""

    def __init__(
        self, scope: Construct, id_: str, *, resources: Resources, dependencies: Path, env: Environment
    ) -> None:
        super().__init__(scope, id_, env=env, description="Cognis: ingestion, erasure, transfers")
        self._config = resources.config
        self._functions = FunctionMaker(self, resources, dependencies)
        self._made = {spec: self._functions.make(spec) for spec in (*INGESTION_STATES, *TRANSFER_STATES)}
        self.machines = Machines(
            ingestion=self._ingestion(),
            erasure=self._erasure(),
            exports=self._exports(),
            imports=self._imports(),
        )
        self._record_ended_executions()
        self._sweep()
        CfnOutput(self, "IngestionMachineArn", value=self.machines.ingestion.state_machine_arn)
        CfnOutput(self, "ErasureMachineArn", value=self.machines.erasure.state_machine_arn)
        CfnOutput(self, "ExportMachineArn", value=self.machines.exports.state_machine_arn)
        CfnOutput(self, "ImportMachineArn", value=self.machines.imports.state_machine_arn)

    def _ingestion(self) -> sfn.StateMachine:
        states = IngestionStates(Construct(self, "IngestionStates"), self._made)
        return state_machine(
            self, "Ingestion", self._config, start=states.start, comment=COMMENT, timeout=_INGESTION_TIMEOUT
        )

    def _erasure(self) -> sfn.StateMachine:
        functions = {spec: self._functions.make(spec) for spec in ERASURE_STATES}
        states = ErasureStates(Construct(self, "ErasureStates"), functions)
        return state_machine(
            self,
            "Erasure",
            self._config,
            start=states.start,
            comment=erasure_machine.COMMENT,
            timeout=_ERASURE_TIMEOUT,
        )

    def _exports(self) -> sfn.StateMachine:
        states = ExportStates(Construct(self, "ExportStates"), self._made)
        return state_machine(
            self,
            "Export",
            self._config,
            start=states.start,
            comment=EXPORT_COMMENT,
            timeout=_TRANSFER_TIMEOUT,
        )

    def _imports(self) -> sfn.StateMachine:
        states = ImportStates(Construct(self, "ImportStates"), self._made)
        return state_machine(
            self,
            "Import",
            self._config,
            start=states.start,
            comment=IMPORT_COMMENT,
            timeout=_TRANSFER_TIMEOUT,
        )

    def _record_ended_executions(self) -> None:
        """Tells the function of every execution that died.

        No queue keeps what could not be delivered: EventBridge and Lambda repeat for hours, and the sweep
        finds the events of dead executions by itself.
        """
        recorder = self._functions.make(RECORD_ENDED_EXECUTION)
        rule = events.Rule(
            self,
            "ExecutionEnded",
            description=RECORD_ENDED_EXECUTION.description,
            event_pattern=events.EventPattern(
                source=["aws.states"],
                detail_type=["Step Functions Execution Status Change"],
                detail={
                    "status": _DIED,
                    "stateMachineArn": [machine.state_machine_arn for machine in self.machines.all],
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
