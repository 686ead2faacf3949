"""Cloud assemblies: stacks in the order in which they need each other, files where they belong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cognis_local.stack.assembly import read_assembly
from cognis_local.stack.folder import StackFolder
from cognis_local.stack.synthesis import fingerprint, synthesis_of

BUCKET = "assets-${AWS::AccountId}-${AWS::Region}"


def write(folder: Path, needs: dict[str, set[str]]) -> None:
    artifacts: dict[str, Any] = {"Tree": {"type": "cdk:tree", "properties": {"file": "tree.json"}}}
    for name, needed in needs.items():
        artifacts[f"{name}.assets"] = {
            "type": "cdk:asset-manifest",
            "properties": {"file": f"{name}.assets.json"},
        }
        artifacts[name] = {
            "type": "aws:cloudformation:stack",
            "dependencies": [*sorted(needed), f"{name}.assets"],
            "properties": {"stackTemplateAssetObjectUrl": f"s3://{BUCKET}/{name}.json"},
        }
        files = {
            "code": asset("layer", "zip", "layer.zip"),
            name: asset(f"{name}.template.json", "file", f"{name}.json"),
        }
        (folder / f"{name}.assets.json").write_text(json.dumps({"files": files}))
    (folder / "layer").mkdir(exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps({"artifacts": artifacts}))


def asset(path: str, packaging: str, key: str) -> dict[str, Any]:
    destination = {"bucketName": BUCKET, "objectKey": key}
    return {"source": {"path": path, "packaging": packaging}, "destinations": {"here": destination}}


@given(edges=st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_each_stack_comes_after_those_it_needs(edges: set[tuple[int, int]], tmp_path_factory: Any) -> None:
    needs = {f"s{n}": {f"s{a}" for a, b in edges if b == n and a < b} for n in range(6)}
    folder = tmp_path_factory.mktemp("assembly")
    write(folder, needs)
    order = [stack.name for stack in read_assembly(folder, "1", "r").stacks]
    assert sorted(order) == sorted(needs)
    assert all(order.index(needed) < order.index(name) for name in needs for needed in needs[name])


def test_a_file_of_several_stacks_is_uploaded_once(tmp_path: Path) -> None:
    write(tmp_path, {"data": set(), "api": {"data"}})
    assembly = read_assembly(tmp_path, "000000000000", "us-east-1")
    assert {asset.key: asset.zipped for asset in assembly.assets} == {
        "layer.zip": True,
        "data.json": False,
        "api.json": False,
    }
    assert {asset.bucket for asset in assembly.assets} == {"assets-000000000000-us-east-1"}


def test_the_fingerprint_changes_with_every_source_and_with_nothing_else(tmp_path: Path) -> None:
    for name in ("cdk/app.py", "functions/sweep/handler.py", "layers/core/a.py", "requirements/lambda.txt",
                 "cdk.json", "docs/x.md"):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a")
    before = fingerprint(tmp_path)
    (tmp_path / "docs/x.md").write_text("b")
    (tmp_path / "layers/core/__pycache__").mkdir()
    (tmp_path / "layers/core/__pycache__/a.pyc").write_text("b")
    assert fingerprint(tmp_path) == before
    seen = {before}
    for name in ("cdk/app.py", "functions/sweep/handler.py", "layers/core/a.py", "requirements/lambda.txt",
                 "cdk.json"):  # fmt: skip
        (tmp_path / name).write_text("b")
        seen.add(fingerprint(tmp_path))
    (tmp_path / "layers/core/a.py").rename(tmp_path / "layers/core/b.py")
    seen.add(fingerprint(tmp_path))
    assert len(seen) == 7


def test_a_stack_that_searches_in_a_node_has_an_assembly_of_its_own_for_that_node(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("cdk", "functions", "layers", "requirements"):
        (project / name).mkdir(parents=True)
    (project / "cdk.json").write_text("{}")
    stacks = [StackFolder(tmp_path / name) for name in ("a", "b")]
    nodes = [None, "http://127.0.0.1:9200", "http://127.0.0.1:9201"]
    made = [synthesis_of(project, folder, node) for folder in stacks for node in nodes]
    assert len({synthesis.fingerprint for synthesis in made}) == 3
    assert len({synthesis.folder for synthesis in made}) == 3  # user shards, and one in each stack's folder
    assert made[0] == made[3]
