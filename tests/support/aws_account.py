"""What a process finds of AWS accounts."""

from __future__ import annotations

import boto3
import pytest


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
