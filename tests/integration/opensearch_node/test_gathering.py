"""The files of a release: gathered once, whole or not at all; what a machine lacks for it is told."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cognis_local.opensearch.distribution import distribution_folder, ensure_distribution, missing_tools
from cognis_local.opensearch.errors import DistributionFailed, ToolsMissing
from cognis_local.opensearch.node import ensure_node
from cognis_local.opensearch.releases import RELEASES, release_of

GATHER = (
    "import pathlib, sys; from cognis_local.opensearch.distribution import ensure_distribution; "
    "from cognis_local.opensearch.releases import release_of; "
    "ensure_distribution(release_of('2.19'), pathlib.Path(sys.argv[1]), print)"
)


def program(folder: Path, name: str, script: str) -> Path:
    """A program that is a line of shell."""
    path = folder / name
    path.write_text(f"#!{shutil.which('sh', path='/bin:/usr/bin')}\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def jdk(folder: Path, version: int) -> Path:
    """What looks like a JDK."""
    (folder / "bin").mkdir(parents=True)
    (folder / "release").write_text(f'IMPLEMENTOR="us"\nJAVA_VERSION="{version}.0.1"\n', encoding="utf-8")
    for tool in ("java", "javac", "jar"):
        program(folder / "bin", tool, "exit 1")
    return folder


@pytest.mark.parametrize("line", RELEASES)
def test_all_that_is_missing_is_named(bare_machine: Path, line: str) -> None:
    assert missing_tools(line) == f"no JDK {RELEASES[line].java} or newer and no Maven (mvn)"
    program(bare_machine, "mvn", "exit 0")
    assert missing_tools(line) == f"no JDK {RELEASES[line].java} or newer"


def test_without_a_jdk_no_node_starts(bare_machine: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolsMissing, match=r"there is no JDK 17 or newer .* JAVA_HOME"):
        ensure_node(tmp_path / "node")


def test_without_maven_nothing_is_gathered(
    bare_machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "jdk", 17)))
    assert missing_tools("2.19") == "no Maven (mvn)"
    with pytest.raises(ToolsMissing, match="Maven: install it"):
        ensure_node(tmp_path / "node")


def test_maven_is_needed_only_until_all_is_gathered(
    bare_machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "jdk", 17)))
    distribution_folder(release_of("2.19")).mkdir(parents=True)
    assert missing_tools("2.19") is None


def test_what_maven_says_last_is_told_and_nothing_stays(bare_machine: Path, tmp_path: Path) -> None:
    program(bare_machine, "mvn", "echo '[ERROR] Could not transfer artifact: unknown host' >&2; exit 1")
    release = release_of("2.19")
    said: list[str] = []
    with pytest.raises(DistributionFailed, match=r"mvn could not(?s:.*)\.log(?s:.*)unknown host"):
        ensure_distribution(release, jdk(tmp_path / "jdk", 17), said.append)
    assert said == ["Gathering OpenSearch 2.19.1 with Maven (once, some 90 MB)"]
    folder = distribution_folder(release)
    assert {path.name for path in folder.parent.iterdir()} <= {f"{folder.name}.log", f"{folder.name}.lock"}


def test_a_kill_halfway_leaves_nothing_that_passes_for_whole(bare_machine: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    program(bare_machine, "mvn", f"echo > {begun}; exec /bin/sleep 1")
    home = jdk(tmp_path / "jdk", 17)
    folder = distribution_folder(release_of("2.19"))
    with subprocess.Popen([sys.executable, "-c", GATHER, str(home)], stdout=subprocess.DEVNULL) as gathering:
        while not begun.exists():
            assert gathering.poll() is None
            time.sleep(0.01)
        gathering.kill()
    assert list(folder.parent.glob(f"{folder.name}.new.*"))
    assert not folder.exists()
    program(bare_machine, "mvn", "exit 1")
    with pytest.raises(DistributionFailed):
        ensure_distribution(release_of("2.19"), home, lambda _: None)
    assert not list(folder.parent.glob(f"{folder.name}.new.*"))
