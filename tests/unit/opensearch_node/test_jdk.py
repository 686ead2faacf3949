"""Which JDK a node runs on."""

from __future__ import annotations

from pathlib import Path

import pytest

from cognis_local.opensearch.jdk import find_jdk, java_version


def jdk(folder: Path, version: str, tools: tuple[str, ...] = ("java", "javac", "jar")) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "release").write_text(f'JAVA_RUNTIME_VERSION="x"\nJAVA_VERSION="{version}"\n', encoding="utf-8")
    for tool in tools:
        (folder / "bin" / tool).touch(mode=0o755)
    return folder


@pytest.fixture(autouse=True)
def _nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("cognis_local.opensearch.jdk.INSTALLED", (f"{tmp_path}/installed/*",))


@pytest.mark.parametrize(("version", "number"), [("17.0.15", 17), ("21", 21), ("25.0.3", 25)])
def test_its_version_is_read(tmp_path: Path, version: str, number: int) -> None:
    assert java_version(jdk(tmp_path / "jdk", version)) == number


def test_a_runtime_without_a_compiler_is_none(tmp_path: Path) -> None:
    assert java_version(jdk(tmp_path / "jre", "21", tools=("java",))) is None
    assert java_version(tmp_path / "nowhere") is None


def test_java_home_comes_first_then_path_then_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_jdk("2.19") is None
    installed = jdk(tmp_path / "installed" / "a", "21")
    assert find_jdk("2.19") == installed
    on_path = jdk(tmp_path / "b", "21")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "javac").symlink_to(on_path / "bin" / "javac")
    monkeypatch.setenv("PATH", str(tmp_path / "links"))
    assert find_jdk("2.19") == on_path
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "c", "17")))
    assert find_jdk("2.19") == tmp_path / "c"


def test_one_that_is_too_old_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "c", "17")))
    assert find_jdk("2.19") == tmp_path / "c"
    assert find_jdk("3.5") is None
    newer = jdk(tmp_path / "installed" / "b", "25")
    assert find_jdk("3.5") == newer
