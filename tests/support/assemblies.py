"""Reads what a synthesis wrote: templates, their resources, the files of functions and layers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

Json = dict[str, Any]

PROJECT = Path(__file__).resolve().parents[2]
SOURCES = ("cdk", "functions", "layers", "requirements", "cdk.json")
ACCOUNT = "123456789012"


@dataclass(frozen=True)
class Resource:
    """One resource of a template."""

    stack: str
    id: str
    type: str
    properties: Json
    body: Json

    @property
    def name(self) -> str:
        """The construct's id: the logical id without the hash behind it."""
        return self.id[:-8]


@dataclass(frozen=True)
class Assembly:
    """The stacks of one stage."""

    folder: Path

    @cached_property
    def templates(self) -> dict[str, Json]:
        """By the names of the stacks."""
        suffix = ".template.json"
        files = sorted(self.folder.glob(f"*{suffix}"))
        return {file.name.removesuffix(suffix): json.loads(file.read_text()) for file in files}

    def resources(self, *types: str) -> list[Resource]:
        """All resources, or those of these types, in the order of stacks and templates."""
        return [
            Resource(stack, id_, body["Type"], body.get("Properties", {}), body)
            for stack, template in self.templates.items()
            for id_, body in template["Resources"].items()
            if not types or body["Type"] in types
        ]

    @property
    def warnings(self) -> list[str]:
        """What the CDK's command line shows before it deploys."""
        files = [json.loads(file.read_text()) for file in self.folder.glob("*.metadata.json")]
        entries = [entry for paths in files for found in paths.values() for entry in found]
        return [str(entry["data"]) for entry in entries if entry["type"] == "aws:cdk:warning"]

    @property
    def types(self) -> set[str]:
        return {resource.type for resource in self.resources()}

    @property
    def functions(self) -> dict[str, Resource]:
        """Lambda functions by the ids of their constructs."""
        return {resource.name: resource for resource in self.resources("AWS::Lambda::Function")}

    def outputs(self, stack: str) -> set[str]:
        """The names of a stack's own outputs, without those made for other stacks."""
        return {name for name, output in self.templates[stack]["Outputs"].items() if "Export" not in output}

    def code(self, resource: Resource) -> Path:
        """The folder of a function's or layer's files."""
        return self.folder / resource.body["Metadata"]["aws:asset:path"]

    def layers(self, function: Resource) -> list[Path]:
        layers = {layer.id: layer for layer in self.resources("AWS::Lambda::LayerVersion")}
        return [self.code(layers[reference["Ref"]]) for reference in function.properties["Layers"]]

    def environment(self, function: Resource) -> dict[str, str]:
        """The function's variables, with references resolved to something of their kind."""
        variables = function.properties["Environment"]["Variables"]
        return {name: resolved(value) for name, value in variables.items()}

    def policies(self, function: str) -> list[Json]:
        """The statements of the role of the function with that construct id."""
        role = self.functions[function].properties["Role"]["Fn::GetAtt"][0]
        return [
            statement
            for policy in self.resources("AWS::IAM::Policy")
            if {"Ref": role} in policy.properties["Roles"]
            for statement in policy.properties["PolicyDocument"]["Statement"]
        ]

    def allowed(self) -> Iterator[tuple[str, Json]]:
        """Every statement of every role's policies, with the logical id of the resource that holds it."""
        for resource in self.resources("AWS::IAM::Policy", "AWS::IAM::Role"):
            policies = [resource.properties, *resource.properties.get("Policies", ())]
            for document in (policy.get("PolicyDocument", {}) for policy in policies):
                yield from ((resource.id, statement) for statement in document.get("Statement", ()))

    def definition(self, machine: str) -> Json:
        """A state machine's definition; each task's resource is the construct id of its function."""
        (found,) = (m for m in self.resources("AWS::StepFunctions::StateMachine") if m.name == machine)
        definition: Json = json.loads(resolved(found.properties["DefinitionString"]))
        for state in definition["States"].values():
            if state["Type"] == "Task":
                state["Resource"] = state["Resource"][:-8]
        return definition


def copy_sources(project: Path, copy: Path) -> None:
    """All that a synthesis reads, as new files."""
    for name in SOURCES:
        source = project / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, copy / name, ignore=ignored, copy_function=shutil.copyfile)
        else:
            shutil.copyfile(source, copy / name)


def synthesise(project: Path, output: Path, *stages: str) -> None:
    """Writes the assemblies to `output`, as synthesise_stages.py says.

    No program of the machine is within reach, nor its Node.
    """
    script = Path(__file__).with_name("synthesise_stages.py")
    environment = {name: value for name, value in os.environ.items() if name not in ("JSII_NODE", "PATH")}
    finished = subprocess.run(
        [sys.executable, str(script), str(project), str(output), *stages],
        env=environment | {"PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, ""), finished.stderr


def resolved(value: Any) -> str:
    """A CloudFormation expression as text: a reference becomes the logical id or the name it refers to."""
    match value:
        case str():
            return value
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(map(resolved, parts))
        case {"Fn::GetAtt": [id_, _]} | {"Ref": id_} | {"Fn::ImportValue": id_}:
            return ACCOUNT if id_ == "AWS::AccountId" else str(id_)
        case {"Fn::Sub": text}:
            return str(text)
        case {"Fn::Select": [_, {"Fn::Split": [_, whole]}]}:
            return resolved(whole)
    raise AssertionError(f"no expression of CloudFormation that is known here: {value}")


def as_list(value: Any) -> list[Any]:
    """What a policy gives as one or as a list."""
    return value if isinstance(value, list) else [value]
