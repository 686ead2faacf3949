"""What a field of a request may hold. Texts that UTF-8 cannot carry are refused by every one of them."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from cognis_memory.models.values import RFC3339, Metadata, MetadataValue, UtcTime

MAX_CONTENT_CHARACTERS: Final = 100_000
MAX_METADATA_BYTES: Final = 4_096
MAX_QUERY_CHARACTERS: Final = 10_000
MAX_IDEMPOTENCY_KEY_CHARACTERS: Final = 255
MAX_CURSOR_CHARACTERS: Final = 512
MAX_PAGE: Final = 100

UNPAIRED_SURROGATES: Final = "contains unpaired surrogates; send valid Unicode text"

_NOT_BLANK: Final = r"\S"

# Times that are read in the zone of their user keep a day from the ends of the calendar, in every zone.
_FIRST_TIME: Final = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
_LAST_TIME: Final = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError("is not a known time zone; use an IANA name such as Asia/Tokyo") from None
    return name


def _rfc3339(value: Any) -> Any:
    """Numbers and dates are not times in this API, though pydantic would read them as such."""
    if isinstance(value, int | float) or (isinstance(value, str) and not RFC3339.fullmatch(value)):
        raise ValueError("must be an RFC 3339 time such as 2026-07-08T11:00:00Z")
    return value


def _in_every_zone(moment: datetime) -> datetime:
    if not _FIRST_TIME <= moment <= _LAST_TIME:
        raise ValueError("must be between 0001-01-02 and 9999-12-30")
    return moment


def _metadata_value(value: Any, read: ValidatorFunctionWrapHandler) -> MetadataValue:
    """One fault for a value, in place of one for every type that it is not."""
    try:
        checked: MetadataValue = read(value)
    except ValidationError:
        raise ValueError("must be a text, a number, a boolean or a list of these") from None
    if not all(map(countable, checked if isinstance(checked, list) else [checked])):
        raise ValueError("must be a finite number within 64 bits")
    return checked


def countable(value: object) -> bool:
    """Whether filters can compare the value: they know numbers of 64 bits."""
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or fits_64_bits(value)


def fits_64_bits(number: int) -> bool:
    return -(2**63) <= number < 2**63


def _bounded_metadata(metadata: Metadata) -> Metadata:
    if "" in metadata:
        raise ValueError("has a key without a character, which no filter could name")
    try:
        size = len(json.dumps(metadata, ensure_ascii=False).encode())
    except UnicodeEncodeError:
        raise ValueError(UNPAIRED_SURROGATES) from None
    if size > MAX_METADATA_BYTES:
        raise ValueError(f"has {size} bytes as JSON; the limit is {MAX_METADATA_BYTES}")
    return metadata


Identifier = Annotated[str, StringConstraints(min_length=1, max_length=256, pattern=_NOT_BLANK)]
Content = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_CONTENT_CHARACTERS, pattern=_NOT_BLANK)
]
QueryText = Annotated[str, StringConstraints(max_length=MAX_QUERY_CHARACTERS, pattern=_NOT_BLANK)]
IdempotencyKey = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_IDEMPOTENCY_KEY_CHARACTERS, pattern=_NOT_BLANK)
]
PageSize = Annotated[int, Field(ge=1, le=MAX_PAGE, strict=True)]
Cursor = Annotated[str, StringConstraints(max_length=MAX_CURSOR_CHARACTERS)]
TimeZone = Annotated[str, AfterValidator(_known_zone)]
Expiry = Annotated[UtcTime, BeforeValidator(_rfc3339)]
RequestTime = Annotated[Expiry, AfterValidator(_in_every_zone)]
RequestMetadata = Annotated[
    dict[str, Annotated[MetadataValue, WrapValidator(_metadata_value)]], AfterValidator(_bounded_metadata)
]
