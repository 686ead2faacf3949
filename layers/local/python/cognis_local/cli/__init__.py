"""The command line `cognis`: take in conversations, ask, look at what is remembered."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Runs the command line; a package that is not installed becomes a sentence on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Japanese must not end a command
    try:
        from cognis_local.cli.app import cognis  # noqa: PLC0415 - here, for the packages it needs may be missing

        cognis(prog_name="cognis")
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "cognis_local", "cognis_memory"):
            raise
        sys.stderr.write(
            f"Error: the package {package} is not installed; `pip install 'cognis[local]'` installs "
            "everything that the command line needs.\n"
        )
        sys.exit(1)
