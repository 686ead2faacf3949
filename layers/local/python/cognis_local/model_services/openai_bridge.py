"""Converse answered by a server that speaks OpenAI's chat completions: llama.cpp, vLLM, Ollama, others."""

from __future__ import annotations

import json
from typing import Any, Final

import urllib3
from urllib3.exceptions import HTTPError

from cognis_local.model_services.calls import Call
from cognis_local.model_services.replies import Reply, error_reply, json_reply

_STOP_REASONS: Final = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "content_filtered",
}
_REFUSES_THE_FORM: Final = frozenset({400, 422})


class OpenAIBridge:
    """A `Responder` for Converse with `outputConfig`, over the server at `base_url`, such as http://host:8000/v1.

    The form of the answer goes as `json_schema`, and to servers that refuse that as `json_object` with a
    schema, as llama-cpp-python takes it.
    """

    def __init__(
        self, base_url: str, model: str = "default", *, api_key: str = "none", read_seconds: float = 270.0
    ) -> None:
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._model = model
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {api_key}"}
        timeout = urllib3.Timeout(connect=5.0, read=read_seconds)
        self._pool = urllib3.PoolManager(timeout=timeout, retries=False)
        self._by_schema = True

    def __call__(self, call: Call) -> Reply:
        """The model's answer; the server's refusals as Converse's errors."""
        if call.tool is not None:
            return error_reply(400, "ValidationException", "this model has no tools; ask by outputConfig")
        try:
            status, answer = self._complete(call)
        except (HTTPError, ValueError) as error:
            return error_reply(503, "ServiceUnavailableException", type(error).__name__)
        if status == 429:
            return error_reply(429, "ThrottlingException")
        if status >= 500:
            return error_reply(503, "ServiceUnavailableException")
        if status >= 400:
            return error_reply(400, "ValidationException", json.dumps(answer))
        return _reply(answer)

    def _complete(self, call: Call) -> tuple[int, dict[str, Any]]:
        status, answer = self._post(_chat(call, self._model, by_schema=self._by_schema))
        if self._by_schema and status in _REFUSES_THE_FORM:
            other = self._post(_chat(call, self._model, by_schema=False))
            if other[0] == 200:
                self._by_schema = False
                return other
        return status, answer

    def _post(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Raises ValueError for an answer that is no JSON."""
        content = json.dumps(body).encode()
        response = self._pool.request("POST", self._url, body=content, headers=self._headers)
        answer: dict[str, Any] = json.loads(response.data)
        return response.status, answer


def _chat(call: Call, model: str, *, by_schema: bool) -> dict[str, Any]:
    asked = call.json
    inference = asked.get("inferenceConfig", {})
    body: dict[str, Any] = {
        "model": model,
        "messages": [
            {"role": "system", "content": _text(asked.get("system", []))},
            *({"role": turn["role"], "content": _text(turn["content"])} for turn in asked["messages"]),
        ],
        "max_tokens": inference.get("maxTokens"),
        "temperature": inference.get("temperature"),
    }
    form = asked.get("outputConfig", {}).get("textFormat", {}).get("structure", {}).get("jsonSchema")
    if form is not None:
        body["response_format"] = _response_format(form, by_schema=by_schema)
    return {name: value for name, value in body.items() if value is not None}


def _response_format(form: dict[str, Any], *, by_schema: bool) -> dict[str, Any]:
    schema = json.loads(form["schema"])
    if not by_schema:
        return {"type": "json_object", "schema": schema}
    name = form.get("name", "answer")
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": True}}


def _text(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(block["text"] for block in blocks if "text" in block)


def _reply(answer: dict[str, Any]) -> Reply:
    choice = answer["choices"][0]
    usage = answer.get("usage", {})
    given, made = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    text = choice["message"].get("content")
    return json_reply(
        {
            "output": {"message": {"role": "assistant", "content": [{"text": text}] if text else []}},
            "stopReason": _STOP_REASONS.get(choice.get("finish_reason"), "end_turn"),
            "usage": {"inputTokens": given, "outputTokens": made, "totalTokens": given + made},
            "metrics": {"latencyMs": 0},
        }
    )
