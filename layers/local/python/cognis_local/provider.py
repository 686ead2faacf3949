"""What a deployment on one machine uses as models: see `cognis_memory.runtime.models`.

Light to import: every Lambda process does, and one model process beside them holds all models.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cognis_local.calibrations import LOCAL_CALIBRATIONS
from cognis_local.models.clients import LocalEmbedder, LocalExtractor, LocalReranker, default_models_folder
from cognis_memory.ports import Extractor
from cognis_memory.runtime.models import Models

LANGUAGE_MODEL_VARIABLE: Final = "COGNIS_LANGUAGE_MODEL"
"""The URL of a service that answers Bedrock's Converse, which extracts in place of the rules."""

_LANGUAGE_MODEL_MESSAGES: Final = 5
_LANGUAGE_MODEL_SECONDS: Final = 280
"""A small model on a busy machine takes minutes; the function itself has 300 s."""


def local_models(environ: Mapping[str, str]) -> Models:
    """Clients of the model process whose folder `COGNIS_MODELS_FOLDER` names, or else of the user's own.

    The first call of one of them finds the process or starts it. Raises LocalModelsMissing. What extracts is
    the language model at `COGNIS_LANGUAGE_MODEL` where there is one.
    """
    named = environ.get("COGNIS_MODELS_FOLDER")
    folder = Path(named) if named else default_models_folder()
    return Models(
        embedder=LocalEmbedder(folder),
        reranker=LocalReranker(folder),
        extractor=_extractor(environ.get(LANGUAGE_MODEL_VARIABLE), folder),
        calibrations=LOCAL_CALIBRATIONS,
    )


def _extractor(language_model: str | None, folder: Path) -> Extractor:
    if not language_model:
        return LocalExtractor(folder)
    # Here, as most processes extract nothing, or by rules.
    import boto3  # noqa: PLC0415
    from botocore.config import Config  # noqa: PLC0415

    from cognis_memory.adapters.bedrock.extraction import BedrockExtractor  # noqa: PLC0415

    config = Config(read_timeout=_LANGUAGE_MODEL_SECONDS, retries={"total_max_attempts": 1})
    client = boto3.client("bedrock-runtime", endpoint_url=language_model, config=config)
    return BedrockExtractor(client, "local", chunk_messages=_LANGUAGE_MODEL_MESSAGES)
