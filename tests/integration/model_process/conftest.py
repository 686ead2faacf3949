"""Code of the packages apart from the one under test, to change and to remove."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import cognis_local
import cognis_memory


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """A folder with a copy of both packages, as a function's layers are unpacked."""
    folder = tmp_path / "unpacked"
    for package in (cognis_local, cognis_memory):
        source = Path(package.__file__ or "").parent
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder
