"""How documents, times and vectors are written in every ledger."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError

from cognis_memory.errors import CorruptData
from cognis_memory.models.spending import USD_STEP
from cognis_memory.models.values import FloatVector

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FLOAT32 = np.dtype("<f4")

_Model = TypeVar("_Model", bound=BaseModel)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC: exact, and in the order of time as a number."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    return _EPOCH + micros * _MICROSECOND


def to_nanos(usd: Decimal) -> int:
    """Billionths of a dollar, which every engine adds up exactly."""
    return int(usd / USD_STEP)


def from_nanos(nanos: int) -> Decimal:
    return nanos * USD_STEP


def read_document(model: type[_Model], document: str | bytes) -> _Model:
    """The model that `model_dump_json` wrote. Raises CorruptData."""
    try:
        return model.model_validate_json(document)
    except ValidationError:
        # Without its cause: pydantic's message quotes the input, which is a user's text.
        raise CorruptData(f"a stored {model.__name__.lower()} cannot be read") from None


def vector_to_bytes(vector: FloatVector) -> bytes:
    """Little-endian float32.

    Half the precision would be enough for a search, but this is what every index is rebuilt from, also by
    engines yet to come: they round once, from the model's own numbers, and never a second time.
    """
    return np.ascontiguousarray(vector, dtype=_FLOAT32).tobytes()


def vector_from_bytes(data: bytes) -> FloatVector:
    """Read-only, shape (len(data) / 4,). Raises CorruptData."""
    if not data or len(data) % _FLOAT32.itemsize:
        raise CorruptData("a stored vector is not a row of float32")
    return np.frombuffer(data, dtype=_FLOAT32).astype(np.float32, copy=False)
