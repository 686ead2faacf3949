"""The API on a stand-in for AWS."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from http_api import Api, opened_api


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    """One deployment for a module, whose tests use users of their own."""
    with opened_api() as api:
        yield api
