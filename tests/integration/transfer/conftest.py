"""The doors of exports and imports over a deployment."""

from __future__ import annotations

import pytest
from deployment import Deployment
from transfers import Transfers


@pytest.fixture
def transfers(deployment: Deployment) -> Transfers:
    """On SQLite and folders."""
    return Transfers(deployment)


@pytest.fixture
def any_transfers(any_deployment: Deployment) -> Transfers:
    """On each engine, one after the other."""
    return Transfers(any_deployment)
