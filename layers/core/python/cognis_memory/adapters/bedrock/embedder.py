"""The `Embedder` port on Amazon Titan Text Embeddings V2.

Request and answer: Bedrock User Guide, "Amazon Titan Embeddings G1 - Text" (V2); InvokeModelRequest in
botocore's `bedrock-runtime/2023-09-30/service-2.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_model_errors
from cognis_memory.deadline import carried
from cognis_memory.domain.matryoshka import FULL_COMPONENTS, shorten
from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.errors import EmbeddingFailed, EmbeddingUnavailable
from cognis_memory.models.values import FloatMatrix, FloatVector

TITAN_V2: Final = "amazon.titan-embed-text-v2:0"
TITAN_COMPONENTS: Final = 1_024
MAX_CHARACTERS: Final = 50_000
MAX_TOKENS: Final = 8_192
"""The model's limits; what is longer is cut."""

_REVISION: Final = 1
"""Of everything here that changes vectors: the cut of components and that of long texts."""

_TOO_LONG: Final = re.compile(r"too many input tokens|maxLength|max input tokens", re.IGNORECASE)


class TitanEmbedder:
    """Asks for 1,024 components and keeps the first 768, renormalised; texts go one by one, side by side.

    Of a text beyond the model's limits the beginning counts: as much as an estimate lets through, halved
    while the service finds it too long still.
    """

    def __init__(self, client: Any, model_id: str = TITAN_V2, *, concurrency: int = 8) -> None:
        """`client` is a `bedrock-runtime` client with `max_pool_connections` of at least `concurrency`."""
        self.model_id = f"bedrock/{model_id}/{TITAN_COMPONENTS}-{FULL_COMPONENTS}/v{_REVISION}"
        self._client = client
        self._model = model_id
        self._concurrency = concurrency

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """As `ports.Embedder.embed`. An empty text is refused: EmbeddingFailed.

        Raises ConfigurationError where the model does not exist or the role may not call it.
        """
        if not all(texts):
            raise EmbeddingFailed("an empty text has no embedding")
        if not texts:
            return np.zeros((0, FULL_COMPONENTS), dtype=np.float32)
        return np.stack([self._vector(texts[0])] if len(texts) == 1 else self._side_by_side(texts))

    def _side_by_side(self, texts: Sequence[str]) -> list[FloatVector]:
        pool = ThreadPoolExecutor(min(self._concurrency, len(texts)), thread_name_prefix="titan")
        try:
            return list(pool.map(carried(self._vector), texts))
        finally:
            pool.shutdown(cancel_futures=True)  # after a failure the rest is not sent

    def _vector(self, text: str) -> FloatVector:
        part = beginning(text)
        with translated_model_errors("InvokeModel", EmbeddingUnavailable, EmbeddingFailed):
            while True:
                try:
                    return _parsed(self._invoke(part))
                except ClientError as error:
                    if not _is_too_long(error) or len(part) == 1:
                        raise
                    part = part[: len(part) // 2]

    def _invoke(self, text: str) -> bytes:
        body = {"inputText": text, "dimensions": TITAN_COMPONENTS, "normalize": True}
        response = self._client.invoke_model(
            modelId=self._model,
            body=json.dumps(body).encode(),
            contentType="application/json",
            accept="application/json",
        )
        answer: bytes = response["body"].read()
        return answer


def beginning(text: str) -> str:
    """As much of the text's beginning as the limits let through by the estimate of its tokens."""
    part = text[:MAX_CHARACTERS]
    while (tokens := estimate_tokens(part)) > MAX_TOKENS:
        part = part[: max(1, len(part) * MAX_TOKENS // tokens - 1)]
    return part


def _is_too_long(error: ClientError) -> bool:
    message = error.response.get("Error", {}).get("Message", "")
    return error_code(error) == "ValidationException" and _TOO_LONG.search(message) is not None


def _parsed(answer: bytes) -> FloatVector:
    """Raises EmbeddingFailed, quoting nothing of the answer."""
    try:
        vector = np.asarray(json.loads(answer)["embedding"], dtype=np.float32)
    except (ValueError, TypeError, KeyError):
        raise EmbeddingFailed("the answer holds no embedding") from None
    if vector.shape != (TITAN_COMPONENTS,) or not np.isfinite(vector).all():
        raise EmbeddingFailed(f"expected {TITAN_COMPONENTS} components, got the shape {vector.shape}")
    shortened = shorten(vector)
    if not shortened.any():
        raise EmbeddingFailed("the embedding has no direction")
    return shortened
