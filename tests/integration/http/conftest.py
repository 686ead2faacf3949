"""The API on a stand-in for AWS."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from api_gateway import Gateway
from cloud import Cloud
from functions.authorizer import handler as authorizer_function
from functions.ingest import handler as ingest
from functions.retrieve import handler as retrieve
from http_api import Api
from moto import mock_aws

from cognis_memory.runtime.authorization import authorizer
from cognis_memory.runtime.wiring import deployment


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    """One deployment for a module, whose tests use users of their own."""
    with mock_aws(), pytest.MonkeyPatch.context() as patched:
        cloud = Cloud()
        for name, value in cloud.environment.items():
            patched.setenv(name, value)
        deployment.cache_clear()
        authorizer.cache_clear()
        functions = {"ingest": ingest.handle, "retrieve": retrieve.handle}
        yield Api(cloud, Gateway(functions, authorizer_function.handle), cloud.tenant("acme"))
        deployment.cache_clear()
