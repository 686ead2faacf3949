"""The routes of Text Embeddings Inference, and `/extract`, as a WSGI application over the local models."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from cognis_local.models.errors import LocalModelsMissing
from cognis_local.models.extraction_wire import REQUEST_FIELDS, decode_request, encode_extraction
from cognis_local.models.wire import (
    EmbedRequest,
    ErrorType,
    RequestRefused,
    RerankRequest,
    ServerInfo,
    embeddings_body,
    parse,
    ranks_body,
    refusal,
)
from cognis_memory.ports import Extractor

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MAX_BODY_BYTES = 2_000_000
"""TEI's own limit of a request."""

MAX_EXTRACTION_BYTES = 10_000_000
"""Of `/extract`: above the longest message that the API takes, the two turns before it and ten memories as
long, 100,000 characters each, escaped."""

_log = logging.getLogger(__name__)


class TextModels(Protocol):
    """What the routes call; `engine.Engine` is the real one."""

    def count_tokens(self, text: str) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...

    def rerank(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]: ...


class Gate:
    """Admits so many requests at a time and knows how long none has come."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._lock = Lock()
        self._inside = 0
        self._last_use = clock()

    def __enter__(self) -> None:
        with self._lock:
            if self._inside >= self._limit:
                raise RequestRefused(ErrorType.OVERLOADED, "Model is overloaded")
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            self._last_use = self._clock()

    def idle_seconds(self) -> float:
        """Seconds since the last request ended, 0 while one is being served."""
        with self._lock:
            return 0.0 if self._inside else self._clock() - self._last_use


class ModelApp:
    """`POST /embed`, `POST /rerank`, `POST /extract`, `GET /info`, `GET /health`. Texts are never logged.

    Extractions have a gate of their own, so that many of them turn away no search.
    """

    def __init__(
        self, models: TextModels, extractor: Extractor, info: ServerInfo, gate: Gate, extraction_gate: Gate
    ) -> None:
        self._models = models
        self._extractor = extractor
        self._info = info
        self._gate = gate
        self._extraction_gate = extraction_gate
        self._routes: dict[str, tuple[str, Callable[[WSGIEnvironment], bytes]]] = {
            "/embed": ("POST", self._embed),
            "/rerank": ("POST", self._rerank),
            "/extract": ("POST", self._extract),
            "/info": ("GET", lambda _: info.body()),
            "/health": ("GET", lambda _: b""),
        }

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return _answer(start_response, 200, self._route(environ))
        except RequestRefused as refused:
            return self._refuse(environ, start_response, refused)
        except LocalModelsMissing as error:
            return self._refuse(environ, start_response, RequestRefused(ErrorType.BACKEND, str(error)))

    def _refuse(
        self, environ: WSGIEnvironment, start_response: StartResponse, refused: RequestRefused
    ) -> Iterable[bytes]:
        _log.warning("%s %s: %d %s", environ["REQUEST_METHOD"], environ["PATH_INFO"], refused.status, refused)
        return _answer(start_response, refused.status, refused.body())

    def _route(self, environ: WSGIEnvironment) -> bytes:
        route = self._routes.get(environ["PATH_INFO"])
        if route is None:
            raise RequestRefused(ErrorType.VALIDATION, "no such route", 404)
        method, handle = route
        if environ["REQUEST_METHOD"] != method:
            raise RequestRefused(ErrorType.VALIDATION, f"this route takes {method}", 405)
        return handle(environ)

    def _embed(self, environ: WSGIEnvironment) -> bytes:
        with self._gate:
            request = parse(EmbedRequest, _body(environ))
            _check_count("inputs", request.texts, self._info.max_client_batch_size)
            if not all(request.texts):
                raise RequestRefused(ErrorType.EMPTY, "`inputs` cannot be empty")
            self._check_lengths(request.texts, request.truncate)
            vectors = self._models.embed(request.texts)
            if request.dimensions is not None and request.dimensions > vectors.shape[1]:
                raise RequestRefused(ErrorType.VALIDATION, f"`dimensions` is {vectors.shape[1]} at most")
            _check_numbers(vectors)
            return embeddings_body(vectors, request)

    def _rerank(self, environ: WSGIEnvironment) -> bytes:
        with self._gate:
            request = parse(RerankRequest, _body(environ))
            _check_count("texts", request.texts, self._info.max_client_batch_size)
            self._check_lengths([request.query, *request.texts], request.truncate)
            logits = self._models.rerank(request.query, request.texts)
            _check_numbers(logits)
            return ranks_body(logits, request)

    def _extract(self, environ: WSGIEnvironment) -> bytes:
        with self._extraction_gate:
            try:
                request = decode_request(_body(environ, MAX_EXTRACTION_BYTES))
            except ValidationError as error:
                raise refusal(error, REQUEST_FIELDS) from None
            _check_count("messages", request.messages, self._extractor.chunk_messages)
            return encode_extraction(self._extractor.extract(request))

    def _check_lengths(self, texts: Sequence[str], truncate: bool | None) -> None:
        if self._info.auto_truncate if truncate is None else truncate:
            return
        limit = self._info.max_input_length
        for text in texts:
            length = self._models.count_tokens(text)
            if length > limit:
                message = f"`inputs` must have less than {limit} tokens. Given: {length}"
                raise RequestRefused(ErrorType.VALIDATION, message)


def _answer(start_response: StartResponse, status: int, body: bytes) -> Iterable[bytes]:
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    start_response(f"{status} {HTTPStatus(status).phrase}", headers)
    return [body]


def _body(environ: WSGIEnvironment, limit: int = MAX_BODY_BYTES) -> bytes:
    if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestRefused(ErrorType.VALIDATION, "the body must be application/json", 415)
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > limit:
        raise RequestRefused(ErrorType.VALIDATION, f"the body is {limit} bytes at most", 413)
    body: bytes = environ["wsgi.input"].read(length)
    return body


def _check_count(name: str, items: Sequence[object], limit: int) -> None:
    if not items:
        raise RequestRefused(ErrorType.EMPTY, f"`{name}` cannot be empty")
    if len(items) > limit:
        message = f"batch size {len(items)} > maximum allowed batch size {limit}"
        raise RequestRefused(ErrorType.VALIDATION, message)


def _check_numbers(values: NDArray[np.floating]) -> None:
    if not np.isfinite(values).all():
        raise RequestRefused(ErrorType.BACKEND, "the model answered something else than numbers")
