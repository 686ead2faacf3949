"""The JSON of `POST /extract`: `cognis_memory.models.extraction`, field by field, times as RFC 3339."""

from __future__ import annotations

from dataclasses import fields

from pydantic import TypeAdapter

from cognis_memory.models.extraction import Extraction, ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message

_REQUEST = TypeAdapter(ExtractionRequest)
_EXTRACTION = TypeAdapter(Extraction)

REQUEST_FIELDS = frozenset(Message.model_fields).union(
    field.name for model in (ExtractionRequest, LabelledMemory) for field in fields(model)
)
"""Every name that a request's JSON may hold, apart from the keys of metadata."""


def encode_request(request: ExtractionRequest) -> bytes:
    """Raises ValueError for text that UTF-8 cannot carry."""
    return _REQUEST.dump_json(request)


def decode_request(body: bytes) -> ExtractionRequest:
    """Takes neither other types nor unknown fields. Raises pydantic's ValidationError."""
    return _REQUEST.validate_json(body, strict=True)


def encode_extraction(extraction: Extraction) -> bytes:
    """The answer, which `decode_extraction` reads back the same."""
    return _EXTRACTION.dump_json(extraction)


def decode_extraction(answer: bytes) -> Extraction:
    """Takes neither other types nor unknown fields. Raises pydantic's ValidationError."""
    return _EXTRACTION.validate_json(answer, strict=True)
