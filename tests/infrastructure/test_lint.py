"""Templates that CloudFormation would refuse are refused here."""

from __future__ import annotations

from assemblies import Assembly
from cfnlint.api import ManualArgs, lint_file


def test_no_template_has_faults(assembly: Assembly) -> None:
    templates = sorted(assembly.folder.glob("*.template.json"))
    found = [
        f"{template.name}: {match}"
        for template in templates
        for match in lint_file(template, config=ManualArgs(regions=["us-east-1"]))
    ]
    assert found == []
    assert templates
