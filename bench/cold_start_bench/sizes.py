"""How large what each function loads is, as it is uploaded and unpacked."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cognis_cdk.functions import ALL_FUNCTIONS, SNAPSHOT_INDEX
from cognis_cdk.packaging import LAMBDA, LAMBDA_PYTHON, build_dependencies, build_sources, find_python
from cognis_cdk.project import BUILD_FOLDER, CORE_LAYER, FUNCTIONS, OPENSEARCH_LOCK, SHARDS_LOCK

MB = 1_000_000

STAGES: Mapping[str, Sequence[Path]] = {
    "prod": (OPENSEARCH_LOCK,),
    "payperuse": (SHARDS_LOCK,),
    "both indexes": (OPENSEARCH_LOCK, SHARDS_LOCK),
}
"""The locks of what a stage's layer of packages holds; the last is a stage that moves between indexes."""


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes."""

    zipped: int
    unpacked: int

    def __add__(self, other: Size) -> Size:
        return Size(self.zipped + other.zipped, self.unpacked + other.unpacked)


def function_sizes() -> Iterator[tuple[str, str, Size]]:
    """Each function in each stage, with its layers for Lambda: the function's folder, the stage, the size."""
    for stage, locks in STAGES.items():
        layers = [_size(folder) for folder in _layers(locks)]
        for function in (*ALL_FUNCTIONS, SNAPSHOT_INDEX):
            if function is not SNAPSHOT_INDEX or OPENSEARCH_LOCK in locks:
                yield function.folder, stage, sum(layers, _size(FUNCTIONS / function.folder))


def _layers(locks: Sequence[Path]) -> tuple[Path, Path]:
    """As this machine bundles them: compiled where it has Lambda's Python."""
    python = find_python(LAMBDA_PYTHON)
    core = CORE_LAYER if python is None else build_sources(CORE_LAYER, python, BUILD_FOLDER)
    return core, build_dependencies(locks, LAMBDA, BUILD_FOLDER, python)


@cache
def _size(folder: Path) -> Size:
    files = list(_deployed(folder))
    with tempfile.TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.relative_to(folder))
        zipped = packed.tell()
    return Size(zipped, sum(file.stat().st_size for file in files))


def _deployed(folder: Path) -> Iterator[Path]:
    """Without what Python leaves in the project's own folders."""
    built = folder.is_relative_to(BUILD_FOLDER)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and (built or path.parent.name != "__pycache__"):
            yield path
