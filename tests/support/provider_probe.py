"""A model provider that shows what it was given: the embedder's id is the folder of the models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import hash_models

from cognis_memory.runtime.models import Models


def provide(environ: Mapping[str, str]) -> Models:
    embedder: Any = SimpleNamespace(model_id=environ["COGNIS_MODELS_FOLDER"])
    return replace(hash_models.provide(environ), embedder=embedder)
