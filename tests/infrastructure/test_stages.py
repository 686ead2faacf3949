"""What each stage consists of, and that it is made the same every time."""

from __future__ import annotations

import filecmp
import os
import platform
from dataclasses import replace
from pathlib import Path

import pytest
from assemblies import Assembly, copy_sources, synthesise
from ministack.services.cloudformation.provisioners import _RESOURCE_HANDLERS

from cognis_cdk.config import STAGES, UserShards, stage_config

OUTPUTS = {
    "data": {
        "LedgerTableName",
        "CredentialTableName",
        "PayloadBucketName",
        "TransferBucketName",
        "ShardBucketName",
        "LogKeySecretArn",
    },
    "ingestion": {"IngestionMachineArn", "ErasureMachineArn", "ExportMachineArn", "ImportMachineArn"},
    "api": {"ApiUrl", "ApiId", "ApiStage"},
    "observability": {"AlarmTopicArn"},
    "search": {"SearchEndpoint"},
    "snapshots": {"SnapshotBucketName", "SnapshotFunctionName"},
    "models": {"RerankEndpointName"},
}
"""By which other tools find their way in a deployment."""


def test_a_stage_has_the_stacks_it_needs(assemblies: dict[str, Assembly]) -> None:
    everywhere = {"data", "ingestion", "api", "observability"}
    stacks = {
        stage: {name.removeprefix(f"cognis-{stage}-") for name in assembly.templates}
        for stage, assembly in assemblies.items()
    }
    assert stacks == {
        "prod": everywhere | {"search", "snapshots", "models"},
        "payperuse": everywhere,
        "local": everywhere,
    }


def test_stacks_say_where_things_are(assemblies: dict[str, Assembly]) -> None:
    for stage, assembly in assemblies.items():
        for name in assembly.templates:
            assert assembly.outputs(name) == OUTPUTS[name.removeprefix(f"cognis-{stage}-")]


def test_only_what_goes_to_aws_uncompiled_is_warned_of(assemblies: dict[str, Assembly]) -> None:
    """The stages were made without a program within reach, so that this interpreter alone could compile."""
    warned = {stage for stage, assembly in assemblies.items() if assembly.warnings}
    told = [text for assembly in assemblies.values() for text in assembly.warnings]
    assert warned == (set() if platform.python_version().startswith("3.13.") else {"prod", "payperuse"})
    assert all("without compiled files" in text and "uv python install 3.13" in text for text in told)


def test_one_machine_goes_without_what_it_says_and_nothing_else(prod: Assembly, local: Assembly) -> None:
    """Each entry of the list is of use: `prod` has it, `local` has not, and gives a reason."""
    omitted = STAGES["local"].omitted
    assert prod.types - local.types == set(omitted)
    assert all(omitted.values())


def test_the_emulator_knows_everything_that_is_deployed_on_it(local: Assembly) -> None:
    assert local.types <= set(_RESOURCE_HANDLERS)


def test_one_machine_keeps_to_the_emulated_account(local: Assembly) -> None:
    manifest = (local.folder / "manifest.json").read_text()
    assert "aws://000000000000/us-east-1" in manifest


def test_what_must_not_be_lost_outlives_its_stack(assemblies: dict[str, Assembly]) -> None:
    kept = ("AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SecretsManager::Secret")
    for stage, assembly in assemblies.items():
        policies = {resource.body["DeletionPolicy"] for resource in assembly.resources(*kept)}
        assert policies == ({"Delete"} if stage == "local" else {"Retain"})


def test_a_node_of_this_machine_takes_the_place_of_user_shards_and_of_nothing_else(
    local: Assembly, local_opensearch: Assembly
) -> None:
    assert local_opensearch.templates.keys() == local.templates.keys()
    for name, template in local.templates.items():
        resources, others = template["Resources"], local_opensearch.templates[name]["Resources"]
        changed = {
            resources[id_]["Type"] for id_ in resources.keys() & others if resources[id_] != others[id_]
        }
        assert changed <= {"AWS::Lambda::Function", "AWS::IAM::Policy"}
        assert resources.keys() == others.keys()


def test_a_stage_moves_between_user_shards_and_opensearch_alone() -> None:
    with pytest.raises(ValueError, match="not within either"):
        replace(STAGES["payperuse"], also_index=UserShards())


def test_only_a_stage_that_runs_on_this_machine_has_a_node_of_it() -> None:
    with pytest.raises(ValueError, match="payperuse do not run on this machine"):
        stage_config("payperuse", search_node="http://127.0.0.1:9200")


def test_an_unknown_stage_is_told_which_there_are() -> None:
    with pytest.raises(ValueError, match=r"'staging'.*prod, payperuse, local"):
        stage_config("staging")


def test_the_same_sources_give_the_same_assembly_elsewhere_and_later(
    payperuse: Assembly, shared_folder: Path, tmp_path: Path
) -> None:
    """Neither the folder nor the age of files matters, nor what Python and editors leave among them."""
    copy = tmp_path / "elsewhere"
    copy_sources(shared_folder / "sources", copy)
    for folder in (copy / "functions" / "retrieve", copy / "layers" / "core" / "python" / "cognis_memory"):
        (folder / "__pycache__").mkdir(exist_ok=True)
        (folder / "__pycache__" / "left_over.cpython-313.pyc").write_bytes(os.urandom(100))
        (folder / ".left_over.swp").write_bytes(os.urandom(100))

    synthesise(copy, tmp_path / "output", "payperuse")
    again = Assembly(tmp_path / "output" / "payperuse")

    assert again.templates == payperuse.templates
    assert _asset_names(again) == _asset_names(payperuse)
    for name in _asset_names(again):
        _assert_same_files(again.folder / name, payperuse.folder / name)


def _asset_names(assembly: Assembly) -> list[str]:
    return sorted(path.name for path in assembly.folder.glob("asset.*"))


def _assert_same_files(one: Path, other: Path) -> None:
    names = [
        sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
        for folder in (one, other)
    ]
    assert names[0] == names[1]
    same, different, unreadable = filecmp.cmpfiles(one, other, names[0], shallow=False)
    assert (len(same), different, unreadable) == (len(names[0]), [], [])
