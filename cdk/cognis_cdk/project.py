"""Where things lie in the project's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

FUNCTIONS: Final = ROOT / "functions"
CORE_LAYER: Final = ROOT / "layers" / "core"
LOCAL_LAYER: Final = ROOT / "layers" / "local"
SHARDS_LOCK: Final = ROOT / "requirements" / "lambda-shards.txt"
OPENSEARCH_LOCK: Final = ROOT / "requirements" / "lambda-opensearch.txt"
"""The packages of functions, by where they search."""

BUILD_FOLDER: Final = ROOT / ".local" / "build"
OUTPUT_FOLDER: Final = ROOT / ".local" / "cdk.out"
MODELS_FOLDER: Final = ROOT / ".local" / "models"
