"""Folders of layers: each appears at its place at once and whole."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

UNUSED_SECONDS: Final = 3_600.0
"""Much longer than a synthesis: what none has used for so long, none is at work with."""


class BuildFailed(RuntimeError):
    """A layer could not be made; the message is that of the program that failed."""


def put_layer(built: Path, layer: Path) -> None:
    """Moves the folder to its place; where another build was faster, that one's stays."""
    try:
        built.rename(layer)
    except OSError:
        if not layer.is_dir():
            raise


def use_layer(layer: Path) -> bool:
    """Whether it is there; if so, it counts as used now."""
    try:
        os.utime(layer)
    except FileNotFoundError:
        return False
    return True


def remove_unused(cache: Path, pattern: str) -> None:
    """Removes the layers of that name that nobody has used for UNUSED_SECONDS.

    Each disappears at once, as it has come: another synthesis finds it whole or not at all.
    """
    oldest = time.time() - UNUSED_SECONDS
    for layer in cache.glob(pattern):
        with suppress(FileNotFoundError):  # removed by another
            if layer.stat().st_mtime < oldest:
                with tempfile.TemporaryDirectory(dir=cache, prefix=".removing-") as folder:
                    layer.rename(Path(folder, "layer"))
