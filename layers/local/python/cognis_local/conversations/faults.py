"""Turns what pydantic finds wrong in a file into one InvalidInput that a reader of the file understands."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from cognis_memory.errors import FieldError, InvalidInput

ModelT = TypeVar("ModelT", bound=BaseModel)

SHOWN_FAULTS = 3


def validated(model: type[ModelT], data: Any, *, name: str, at: str = "") -> ModelT:
    """`data` as `model`; InvalidInput names the file, and each field by its path from `at` on."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = [
            FieldError(_path(at, fault["loc"]), _advice(fault["type"], fault["msg"]))
            for fault in error.errors(include_url=False, include_input=False)
        ]
    raise InvalidInput(f"{name}: {_summary(faults)}", faults)


def _path(at: str, location: tuple[int | str, ...]) -> str:
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return f"{at}{steps}".lstrip(".") or "the conversation"


def _advice(kind: str, message: str) -> str:
    if kind == "missing":
        return "is missing; add it"
    if kind == "extra_forbidden":
        return "is not part of the format; remove it or correct its name"
    return message.removeprefix("Value error, ")


def _summary(faults: list[FieldError]) -> str:
    shown = "; ".join(f"{fault.field}: {fault.message}" for fault in faults[:SHOWN_FAULTS])
    hidden = len(faults) - SHOWN_FAULTS
    return f"{shown}; and {hidden} more." if hidden > 0 else f"{shown}."
