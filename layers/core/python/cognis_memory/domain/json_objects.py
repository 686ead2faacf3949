"""JSON as callers may send it: stricter than RFC 8259, so that nothing in it means two things or none."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NoReturn, TypeAlias

from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.fields import fits_64_bits
from cognis_memory.models.requests import field_path

_INT64_DIGITS: Final = 20
"""A longer literal, its sign included, is beyond 64 bits."""

_TOO_LARGE: Final = 1 << 64

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

MAX_VALUES: Final = 50_000
"""Of one document, all levels together: several times what any request can use."""

MAX_FAULTS: Final = 50
"""Of one document; more help nobody."""

_Trail: TypeAlias = "tuple[_Trail, str | int] | None"
"""Where a value stands: the trail of what holds it, and its name or number there."""


def parse_object(text: str) -> dict[str, Any]:
    """The JSON object that the text is.

    Raises InvalidInput for what is not JSON, for another value than an object, for a name that comes twice,
    NaN and Infinity, numbers beyond 64 bits, texts that are not valid Unicode or hold U+0000, and for more
    than MAX_VALUES values.
    """
    try:
        document = json.loads(
            text,
            object_pairs_hook=_unambiguous,
            parse_int=lambda digits: int(digits) if len(digits) <= _INT64_DIGITS else _TOO_LARGE,
        )
    except json.JSONDecodeError as error:
        _refuse("the body is not valid JSON", "", f"{error.msg} at line {error.lineno}, column {error.colno}")
    except RecursionError:
        _refuse("the body is not valid JSON", "", "is nested too deeply")
    if not isinstance(document, dict):
        _refuse("the body must be a JSON object", "", "send an object such as {…}")
    faults = list(islice(_faults(document), MAX_FAULTS))
    if faults:
        raise InvalidInput(f"{faults[0].field}: {faults[0].message}", faults)
    return document


def unusable(text: str) -> str | None:
    """Why a text can be neither stored nor searched for; None for one that can."""
    if "\x00" in text:
        return "must not contain the character U+0000"
    if not text.isascii() and _SURROGATE.search(text):
        return "contains unpaired surrogates; send valid Unicode text"
    return None


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        _refuse("a name stands twice in one object", twice, "must not be given twice")
    return made


def _faults(document: dict[str, Any]) -> Iterator[FieldError]:
    """Every value and name that cannot be taken, wherever it stands; of too large a document only that."""
    waiting: list[tuple[Any, _Trail]] = [(document, None)]
    left = MAX_VALUES
    while waiting:
        value, trail = waiting.pop()
        left -= len(value) if isinstance(value, dict | list) else 0
        if left < 0:
            _refuse("the body holds too many values", _path(trail), f"{MAX_VALUES} values are the most")
        if (fault := _fault(value)) is not None:
            yield FieldError(_path(trail), fault)
        elif isinstance(value, dict):
            for name, part in value.items():
                if (misnamed := unusable(name)) is not None:
                    yield FieldError(_path((trail, name)), f"its name {misnamed}")
                waiting.append((part, (trail, name)))
        elif isinstance(value, list):
            waiting += [(part, (trail, index)) for index, part in enumerate(value)]


def _path(trail: _Trail) -> str:
    """`messages[0].content`; written for faults only, as a body may hold a million values."""
    parts: list[str | int] = []
    while trail is not None:
        trail, part = trail
        parts.append(part)
    return field_path(reversed(parts))


def _fault(value: Any) -> str | None:
    if isinstance(value, str):
        return unusable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "must be a finite number"
    if isinstance(value, int) and not fits_64_bits(value):
        return "must be an integer of at most 64 bits"
    return None


def _refuse(detail: str, field: str, message: str) -> NoReturn:
    raise InvalidInput(detail, [FieldError(field, message)])
