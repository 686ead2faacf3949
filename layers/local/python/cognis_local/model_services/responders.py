"""Services that behave: what `ModelServices` answers where nothing else is planned."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cognis_local.model_services.calls import Call
from cognis_local.model_services.prompt_reading import read_prompt
from cognis_local.model_services.replies import Reply, converse_reply, error_reply, json_reply
from cognis_local.model_services.server import Responder
from cognis_local.models.app import TextModels
from cognis_local.models.wire import (
    EmbedRequest,
    ErrorType,
    RequestRefused,
    RerankRequest,
    embeddings_body,
    parse,
    ranks_body,
)
from cognis_memory.errors import CognisError
from cognis_memory.models.extraction import ExtractedFact
from cognis_memory.ports import Extractor

TITAN_TOKENS: Final = 8_192
TITAN_CHARACTERS: Final = 50_000


def extracting(extractor: Extractor) -> Responder:
    """Converse by an extractor that is no language model, so many messages at a time as it takes.

    Where it fails, the service says that its model did.
    """

    def respond(call: Call) -> Reply:
        try:
            facts = list(_facts(call, extractor))
        except CognisError as error:
            return error_reply(424, "ModelErrorException", error.code)
        return converse_reply(call, json.dumps({"facts": facts}, ensure_ascii=False))

    return respond


def _facts(call: Call, extractor: Extractor) -> Iterator[dict[str, Any]]:
    request, numbers = read_prompt(call)
    size = extractor.chunk_messages
    for start in range(0, len(numbers), size):
        before = (*request.turns_before, *request.messages[:start])
        part = replace(request, messages=request.messages[start : start + size], turns_before=before)
        for fact in extractor.extract(part).facts:
            yield _answered(fact, numbers[start + fact.message_index])


def titan(models: TextModels) -> Responder:
    """InvokeModel of Titan Text Embeddings V2, with its limits: 1,024 components, the models' own first."""

    def respond(call: Call) -> Reply:
        text = call.json["inputText"]
        tokens = models.count_tokens(text)
        if len(text) > TITAN_CHARACTERS:
            found = f"expected maxLength: {TITAN_CHARACTERS}, actual: {len(text)}, please reformat your input"
            return error_reply(400, "ValidationException", f"Malformed input request: {found} and try again.")
        if tokens > TITAN_TOKENS:
            found = f"Max input tokens: {TITAN_TOKENS}, request input token count: {tokens}"
            return error_reply(400, "ValidationException", f"400 Bad Request: Too many input tokens. {found}")
        vector = _widened(models.embed([text])[0], call.json["dimensions"])
        return json_reply({"embedding": vector.tolist(), "inputTextTokenCount": tokens})

    return respond


def text_embeddings_inference(models: TextModels, *, batch_size: int = 32) -> Responder:
    """InvokeEndpoint of TEI: `/invocations` takes the bodies of `/embed` or of `/rerank`.

    What the model refuses comes as SageMaker's ModelError with the model's own status and message.
    """

    def respond(call: Call) -> Reply:
        try:
            return Reply(200, _served(call, models, batch_size), {"Content-Type": "application/json"})
        except RequestRefused as refused:
            return error_reply(
                424,
                "ModelError",
                f"Received client error ({refused.status}) from primary",
                OriginalStatusCode=refused.status,
                OriginalMessage=refused.body().decode(),
            )

    return respond


def reranking(models: TextModels) -> Responder:
    """Bedrock's Rerank: best first, scores 0 to 1."""

    def respond(call: Call) -> Reply:
        query = call.json["queries"][0]["textQuery"]["text"]
        texts = [source["inlineDocumentSource"]["textDocument"]["text"] for source in call.json["sources"]]
        scores = _sigmoid(models.rerank(query, texts))
        ranked = [{"index": int(i), "relevanceScore": float(scores[i])} for i in np.argsort(-scores)]
        return json_reply({"results": ranked})

    return respond


def _served(call: Call, models: TextModels, batch_size: int) -> bytes:
    if "query" in call.json:
        ranked = parse(RerankRequest, call.body)
        _check(ranked.texts, batch_size)
        return ranks_body(models.rerank(ranked.query, ranked.texts), ranked)
    embedded = parse(EmbedRequest, call.body)
    _check(embedded.texts, batch_size)
    return embeddings_body(models.embed(embedded.texts), embedded)


def _check(texts: Sequence[str], batch_size: int) -> None:
    if not all(texts):
        raise RequestRefused(ErrorType.EMPTY, "`inputs` cannot be empty")
    if len(texts) > batch_size:
        message = f"batch size {len(texts)} > maximum allowed batch size {batch_size}"
        raise RequestRefused(ErrorType.VALIDATION, message)


def _widened(vector: NDArray[np.float32], components: int) -> NDArray[np.float32]:
    """The vector with zeros behind it: any prefix that holds the whole vector has its direction."""
    return np.concatenate([vector, np.zeros(max(0, components - len(vector)), dtype=np.float32)])[:components]


def _sigmoid(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float64)


def _answered(fact: ExtractedFact, number: int) -> dict[str, Any]:
    first, last = _days(fact.event_time, fact.event_end)
    return {
        "operation": fact.operation.value,
        "label": fact.label,
        "message": number,
        "content": fact.content,
        "category": fact.category.value,
        "subject": fact.subject,
        "slot": fact.slot,
        "from": first,
        "to": last,
        "lapses": fact.lapses,
        "retracts": fact.retracts,
    }


def _days(start: datetime | None, end: datetime | None) -> tuple[str | None, str | None]:
    """First and last day, or the moment where the time is not one of whole days."""
    if start is None:
        return None, None
    if end is None or start.time() != end.time() or start.time() != datetime.min.time():
        return f"{start:%Y-%m-%dT%H:%M}", None
    return start.date().isoformat(), (end - timedelta(days=1)).date().isoformat()
