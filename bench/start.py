"""How long the whole application takes until its API answers: the first time, and when nothing has changed.

    python bench/start.py [--starts 3] [--port 4790]

Each start is a process of its own on one new folder, stopped before the next. The first one deploys, and
synthesises where this checkout has not done so yet; the environment is there already.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def seconds_to_ready(folder: Path, port: int) -> float:
    """From the command to the file that says where the API is, which is written once it answers."""
    command = [sys.executable, "-m", "cognis_local.stack", "run", "--idle"]
    started = time.perf_counter()
    with subprocess.Popen([*command, "--folder", str(folder), "--port", str(port)]) as stack:
        while not (folder / "run.json").exists():
            if stack.poll() is not None:
                raise SystemExit(f"the stack ended with code {stack.returncode}")
            time.sleep(0.02)
        passed = time.perf_counter() - started
        stack.send_signal(signal.SIGTERM)
    return passed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--port", type=int, default=4790)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        times = [seconds_to_ready(Path(name, "local"), arguments.port) for _ in range(arguments.starts)]
    print("seconds to ready:", ", ".join(f"{seconds:.1f}" for seconds in times))


if __name__ == "__main__":
    main()
