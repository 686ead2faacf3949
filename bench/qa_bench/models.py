"""Asks a language model by Bedrock's Converse."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cognis_memory.adapters.aws.errors import translated_model_errors
from cognis_memory.domain.text.normalisation import storable_text
from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.errors import PermanentError, TransientError
from qa_bench.prompts import Prompt

_BLOCKED: Final = frozenset({"guardrail_intervened", "content_filtered"})
_CUT_OFF: Final = frozenset({"max_tokens", "model_context_window_exceeded"})


@dataclass(frozen=True, slots=True)
class Said:
    """An answer. Tokens are the server's, or `estimated` from the texts; `cut_off` says that they ran out."""

    text: str
    input_tokens: int
    output_tokens: int
    estimated: bool
    cut_off: bool
    seconds: float


class ChatModel:
    """One model behind a `bedrock-runtime` client, which repeats what may pass. Safe to use from threads."""

    def __init__(self, client: Any, model_id: str, *, by_schema: bool) -> None:
        """`by_schema` is for models that take `outputConfig.textFormat`."""
        self._client = client
        self._by_schema = by_schema
        self.model_id = model_id

    def ask(self, prompt: Prompt) -> Said:
        """Raises TransientError for what kept failing, ConfigurationError where the model is not there or may
        not be called, PermanentError for a call that is refused or blocked."""
        started = time.perf_counter()
        with translated_model_errors("Converse", TransientError, PermanentError):
            response = self._client.converse(
                modelId=self.model_id,
                system=[{"text": prompt.system}],
                messages=[{"role": "user", "content": [{"text": prompt.data}]}],
                inferenceConfig={"maxTokens": prompt.max_tokens, "temperature": 0.0},
                **(_form(prompt.schema) if prompt.schema and self._by_schema else {}),
            )
        return _said(prompt, response, time.perf_counter() - started)


def _form(schema: Mapping[str, Any]) -> dict[str, Any]:
    structure = {"jsonSchema": {"schema": json.dumps(schema), "name": "verdict"}}
    return {"outputConfig": {"textFormat": {"type": "json_schema", "structure": structure}}}


def _said(prompt: Prompt, response: dict[str, Any], seconds: float) -> Said:
    reason = response.get("stopReason", "")
    if reason in _BLOCKED:
        raise PermanentError(f"Converse: {reason}")
    content = response.get("output", {}).get("message", {}).get("content", [])
    text = storable_text("".join(block.get("text", "") for block in content).strip())
    usage = response.get("usage", {})
    given, made = usage.get("inputTokens", 0), usage.get("outputTokens", 0)
    estimated = not given
    if estimated:
        given, made = estimate_tokens(prompt.system) + estimate_tokens(prompt.data), estimate_tokens(text)
    return Said(text, given, made, estimated, reason in _CUT_OFF, seconds)
