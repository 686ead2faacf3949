"""Functions and layers: what is deployed can be imported and finds everything that it is wired with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3
import pytest
from assemblies import PROJECT, Assembly, Resource

from cognis_cdk.functions import LIBRARY_VARIABLES
from cognis_cdk.packaging import build_dependencies, host
from cognis_cdk.project import BUILD_FOLDER, OPENSEARCH_LOCK, SHARDS_LOCK
from cognis_memory.domain.calibration import read_calibrations
from cognis_memory.runtime.metrics import NAMESPACE
from cognis_memory.runtime.settings import VARIABLES, Settings
from cognis_memory.runtime.wiring import Deployment

RUNTIME_PACKAGES = ("boto3", "botocore", "s3transfer", "jmespath", "dateutil", "six.py", "urllib3")
"""What the Lambda runtime brings."""

POWERTOOLS = {"POWERTOOLS_SERVICE_NAME", "POWERTOOLS_METRICS_NAMESPACE", "POWERTOOLS_LOG_LEVEL"}

AWS_ENVIRONMENT = {
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
}
"""What Lambda sets."""

NEEDS: dict[str, Callable[[Deployment], Any]] = {
    "Authorizer": lambda deployment: deployment.credentials,
    "Ingest": lambda deployment: (deployment.memories, deployment.starter, deployment.user_hash),
    "Retrieve": lambda deployment: (deployment.retrieval, deployment.user_hash),
    "EraseLedger": lambda deployment: (deployment.memories, deployment.user_hash),
    "ErasePayloads": lambda deployment: (deployment.memories, deployment.user_hash),
    "DropIndexes": lambda deployment: (deployment.memories, deployment.user_hash),
    "VerifyErasure": lambda deployment: (deployment.memories, deployment.user_hash),
    "Sweep": lambda deployment: (deployment.memories, deployment.starter, deployment.user_hash),
    "SnapshotIndex": lambda deployment: deployment.snapshots,
}
"""What a function opens of its deployment; all others are states and open what ingestion needs."""

IMPORT_ALL = """
import importlib.util, json, sys

functions, paths = json.loads(sys.argv[1]), json.loads(sys.argv[2])
sys.path[:0] = paths
for name, folder in functions.items():
    spec = importlib.util.spec_from_file_location(f"{name}.handler", f"{folder}/handler.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert callable(module.handle), name
files = {getattr(module, "__file__", None) for module in sys.modules.values()}
print(json.dumps(sorted(file for file in files if file)))
"""


def _folder(function_id: str) -> str:
    """StoreMessages lies in store_messages."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in function_id).lstrip("_")


@pytest.fixture(scope="session", params=["prod", "local"])
def stage(request: pytest.FixtureRequest) -> str:
    """One that searches in OpenSearch, and one that does so in user shards."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def dependencies(stage: str) -> Path:
    """The stage's real layer of packages, for this machine."""
    return build_dependencies([OPENSEARCH_LOCK if stage == "prod" else SHARDS_LOCK], host(), BUILD_FOLDER)


@pytest.fixture
def runtime_packages(tmp_path: Path) -> Path:
    folder = tmp_path / "runtime"
    folder.mkdir()
    installed = Path(boto3.__file__).parents[1]
    for name in RUNTIME_PACKAGES:
        (folder / name).symlink_to(installed / name)
    return folder


def test_every_folder_of_functions_is_deployed_and_no_other(assemblies: dict[str, Assembly]) -> None:
    folders = {path.parent.name for path in (PROJECT / "functions").glob("*/handler.py")}
    for stage, assembly in assemblies.items():
        missing = set() if stage == "prod" else {"snapshot_index"}
        assert {_folder(id_) for id_ in assembly.functions} == folders - missing


def test_a_function_is_its_folder_and_nothing_beside_it(assembly: Assembly) -> None:
    for id_, function in assembly.functions.items():
        source = PROJECT / "functions" / _folder(id_)
        deployed = {path.name: path.read_bytes() for path in assembly.code(function).iterdir()}
        assert deployed == {path.name: path.read_bytes() for path in source.glob("*.py")}
        assert function.properties["Handler"] == "handler.handle"


def test_functions_run_on_arm_with_the_newest_python_that_the_layer_is_built_for(assembly: Assembly) -> None:
    for function in assembly.functions.values():
        assert function.properties["Architectures"] == ["arm64"]
        assert function.properties["Runtime"] == "python3.13"


def test_handlers_import_with_their_layers_alone(
    assemblies: dict[str, Assembly], stage: str, dependencies: Path, runtime_packages: Path
) -> None:
    """Nothing of the environment that the tests run in is within reach."""
    assembly = assemblies[stage]
    functions = {id_: str(assembly.code(function)) for id_, function in assembly.functions.items()}
    (layers,) = {tuple(assembly.layers(function)) for function in assembly.functions.values()}
    core = next(layer for layer in layers if (layer / "python" / "cognis_memory").is_dir())
    paths = [str(core / "python"), str(dependencies / "python"), str(runtime_packages)]
    finished = subprocess.run(
        [sys.executable, "-B", "-I", "-S", "-c", IMPORT_ALL, json.dumps(functions), json.dumps(paths)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    loaded = {Path(file) for file in json.loads(finished.stdout)}
    places = [*map(Path, paths), *map(Path, functions.values()), Path(sys.base_prefix)]
    assert [file for file in loaded if not any(file.is_relative_to(place) for place in places)] == []


def test_layers_fit_into_a_function(dependencies: Path) -> None:
    """Function and layers together may have 250 MB."""
    files = [*dependencies.rglob("*"), *(PROJECT / "layers" / "core").rglob("*.py")]
    assert sum(path.stat().st_size for path in files if path.is_file()) < 150_000_000


def test_functions_get_variables_that_are_read_and_no_others(
    assemblies: dict[str, Assembly], prod_moving: Assembly, payperuse_chosen: Assembly
) -> None:
    """Each is read in some stage by somebody, too."""
    given = {
        name
        for assembly in (*assemblies.values(), prod_moving, payperuse_chosen)
        for function in assembly.functions.values()
        for name in assembly.environment(function)
    }
    assert given == set(VARIABLES) | POWERTOOLS | {"POWERTOOLS_TRACE_DISABLED"} | LIBRARY_VARIABLES.keys()


def test_functions_name_themselves_in_their_logs(assembly: Assembly) -> None:
    for id_, function in assembly.functions.items():
        variables = assembly.environment(function)
        assert variables["POWERTOOLS_SERVICE_NAME"] == _folder(id_)
        assert variables["POWERTOOLS_METRICS_NAMESPACE"] == NAMESPACE


def test_traces_are_made_where_they_can_go(assemblies: dict[str, Assembly]) -> None:
    for stage, assembly in assemblies.items():
        for function in assembly.functions.values():
            mode = function.properties.get("TracingConfig", {}).get("Mode")
            assert (mode == "Active") is (stage != "local")
            assert ("POWERTOOLS_TRACE_DISABLED" in assembly.environment(function)) is (stage == "local")


def test_every_function_has_the_settings_that_its_wiring_asks_for(
    local: Assembly, local_opensearch: Assembly, monkeypatch: pytest.MonkeyPatch
) -> None:
    for assembly in (local, local_opensearch):
        for id_, function in assembly.functions.items():
            deployment = _deployment(assembly, function, monkeypatch)
            needed = NEEDS.get(id_, lambda deployment: (deployment.ingestion, deployment.user_hash))
            assert needed(deployment) is not None


def test_who_takes_snapshots_knows_where_to(prod: Assembly, monkeypatch: pytest.MonkeyPatch) -> None:
    deployment = _deployment(prod, prod.functions["SnapshotIndex"], monkeypatch)
    assert NEEDS["SnapshotIndex"](deployment) is not None
    settings = deployment.settings
    assert settings.required("snapshot_bucket") in {b.id for b in prod.resources("AWS::S3::Bucket")}
    assert settings.required("snapshot_role_arn") in {role.id for role in prod.resources("AWS::IAM::Role")}
    assert settings.required("snapshots_kept") == "14"


def _deployment(assembly: Assembly, function: Resource, monkeypatch: pytest.MonkeyPatch) -> Deployment:
    """With any address in the place of one that is known once the domain is there."""
    for name, value in AWS_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    variables = assembly.environment(function)
    if "Domain" in (endpoint := variables.get("COGNIS_OPENSEARCH_ENDPOINT", "")):
        assert endpoint.startswith("https://")
        variables["COGNIS_OPENSEARCH_ENDPOINT"] = "https://search.example.com"
    return Deployment(Settings.from_environment(variables))


def test_a_stage_with_a_node_searches_there_unsigned(local_opensearch: Assembly) -> None:
    for id_ in local_opensearch.functions.keys() - {"Authorizer"}:
        variables = local_opensearch.environment(local_opensearch.functions[id_])
        assert variables["COGNIS_SEARCH"] == "opensearch"
        assert variables["COGNIS_OPENSEARCH_ENDPOINT"] == "http://127.0.0.1:9200"
        assert "COGNIS_SHARD_BUCKET" not in variables


def test_a_stage_that_moves_writes_to_both_indexes_and_searches_in_one(
    prod: Assembly, prod_moving: Assembly
) -> None:
    assert prod_moving.functions.keys() == prod.functions.keys()
    for id_ in prod_moving.functions.keys() - {"Authorizer", "SnapshotIndex"}:
        variables = prod_moving.environment(prod_moving.functions[id_])
        assert (variables["COGNIS_SEARCH"], variables["COGNIS_ALSO_INDEX"]) == ("opensearch", "shards")
        assert {"COGNIS_SHARD_BUCKET", "COGNIS_OPENSEARCH_ENDPOINT"} <= variables.keys()


def test_what_scores_mean_is_told_to_searches(payperuse_chosen: Assembly, payperuse: Assembly) -> None:
    given = payperuse_chosen.environment(payperuse_chosen.functions["Retrieve"])["COGNIS_CALIBRATIONS"]

    assert read_calibrations(given).cjk.threshold == 0.2
    assert "COGNIS_CALIBRATIONS" not in payperuse.environment(payperuse.functions["Retrieve"])


def test_whatever_counts_money_knows_the_prices(payperuse_chosen: Assembly) -> None:
    """Those that call a model for a write; a search is not counted."""
    functions = payperuse_chosen.functions.items()
    given = {id_ for id_, function in functions if "COGNIS_PRICES" in payperuse_chosen.environment(function)}

    assert given == {"Ingest", "StoreMessages", "ExtractMemories", "EmbedAndCommitMemories", "ImportUser"}


def test_every_model_of_a_stage_has_a_price(assembly: Assembly, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one no tenant could have a budget."""
    opened = _deployment(assembly, assembly.functions["Ingest"], monkeypatch)

    assert opened.prices.unknown == ()


def test_no_secret_stands_in_a_template(assembly: Assembly) -> None:
    """Functions get the name of the secret, and read it themselves."""
    for template in assembly.templates.values():
        assert "{{resolve:secretsmanager" not in json.dumps(template)
    (secret,) = assembly.resources("AWS::SecretsManager::Secret")
    assert "SecretString" not in secret.properties
    for id_ in assembly.functions.keys() - {"Authorizer", "SnapshotIndex"}:
        assert secret.id in assembly.environment(assembly.functions[id_])["COGNIS_LOG_KEY_SECRET_ARN"]
