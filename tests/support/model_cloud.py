"""Services of AWS' models on this machine, over models that tests can foresee."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fakes import SentenceExtractor
from text_models import HashTextModels

from cognis_local.model_services import ModelServices, Operation, serving
from cognis_local.model_services.responders import (
    extracting,
    reranking,
    text_embeddings_inference,
    titan,
)


@dataclass(frozen=True, slots=True)
class ModelCloud:
    """The services, and where they listen."""

    services: ModelServices
    url: str


@contextmanager
def model_cloud() -> Iterator[ModelCloud]:
    models = HashTextModels()
    services = ModelServices(
        {
            Operation.CONVERSE: extracting(SentenceExtractor()),
            Operation.INVOKE_MODEL: titan(models),
            Operation.RERANK: reranking(models),
            Operation.INVOKE_ENDPOINT: text_embeddings_inference(models),
        }
    )
    with serving(services) as url:
        yield ModelCloud(services, url)
