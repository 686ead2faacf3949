"""Signatures for Amazon OpenSearch Service (AWS Signature Version 4)."""

from __future__ import annotations

import threading

import boto3
from botocore.exceptions import BotoCoreError
from requests import PreparedRequest
from requests.auth import AuthBase
from requests_aws4auth import AWS4Auth

from cognis_memory.errors import ConfigurationError, IndexUnavailable


class RoleSigner(AuthBase):
    """Signs one request at a time: `AWS4Auth` keeps the credentials of the request at hand in itself.

    Raises IndexUnavailable when a role's credentials cannot be renewed now.
    """

    def __init__(self, auth: AWS4Auth) -> None:
        self._auth = auth
        self._lock = threading.Lock()

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        with self._lock:
            try:
                signed: PreparedRequest = self._auth(request)
            except BotoCoreError as error:
                raise IndexUnavailable(f"no credentials to sign with: {type(error).__name__}") from None
        return signed


def signer_of(session: boto3.Session) -> RoleSigner:
    """Signs each request with the session's credentials as they are then: a role's are renewed in time.

    Raises ConfigurationError for a session without credentials or region.
    """
    credentials = session.get_credentials()
    if credentials is None or session.region_name is None:
        raise ConfigurationError("requests to OpenSearch are signed: AWS credentials and a region are needed")
    return RoleSigner(AWS4Auth(region=session.region_name, service="es", refreshable_credentials=credentials))
