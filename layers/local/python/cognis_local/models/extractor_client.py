"""The `Extractor` port over the model process, for processes that must stay small."""

from __future__ import annotations

from pydantic import ValidationError

from cognis_local.models.extraction_wire import decode_extraction, encode_request
from cognis_local.models.identity import EXTRACTION_CHUNK_MESSAGES
from cognis_memory.adapters.model_server import Refused, Transport, Unavailable
from cognis_memory.errors import ExtractionFailed, ExtractionUnavailable
from cognis_memory.models.extraction import Extraction, ExtractionRequest


class ExtractorClient:
    """Sends each request to `POST /extract`."""

    chunk_messages = EXTRACTION_CHUNK_MESSAGES

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def extract(self, request: ExtractionRequest) -> Extraction:
        """As `ports.Extractor.extract`: what the server refuses or answers in another form is a failure."""
        try:
            body = encode_request(request)
        except ValueError:
            raise ExtractionFailed("the request holds text that UTF-8 cannot carry") from None
        try:
            return decode_extraction(self._transport.post("/extract", body))
        except Unavailable as error:
            raise ExtractionUnavailable(str(error)) from error
        except Refused as error:
            raise ExtractionFailed(str(error)) from error
        except ValidationError as error:
            faults = error.error_count()
            raise ExtractionFailed(f"the answer is no extraction: {faults} faults in its JSON") from None
