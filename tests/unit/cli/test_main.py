"""The command in a process of its own: start, help, a package that is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BLOCKED = "import sys; sys.modules[{!r}] = None; from cognis_local.cli import main; main()"


def test_help_and_version_start_without_a_model() -> None:
    for option, words in (("--help", "cognis ask"), ("--version", "cognis, version ")):
        arguments = [sys.executable, "-X", "importtime", "-m", "cognis_local.cli", option]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
        assert words in done.stdout
        assert "onnxruntime" not in done.stderr


@pytest.mark.parametrize("package", ["click", "rich", "apsw", "numpy"])
def test_a_missing_package_is_named_in_a_sentence(package: str, tmp_path: Path) -> None:
    code = BLOCKED.format(package)
    arguments = [sys.executable, "-c", code, "list", "--folder", str(tmp_path)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == (
        f"Error: the package {package} is not installed; `pip install 'cognis[local]'` installs "
        "everything that the command line needs.\n"
    )


def test_output_that_the_terminal_cannot_show_ends_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cognis_local.cli", "sample"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert b"?" in done.stdout
