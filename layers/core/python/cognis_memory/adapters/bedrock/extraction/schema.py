"""The form of a model's answer: as pydantic reads it, and as JSON Schema for the model.

The schema keeps to what structured outputs of Bedrock take: every property required, no others, no bounds on
numbers and lengths (User Guide, "Get validated JSON results from models"). `answer` checks the rest.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from cognis_memory.domain.categories import parse_category
from cognis_memory.models.values import Category, Operation

MAX_FACT_CHARACTERS: Final = 2_000
_MAX_NAME_CHARACTERS: Final = 100


def _category(value: object) -> object:
    """Models without structured outputs name categories in words of their own."""
    return parse_category(value) or value if isinstance(value, str) else value


_Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=_MAX_NAME_CHARACTERS)]


class AnsweredFact(BaseModel):
    """One fact as a model writes it; `message` and `label` are numbers of the prompt, times are local."""

    model_config = ConfigDict(frozen=True)

    operation: Operation
    label: int | None
    message: int
    content: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_FACT_CHARACTERS)
    ]
    category: Annotated[Category, BeforeValidator(_category)]
    subject: _Name = ""
    slot: _Name | None = None
    from_: str | None = Field(default=None, alias="from")
    to: str | None = None
    lapses: bool = False
    retracts: bool = False


class Answer(BaseModel):
    """All facts of one call."""

    model_config = ConfigDict(frozen=True)

    facts: list[AnsweredFact]


def _nullable(type_: str) -> dict[str, Any]:
    return {"anyOf": [{"type": type_}, {"type": "null"}]}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def answer_schema() -> dict[str, Any]:
    """The JSON Schema of an `Answer`."""
    fact = _object(
        {
            "operation": {"type": "string", "enum": [operation.value for operation in Operation]},
            "label": _nullable("integer"),
            "message": {"type": "integer"},
            "content": {"type": "string"},
            "category": {"type": "string", "enum": [category.value for category in Category]},
            "subject": {"type": "string"},
            "slot": _nullable("string"),
            "from": _nullable("string"),
            "to": _nullable("string"),
            "lapses": {"type": "boolean"},
            "retracts": {"type": "boolean"},
        }
    )
    return _object({"facts": {"type": "array", "items": fact}})
