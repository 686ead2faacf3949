"""The layer of packages: what the lock says, for the machine that is meant, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import marshal
import os
import platform
import stat
import sys
import time
import zipfile
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

import pytest

from cognis_cdk.packaging import (
    LAMBDA,
    BuildFailed,
    Interpreter,
    Platform,
    build_dependencies,
    build_sources,
    find_python,
    host,
)
from cognis_cdk.packaging.dependencies import select_requirements
from cognis_cdk.packaging.folders import UNUSED_SECONDS
from cognis_cdk.project import BUILD_FOLDER, OPENSEARCH_LOCK, SHARDS_LOCK

LOCKS = (SHARDS_LOCK, OPENSEARCH_LOCK)

THIS_PYTHON = Interpreter(sys.executable, platform.python_version())

UNCHECKED_HASH = 0b01
"""The flags of a compiled file that is used without a look at its source (PEP 552)."""

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


def test_compiled_files_are_taken_whatever_the_time_of_their_source(lock: Path, tmp_path: Path) -> None:
    layer = build_dependencies([lock], host(), tmp_path, THIS_PYTHON)
    source = layer / "python" / "example" / "__init__.py"
    compiled = Path(cache_from_source(str(source))).read_bytes()
    assert compiled[:4] == MAGIC_NUMBER
    assert int.from_bytes(compiled[4:8], "little") == UNCHECKED_HASH
    assert marshal.loads(compiled[16:]).co_filename == "/opt/python/example/__init__.py"


def test_a_compiled_layer_is_another_than_one_of_sources_and_the_same_each_time(
    lock: Path, tmp_path: Path
) -> None:
    sources = build_dependencies([lock], host(), tmp_path / "one")
    one = build_dependencies([lock], host(), tmp_path / "one", THIS_PYTHON)
    other = build_dependencies([lock], host(), tmp_path / "other", THIS_PYTHON)
    assert sources.name != one.name == other.name
    assert _content(one) == _content(other)
    assert _content(sources).items() < _content(one).items()


def test_sources_are_compiled_in_a_copy_without_what_was_left_beside_them(tmp_path: Path) -> None:
    source, cache = tmp_path / "core", tmp_path / "cache"
    (source / "python" / "__pycache__").mkdir(parents=True)
    (source / "python" / "__pycache__" / "old.pyc").write_bytes(b"old")
    (source / "python" / "new.py").write_text("VALUE = 1\n")
    (source / "python" / "prompt.txt").write_text("Remember.\n")
    before = _content(source)
    layer = build_sources(source, THIS_PYTHON, cache)
    names = {Path(name).name for name in _content(layer)}
    assert names == {"new.py", "prompt.txt", f"new.{sys.implementation.cache_tag}.pyc"}
    assert _content(source) == before
    assert build_sources(source, THIS_PYTHON, cache) == layer
    (source / "python" / "prompt.txt").write_text("Forget.\n")
    assert build_sources(source, THIS_PYTHON, cache) != layer


def test_copies_of_earlier_sources_go_once_they_are_not_in_use(tmp_path: Path) -> None:
    source, cache = tmp_path / "core", tmp_path / "cache"
    source.mkdir()
    made = []
    for text in ("one", "two", "three"):
        (source / "prompt.txt").write_text(text)
        made.append(build_sources(source, THIS_PYTHON, cache))
    (cache / "core-extra").mkdir()
    (cache / "dependencies-0123456789abcdef").mkdir()
    long_ago = time.time() - 2 * UNUSED_SECONDS
    for folder in cache.iterdir():
        os.utime(folder, (long_ago, long_ago))
    (source / "prompt.txt").write_text("two")
    build_sources(source, THIS_PYTHON, cache)  # is there, and in use from now on
    (source / "prompt.txt").write_text("four")
    newest = build_sources(source, THIS_PYTHON, cache)
    kept = {made[1], newest, cache / "core-extra", cache / "dependencies-0123456789abcdef"}
    assert set(cache.iterdir()) == kept


def test_what_the_other_python_cannot_read_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "wrong.py").write_text("def wrong(:\n")
    with pytest.raises(BuildFailed, match=r"(?s)Python 3.*wrong\.py"):
        build_sources(tmp_path / "core", THIS_PYTHON, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("#!/bin/sh\necho 9.9.7\n", "9.9.7"),
        ("#!/bin/sh\necho 9.8.1\n", None),  # another under this name
        ("#!/bin/sh\necho not installed >&2\nexit 127\n", None),  # the stand-in of a version manager
    ],
)
def test_python_is_found_by_what_it_says_of_itself(
    script: str, found: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "python9.9"
    command.write_text(script)
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    python = find_python("9.9")
    assert (python and python.version) == found


def test_there_may_be_no_python_but_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_python("9.9") is None
    assert find_python(f"{sys.version_info.major}.{sys.version_info.minor}") == THIS_PYTHON


@pytest.mark.long
@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_the_layer_for_lambda_is_for_its_processor_and_fits(lock: Path) -> None:
    """Function and layers together may have 250 MB."""
    layer = build_dependencies([lock], LAMBDA, BUILD_FOLDER)
    libraries = [path.name for path in layer.rglob("*.so") if "cpython" in path.name]
    assert libraries
    assert all("cpython-313-aarch64" in name for name in libraries)
    assert sum(path.stat().st_size for path in layer.rglob("*") if path.is_file()) < 150_000_000
