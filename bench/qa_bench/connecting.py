"""Reaches the models: in Bedrock, or behind a server that speaks OpenAI's API.

Both are called by Converse. A server's models answer it through `OpenAIBridge`, in this process.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import boto3
import urllib3
from botocore.config import Config
from botocore.exceptions import BotoCoreError
from urllib3.exceptions import HTTPError

from cognis_local.model_services import Call, ModelServices, Operation, Reply, serving
from cognis_local.model_services.openai_bridge import OpenAIBridge
from qa_bench.cases import EvaluationError
from qa_bench.options import BEDROCK_MODEL, Options

ATTEMPTS: Final = 5
"""Of a call that is throttled, fails or is late; botocore waits for a random time in between, up to 20 s."""

_PROBE_SECONDS: Final = 10.0


@dataclass(frozen=True)
class Models:
    """Ids of models, None where a script or the rules do without, and the client that calls them."""

    client: Any = None
    answers: str | None = None
    judge: str | None = None
    extraction: str | None = None


@contextmanager
def connected(options: Options) -> Iterator[Models]:
    """Raises EvaluationError where they cannot be reached."""
    if not options.needs_model:
        yield Models()
    elif options.llm is None:
        client = bedrock_client(options.timeout, options.concurrency)
        yield _named(options, client, lambda asked: asked or BEDROCK_MODEL)
    else:
        url, api_key = options.llm, os.environ.get("OPENAI_API_KEY", "none")
        served = served_models(url, api_key)
        with openai_client(url, api_key, options.timeout, options.concurrency) as client:
            yield _named(options, client, lambda asked: chosen_model(url, served, asked))


def _named(options: Options, client: Any, name: Callable[[str | None], str]) -> Models:
    return Models(
        client,
        answers=None if options.scripted else name(options.model),
        judge=None if options.scripted else name(options.judge_model or options.model),
        extraction=name(options.extraction_model or options.model) if options.extractor == "llm" else None,
    )


def bedrock_client(read_seconds: float, parallel: int) -> Any:
    """A client of the account and region that the environment names.

    Raises EvaluationError where there are no credentials or no region.
    """
    session = boto3.Session()
    try:
        client = session.client("bedrock-runtime", config=_config(read_seconds, parallel))
        known = session.get_credentials() is not None
    except BotoCoreError as error:
        raise EvaluationError(f"Bedrock cannot be called: {error}") from None
    if not known:
        raise EvaluationError("Bedrock cannot be called: there are no credentials of AWS.")
    return client


@contextmanager
def openai_client(url: str, api_key: str, read_seconds: float, parallel: int) -> Iterator[Any]:
    """A client whose calls the server at `url` answers, each with the model that it names."""

    @cache
    def bridge(model: str) -> OpenAIBridge:
        return OpenAIBridge(url, model, api_key=api_key, read_seconds=read_seconds)

    def respond(call: Call) -> Reply:
        return bridge(call.target)(call)

    with serving(ModelServices({Operation.CONVERSE: respond})) as endpoint:
        session = boto3.Session("unused", "unused", region_name="us-east-1")
        config = _config(read_seconds + 5, parallel)
        yield session.client("bedrock-runtime", endpoint_url=endpoint, config=config)


def served_models(url: str, api_key: str) -> list[str]:
    """Ids of the models that the server lists; none where it has no such list.

    Raises EvaluationError where no server answers.
    """
    if not url.startswith(("http://", "https://")):
        raise EvaluationError(f"{url} is no URL of a server; name one such as http://127.0.0.1:8000/v1.")
    pool = urllib3.PoolManager(timeout=_PROBE_SECONDS, retries=False)
    headers = {"Authorization": f"Bearer {api_key}"}
    try:
        response = pool.request("GET", f"{url.rstrip('/')}/models", headers=headers)
        listed = json.loads(response.data)["data"] if response.status == 200 else []
        return [str(model["id"]) for model in listed]
    except HTTPError:
        raise EvaluationError(f"No server answers at {url}; start it, or correct the URL.") from None
    except (ValueError, KeyError, TypeError):
        return []


def chosen_model(url: str, served: Sequence[str], asked: str | None) -> str:
    """The model to ask for: the one named, or else the only one there is."""
    if asked is None and len(served) == 1:
        return served[0]
    if asked is None:
        has = f" It has: {', '.join(served)}." if served else ""
        raise EvaluationError(f"Name the model of {url} with --model.{has}")
    if served and asked not in served:
        raise EvaluationError(f"{url} has no model {asked!r}; it has: {', '.join(served)}.")
    return asked


def _config(read_seconds: float, parallel: int) -> Config:
    return Config(
        connect_timeout=10,
        read_timeout=read_seconds,
        max_pool_connections=max(parallel, 1),
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
    )
