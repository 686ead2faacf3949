"""What a deployment on one machine uses as models: see `cognis_memory.runtime.models`.

Light to import: every Lambda process does, and one model process beside them holds all models.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cognis_local.calibrations import LOCAL_CALIBRATIONS
from cognis_local.models.clients import LocalEmbedder, LocalExtractor, LocalReranker, default_models_folder
from cognis_memory.runtime.models import Models


def local_models(environ: Mapping[str, str]) -> Models:
    """Clients of the model process whose folder `COGNIS_MODELS_FOLDER` names, or else of the user's own.

    The first call of one of them finds the process or starts it. Raises LocalModelsMissing.
    """
    named = environ.get("COGNIS_MODELS_FOLDER")
    folder = Path(named) if named else default_models_folder()
    return Models(
        embedder=LocalEmbedder(folder),
        reranker=LocalReranker(folder),
        extractor=LocalExtractor(folder),
        calibrations=LOCAL_CALIBRATIONS,
    )
