"""The version that the API tells is the package's."""

from __future__ import annotations

import tomllib
from pathlib import Path

from cognis_memory.version import VERSION


def test_the_code_and_the_package_have_one_version() -> None:
    project = tomllib.loads(Path(__file__).parents[3].joinpath("pyproject.toml").read_text(encoding="utf-8"))

    assert project["project"]["version"] == VERSION
