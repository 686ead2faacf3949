"""The JSON of Text Embeddings Inference's routes `/embed`, `/rerank` and `/info`, and of its errors.

Field names, defaults, error types and statuses are those of its router (version 1.9); a field that no local
model can serve (token ids, prompts, truncation from the left) is refused rather than ignored.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

_FAULTS_TOLD = 10


class ErrorType(StrEnum):
    """Why a request was not served, with the status that goes with it."""

    UNHEALTHY = "Unhealthy"
    BACKEND = "Backend"
    OVERLOADED = "Overloaded"
    VALIDATION = "Validation"
    EMPTY = "Empty"


STATUS = {
    ErrorType.UNHEALTHY: 503,
    ErrorType.BACKEND: 424,
    ErrorType.OVERLOADED: 429,
    ErrorType.VALIDATION: 422,
    ErrorType.EMPTY: 400,
}


class RequestRefused(Exception):
    """Ends a request with an error answer; the message holds nothing of the request's texts."""

    def __init__(self, error_type: ErrorType, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.error_type = error_type
        self.status = STATUS[error_type] if status is None else status

    def body(self) -> bytes:
        return json.dumps({"error": str(self), "error_type": self.error_type}).encode()


class _Request(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    truncate: bool | None = None
    truncation_direction: Literal["right", "Right"] = "right"


class EmbedRequest(_Request):
    """`POST /embed`."""

    inputs: str | list[str]
    normalize: bool = True
    dimensions: int | None = Field(default=None, gt=0)
    prompt_name: None = None

    @property
    def texts(self) -> list[str]:
        return [self.inputs] if isinstance(self.inputs, str) else self.inputs


class RerankRequest(_Request):
    """`POST /rerank`."""

    query: str
    texts: list[str]
    raw_scores: bool = False
    return_text: bool = False


RequestT = TypeVar("RequestT", bound=_Request)


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """`GET /info`. TEI's fields, and below them who answers: the reranker beside the embedder that
    `model_id` names, and the process, so that its starter can tell it from another on the same port."""

    model_id: str
    max_concurrent_requests: int
    max_input_length: int
    max_client_batch_size: int
    version: str
    reranker_model_id: str
    instance: str
    model_dtype: str = "float32"
    auto_truncate: bool = True

    def body(self) -> bytes:
        return json.dumps(asdict(self)).encode()


def parse(model: type[RequestT], body: bytes) -> RequestT:
    """The request in `body`. Raises RequestRefused, naming the fields at fault and none of their values."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise refusal(error, model.model_fields) from None


def refusal(error: ValidationError, fields: Collection[str]) -> RequestRefused:
    """Names the first faults: each one's kind and where it is, as far as the path is made of `fields`.

    Other parts of a path, such as an unknown field or a key of metadata, are the caller's own words.
    """
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    told = []
    for fault in faults[:_FAULTS_TOLD]:
        path = takewhile(lambda part: isinstance(part, int) or part in fields, fault["loc"])
        told.append(f"{'.'.join(map(str, path)) or 'body'}: {fault['type']}")
    if len(faults) > len(told):
        told.append(f"and {len(faults) - len(told)} more")
    return RequestRefused(ErrorType.VALIDATION, "; ".join(told))


def embeddings_body(vectors: NDArray[np.float32], request: EmbedRequest) -> bytes:
    """The answer of `/embed`: unit vectors (n, d), cut to the dimensions asked for and normalised again.

    With `normalize` false a cut vector stays as short as the cut left it; whole ones have unit length anyway.
    """
    cut = vectors[:, : request.dimensions]
    if request.normalize:
        cut = cut / np.maximum(np.linalg.norm(cut, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return json.dumps(cut.astype(np.float64).round(8).tolist(), separators=(",", ":")).encode()


def ranks_body(logits: NDArray[np.float64], request: RerankRequest) -> bytes:
    """The answer of `/rerank`: best first; scores are probabilities unless raw ones are asked for."""
    scores = logits if request.raw_scores else 1 / (1 + np.exp(-logits))
    ranks: list[dict[str, object]] = []
    for index in np.argsort(-scores, kind="stable").tolist():
        rank: dict[str, object] = {"index": index, "score": float(scores[index])}
        if request.return_text:
            rank["text"] = request.texts[index]
        ranks.append(rank)
    return json.dumps(ranks, ensure_ascii=False).encode()
