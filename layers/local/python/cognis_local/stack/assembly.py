"""Reads a cloud assembly, the folder that a synthesis writes: its stacks in order, and their files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Final

_STACK: Final = "aws:cloudformation:stack"
_FILES: Final = "cdk:asset-manifest"


@dataclass(frozen=True, slots=True)
class StackTemplate:
    """A stack and the object in which CloudFormation finds its template."""

    name: str
    bucket: str
    key: str


@dataclass(frozen=True, slots=True)
class Asset:
    """A file, or a folder to be zipped, and the object that it becomes."""

    source: Path
    zipped: bool
    bucket: str
    key: str


@dataclass(frozen=True, slots=True)
class Assembly:
    """`stacks` stand in an order in which each comes after those that it needs."""

    stacks: tuple[StackTemplate, ...]
    assets: tuple[Asset, ...]


def read_assembly(folder: Path, account: str, region: str) -> Assembly:
    """The assembly in the folder, for one account and region."""
    artifacts: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))[
        "artifacts"
    ]
    place = {"AWS::AccountId": account, "AWS::Region": region, "AWS::Partition": "aws"}
    stacks = {name: artifact for name, artifact in artifacts.items() if artifact["type"] == _STACK}
    needs = {name: set(stack.get("dependencies", ())) & stacks.keys() for name, stack in stacks.items()}
    order = TopologicalSorter(needs).static_order()
    manifests = (artifact for artifact in artifacts.values() if artifact["type"] == _FILES)
    assets = (asset for manifest in manifests for asset in _assets(folder, manifest, place))
    return Assembly(
        stacks=tuple(_template(name, stacks[name], place) for name in order),
        assets=tuple({asset.key: asset for asset in assets}.values()),
    )


def _template(name: str, artifact: Mapping[str, Any], place: Mapping[str, str]) -> StackTemplate:
    properties = artifact["properties"]
    url = _placed(properties["stackTemplateAssetObjectUrl"], place).removeprefix("s3://")
    bucket, _, key = url.partition("/")
    return StackTemplate(properties.get("stackName", name), bucket, key)


def _assets(folder: Path, artifact: Mapping[str, Any], place: Mapping[str, str]) -> Iterator[Asset]:
    manifest = folder / artifact["properties"]["file"]
    for file in json.loads(manifest.read_text(encoding="utf-8"))["files"].values():
        for destination in file["destinations"].values():
            yield Asset(
                source=folder / file["source"]["path"],
                zipped=file["source"]["packaging"] == "zip" and (folder / file["source"]["path"]).is_dir(),
                bucket=_placed(destination["bucketName"], place),
                key=_placed(destination["objectKey"], place),
            )


def _placed(text: str, place: Mapping[str, str]) -> str:
    for name, value in place.items():
        text = text.replace(f"${{{name}}}", value)
    return text
