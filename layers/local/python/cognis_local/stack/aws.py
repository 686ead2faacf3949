"""Clients of the emulated account. Nothing of the user's own AWS settings reaches them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from boto3.session import Session
from botocore.config import Config
from botocore.session import Session as CoreSession

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_logs import CloudWatchLogsClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_stepfunctions import SFNClient

ACCOUNT: Final = "000000000000"
REGION: Final = "us-east-1"
SECRET_KEY: Final = "local"  # noqa: S105 - the emulator checks none

_CONFIG: Final = Config(
    connect_timeout=5,
    read_timeout=60,
    retries={"mode": "standard", "total_max_attempts": 3},
    proxies={},  # the endpoint is this machine
)


class EmulatedAccount:
    """Makes the clients of the account that listens on `endpoint`."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        core = CoreSession()
        for name, value in (("profile", None), ("config_file", os.devnull), ("credentials_file", os.devnull)):
            core.session_var_map[name] = (None, None, value, None)
        self._session = Session(
            aws_access_key_id=ACCOUNT,
            aws_secret_access_key=SECRET_KEY,
            region_name=REGION,
            botocore_session=core,
        )

    def cloudformation(self) -> CloudFormationClient:
        return self._session.client("cloudformation", endpoint_url=self.endpoint, config=_CONFIG)

    def dynamodb(self) -> DynamoDBClient:
        return self._session.client("dynamodb", endpoint_url=self.endpoint, config=_CONFIG)

    def functions(self) -> LambdaClient:
        return self._session.client("lambda", endpoint_url=self.endpoint, config=_CONFIG)

    def logs(self) -> CloudWatchLogsClient:
        return self._session.client("logs", endpoint_url=self.endpoint, config=_CONFIG)

    def parameters(self) -> Any:
        """Of the Systems Manager, for which no types are installed."""
        return self._session.client("ssm", endpoint_url=self.endpoint, config=_CONFIG)

    def s3(self) -> S3Client:
        return self._session.client("s3", endpoint_url=self.endpoint, config=_CONFIG)

    def states(self) -> SFNClient:
        return self._session.client("stepfunctions", endpoint_url=self.endpoint, config=_CONFIG)
