"""Clients of AWS' models that reach a server of this machine, signing their requests as ever."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import boto3
from botocore.config import Config

Service = Literal["bedrock-runtime", "bedrock-agent-runtime", "sagemaker-runtime"]

REGION = "eu-central-1"
ACCESS_KEY = "AKIDEXAMPLE"
SECRET_KEY = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"


def client(service: Service, url: str, *, attempts: int = 1, read_seconds: float = 5.0) -> Any:
    retries: Any = {"mode": "standard", "total_max_attempts": attempts}
    return _session().client(
        service,
        endpoint_url=url,
        config=Config(connect_timeout=2, read_timeout=read_seconds, retries=retries),
    )


@cache
def _session() -> boto3.Session:
    """One for all, as it keeps the service models that it has read."""
    return boto3.Session(ACCESS_KEY, SECRET_KEY, region_name=REGION)
