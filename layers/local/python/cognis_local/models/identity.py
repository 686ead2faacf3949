"""What names the models and their server, known without loading either."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from cognis_local.models.packages import MINILM_PACKAGE, USE_PACKAGE, package_version

DIMENSIONS = 768
MAX_CLIENT_BATCH_SIZE = 64
"""Texts of one request at most."""

_EMBEDDER_LAYOUT = "v1"  # weights by script, order of components: raise it with whatever changes vectors
_RERANKER_REVISION = "v1"


def _models() -> str:
    return f"minilm-l6-int8-{package_version(MINILM_PACKAGE)}+use-m3-{package_version(USE_PACKAGE)}"


def embedder_model_id() -> str:
    """Names everything that changes the embedder's vectors. Raises LocalModelsMissing."""
    return f"local/{_models()}/{_EMBEDDER_LAYOUT}"


def reranker_model_id() -> str:
    """Names everything that changes the reranker's scores. Raises LocalModelsMissing."""
    return f"local/maxsim-{_models()}/{_RERANKER_REVISION}"


@cache
def server_version() -> str:
    """The version of the server's code: the package's, and a digest of this folder's files, so that a process
    of an older checkout is replaced as well."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.iterdir()):
        if path.is_file():
            digest.update(path.read_bytes())
    try:
        installed = version("cognis")
    except PackageNotFoundError:
        installed = "0"
    return f"{installed}+{digest.hexdigest()[:12]}"
