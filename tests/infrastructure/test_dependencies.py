"""The layer of packages: what the lock says, for the machine that is meant, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
import zipfile
from pathlib import Path

import pytest

from cognis_cdk.packaging import LAMBDA, BuildFailed, Platform, build_dependencies, host
from cognis_cdk.packaging.dependencies import select_requirements
from cognis_cdk.project import BUILD_FOLDER, OPENSEARCH_LOCK, SHARDS_LOCK

LOCKS = (SHARDS_LOCK, OPENSEARCH_LOCK)

LOCK = """\
# made by a tool
one==1.0 ; python_full_version < '3.12' \\
    --hash=sha256:aaaa
    # via somebody
one==2.0 ; python_full_version >= '3.12' \\
    --hash=sha256:bbbb \\
    --hash=sha256:cccc
two==1.5 \\
    --hash=sha256:dddd
windows-only==1.0 ; sys_platform == 'win32' \\
    --hash=sha256:eeee
"""

FILES = {
    "example/__init__.py": "VALUE = 1\n",
    "example/tests/test_example.py": "import nothing_that_exists\n",
    "example-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: example\nVersion: 1.0\n",
    "example-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "example-1.0.dist-info/entry_points.txt": "[console_scripts]\nexample = example:main\n",
}
RECORD = "example-1.0.dist-info/RECORD"


@pytest.fixture
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of one package, whose wheel lies in a folder that pip looks into and nowhere else."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    wheel = folder / "example-1.0-py3-none-any.whl"
    records = [f"{name},sha256={_record_hash(text)},{len(text)}" for name, text in FILES.items()]
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
        archive.writestr(
            "example-1.0.dist-info/RECORD", "\n".join([*records, "example-1.0.dist-info/RECORD,,"])
        )
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    written = tmp_path / "lock.txt"
    written.write_text(
        f"example==1.0 \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
    )
    return written


def _record_hash(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def _content(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and bytes of every file."""
    return {
        str(path.relative_to(folder)): (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_requirements_are_chosen_for_the_machine_that_is_meant_not_for_this_one() -> None:
    assert list(select_requirements(LOCK, LAMBDA)) == [
        "one==2.0 --hash=sha256:bbbb --hash=sha256:cccc",
        "two==1.5 --hash=sha256:dddd",
    ]
    older = Platform("older", {**LAMBDA.markers, "python_full_version": "3.11.0", "sys_platform": "win32"})
    assert [requirement.split()[0] for requirement in select_requirements(LOCK, older)] == [
        "one==1.0",
        "two==1.5",
        "windows-only==1.0",
    ]


def _named(lock: Path) -> list[str]:
    return [r.partition("==")[0] for r in select_requirements(lock.read_text(), LAMBDA)]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_the_projects_locks_name_each_package_once_for_lambda(lock: Path) -> None:
    names = _named(lock)
    assert len(names) == len(set(names))
    assert {"aws-lambda-powertools", "numpy", "pydantic"} <= set(names)
    assert not {"boto3", "botocore"} & set(names), "the runtime brings them"


def test_no_function_carries_the_engine_of_another_index() -> None:
    shards, opensearch = set(_named(SHARDS_LOCK)), set(_named(OPENSEARCH_LOCK))
    assert shards - opensearch == {"apsw"}
    assert {"opensearch-py", "requests", "requests-aws4auth"} <= opensearch - shards


def test_two_builds_are_the_same_whoever_makes_them(lock: Path, tmp_path: Path) -> None:
    one = build_dependencies([lock], host(), tmp_path / "one")
    old_mask = os.umask(0o077)
    try:
        other = build_dependencies([lock], host(), tmp_path / "another" / "place")
    finally:
        os.umask(old_mask)
    assert one.name == other.name
    assert _content(one) == _content(other)
    assert set(_content(one)) == {
        "python/example/__init__.py",
        "python/example-1.0.dist-info/METADATA",
        "python/example-1.0.dist-info/WHEEL",
        "python/example-1.0.dist-info/entry_points.txt",
    }


def test_what_is_built_is_not_built_again(
    lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = build_dependencies([lock], host(), tmp_path / "cache")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    assert build_dependencies([lock], host(), tmp_path / "cache") == built


def test_another_lock_or_platform_is_another_layer(lock: Path, tmp_path: Path) -> None:
    first = build_dependencies([lock], host(), tmp_path / "cache")
    elsewhere = Platform("elsewhere", host().markers)
    assert build_dependencies([lock], elsewhere, tmp_path / "cache") != first
    lock.write_text("")
    assert build_dependencies([lock], host(), tmp_path / "cache") != first


def test_a_layer_of_two_locks_has_each_package_once(lock: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.txt"
    again.write_text(lock.read_text())
    assert build_dependencies([lock, again], host(), tmp_path / "cache") == build_dependencies(
        [lock], host(), tmp_path / "cache"
    )


def test_the_projects_locks_agree_on_what_they_share() -> None:
    shards, opensearch = (set(select_requirements(lock.read_text(), LAMBDA)) for lock in LOCKS)
    names = [requirement.partition("==")[0] for requirement in shards | opensearch]
    assert len(names) == len(set(names))


def test_a_build_that_fails_says_why_and_leaves_nothing(lock: Path, tmp_path: Path) -> None:
    lock.write_text(f"example==1.0 \\\n    --hash=sha256:{'0' * 64}\n")
    with pytest.raises(BuildFailed, match=r"(?s)hash.*example"):
        build_dependencies([lock], host(), tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_settings_of_a_user_lead_pip_nowhere_else(
    lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "stray"))
    monkeypatch.setenv("PIP_USER", "1")
    build_dependencies([lock], host(), tmp_path / "cache")
    assert not (tmp_path / "stray").exists()


@pytest.mark.long
@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_the_layer_for_lambda_is_for_its_processor_and_fits(lock: Path) -> None:
    """Function and layers together may have 250 MB."""
    layer = build_dependencies([lock], LAMBDA, BUILD_FOLDER)
    libraries = [path.name for path in layer.rglob("*.so") if "cpython" in path.name]
    assert libraries
    assert all("cpython-313-aarch64" in name for name in libraries)
    assert sum(path.stat().st_size for path in layer.rglob("*") if path.is_file()) < 150_000_000
