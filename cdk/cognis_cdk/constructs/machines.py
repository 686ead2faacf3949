"""The state machines, for those who start executions or ask after them."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import aws_iam as iam
from aws_cdk import aws_stepfunctions as sfn

from cognis_cdk.functions import Use


@dataclass(frozen=True, slots=True)
class Machines:
    """One for each kind of event."""

    ingestion: sfn.IStateMachine
    erasure: sfn.IStateMachine
    exports: sfn.IStateMachine
    imports: sfn.IStateMachine

    @property
    def all(self) -> tuple[sfn.IStateMachine, ...]:
        return (self.ingestion, self.erasure, self.exports, self.imports)

    def environment(self) -> dict[str, str]:
        """The variables that name them, see `cognis_memory.runtime.settings`."""
        return {
            "COGNIS_INGESTION_MACHINE_ARN": self.ingestion.state_machine_arn,
            "COGNIS_ERASURE_MACHINE_ARN": self.erasure.state_machine_arn,
            "COGNIS_EXPORT_MACHINE_ARN": self.exports.state_machine_arn,
            "COGNIS_IMPORT_MACHINE_ARN": self.imports.state_machine_arn,
        }

    def grant(self, role: iam.IRole, uses: frozenset[Use]) -> None:
        """Allows what the uses say of executions, and nothing else of them."""
        for machine in self.all:
            if Use.START_EXECUTIONS in uses:
                machine.grant_start_execution(role)
            if Use.DESCRIBE_EXECUTIONS in uses:
                machine.grant_execution(role, "states:DescribeExecution")
