"""How long a new process of the retrieve function takes, and how much every function loads.

    make bench-cold-start, which is python bench/cold_start.py [--runs 7]

Fresh interpreters run in turns, each with the function, its layers as a stage bundles them and the packages
of the Lambda runtime, and nothing else:

boto3       imports boto3 and makes those clients that are boto3's, where the function makes others as well
clients     imports boto3 and makes all clients that the function makes
function    imports the function and wires what a search needs
uncompiled  the same without compiled files of function and layers
search      the first search of such a function, over services that answer at once and hold nothing

Times are of the processor, the least of all runs and the median. `function` takes a bundle with compiled
files; whether this machine makes such a bundle is said at the end. Sizes are those of each function with its
layers, as this machine builds them for Lambda: with compiled files where it has Lambda's Python.

The exit code is 1 where the least time of `function` is more than twice that of `clients`, or a function
loads more than 50 MB zipped or 250 MB unpacked, which is Lambda's limit.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from cognis_cdk.packaging import LAMBDA_PYTHON, find_python
from cold_start_bench.empty_services import empty_services
from cold_start_bench.interpreters import Interpreters
from cold_start_bench.sizes import MB, STAGES, Size, function_sizes
from cold_start_bench.stages import RETRIEVING, link_runtime

MOST_TIMES = 2.0
MOST_ZIPPED = 50 * MB
MOST_UNPACKED = 250 * MB

_NOT_COMPILED = (
    f"layers are NOT compiled here, for want of python{LAMBDA_PYTHON} on the PATH: deployed from this "
    "machine, a function starts as `uncompiled` does"
)


def main(arguments: Sequence[str]) -> int:
    """1 when a limit is exceeded."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args(arguments).runs
    with _interpreters() as stages:
        slow = [stage for stage, each in stages.items() if _times(stage, each, runs) > MOST_TIMES]
    large = _print_sizes()
    python = find_python(LAMBDA_PYTHON)
    print(f"\n{_NOT_COMPILED if python is None else f'layers are compiled here, by Python {python.version}'}")
    for stage in slow:
        print(f"TOO SLOW: retrieve in {stage} takes more than {MOST_TIMES} times its clients")
    for function in large:
        print(f"TOO LARGE: {function}")
    return int(bool(slow or large))


@contextmanager
def _interpreters() -> Iterator[Mapping[str, Interpreters]]:
    with tempfile.TemporaryDirectory() as name, empty_services() as services:
        runtime = Path(name, "runtime")
        link_runtime(runtime)
        yield {stage.name: Interpreters(stage, runtime, Path(name), services) for stage in RETRIEVING}


def _times(stage: str, interpreters: Interpreters, runs: int) -> float:
    """Prints them, and returns how many times as long as its clients the function takes."""
    seconds: dict[str, list[float]] = {work: [] for work in interpreters.works}
    for _ in range(runs):
        for work in interpreters.works:
            seconds[work].append(interpreters.seconds(work))
    least = {work: min(each) for work, each in seconds.items()}
    print(f"retrieve in {stage}; its clients: {', '.join(interpreters.clients)}")
    print(f"  {'':<12}{'least':>8}{'median':>8}{'least / clients':>18}")
    for work in interpreters.works:
        shown = (1_000 * least[work], 1_000 * median(seconds[work]), least[work] / least["clients"])
        print("  {:<12}{:>5.0f} ms{:>5.0f} ms{:>18.2f}".format(work, *shown), flush=True)
    times = least["function"] / least["clients"]
    print(f"  {times:.2f} of {MOST_TIMES} times its clients: {1 - times / MOST_TIMES:.0%} left")
    return times


def _print_sizes() -> list[str]:
    """Returns those beyond a limit."""
    sizes: dict[str, dict[str, Size]] = {}
    for function, stage, size in function_sizes():
        sizes.setdefault(function, {})[stage] = size
    print(f"\n{'MB zipped (unpacked)':<28}" + "".join(f"{stage:>16}" for stage in STAGES))
    for function, by_stage in sizes.items():
        shown = (_shown(by_stage[stage]) if stage in by_stage else "-" for stage in STAGES)
        print(f"{function:<28}" + "".join(f"{size:>16}" for size in shown))
    return [name for name, by_stage in sizes.items() if any(map(_is_large, by_stage.values()))]


def _shown(size: Size) -> str:
    return f"{size.zipped / MB:.1f} ({size.unpacked / MB:.0f})"


def _is_large(size: Size) -> bool:
    return size.zipped > MOST_ZIPPED or size.unpacked > MOST_UNPACKED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
