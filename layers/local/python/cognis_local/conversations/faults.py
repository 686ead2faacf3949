"""Turns what pydantic finds wrong in a file into one InvalidInput that a reader of the file understands."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.requests import fault_message

ModelT = TypeVar("ModelT", bound=BaseModel)

SHOWN_FAULTS = 3


def validated(model: type[ModelT], data: Any, *, name: str, at: str = "") -> ModelT:
    """`data` as `model`; InvalidInput names the file, and each field by its path from `at` on."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = [
            FieldError(_path(at, fault["loc"]), _advice(fault))
            for fault in error.errors(include_url=False, include_input=False)
        ]
    raise InvalidInput(f"{name}: {_summary(faults)}", faults)


def _path(at: str, location: tuple[int | str, ...]) -> str:
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return f"{at}{steps}".lstrip(".") or "the conversation"


def _advice(fault: ErrorDetails) -> str:
    if fault["type"] == "missing":
        return "is missing; add it"
    if fault["type"] == "extra_forbidden":
        return "is not part of the format; remove it or correct its name"
    return fault_message(fault)


def _summary(faults: list[FieldError]) -> str:
    shown = "; ".join(f"{fault.field}: {fault.message}" for fault in faults[:SHOWN_FAULTS])
    hidden = len(faults) - SHOWN_FAULTS
    return f"{shown}; and {hidden} more." if hidden > 0 else f"{shown}."
