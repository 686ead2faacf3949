"""What names the models and their server, known without loading either."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import cognis_local
import cognis_memory
from cognis_local.models.packages import MINILM_PACKAGE, USE_PACKAGE, package_version

DIMENSIONS = 768
MAX_CLIENT_BATCH_SIZE = 64
"""Texts of one request at most."""

EXTRACTION_CHUNK_MESSAGES = 1
"""Messages of one request to the extractor at most: what `RulesExtractor.chunk_messages` says."""

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


def server_version() -> str:
    """The version of the server's code on disk: the package's, and a digest of the files that it runs, so
    that a process of an older checkout is replaced as well.

    Read anew each time: were it remembered, a caller that lives through an update would refuse for ever the
    process that it starts.
    """
    digest = hashlib.sha256()
    for path in _server_files():
        digest.update(path.read_bytes())
    try:
        installed = version("cognis")
    except PackageNotFoundError:
        installed = "0"
    return f"{installed}+{digest.hexdigest()[:12]}"


def _server_files() -> Iterator[Path]:
    """Code and data of models and rules, in the same order wherever the packages are."""
    local, core = (Path(package.__file__ or "").parent for package in (cognis_local, cognis_memory))
    yield local / "models" / "axes.npz"
    for folder in (local / "models", local / "extraction", core / "domain", core / "models"):
        yield from sorted(folder.rglob("*.py"))
