"""What a process finds of AWS accounts."""

from __future__ import annotations

import boto3
import pytest

from cognis_memory.runtime.settings import VARIABLES


def forget_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """No credentials and no region, wherever boto3 looks for them."""
    for name in (
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_PROFILE",
        "AWS_REGION",
        "AWS_DEFAULT_REGION",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # it keeps the credentials that it has found once


def only_region(monkeypatch: pytest.MonkeyPatch, region: str) -> None:
    """No deployment, profile or endpoint that this shell has been told of; that region."""
    for name in (*VARIABLES, "AWS_PROFILE", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
