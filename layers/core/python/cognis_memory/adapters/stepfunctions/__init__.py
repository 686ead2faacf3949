"""Executions of state machines in AWS Step Functions."""

from cognis_memory.adapters.stepfunctions.executions import StepFunctionsStarter

__all__ = ["StepFunctionsStarter"]
