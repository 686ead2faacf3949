from __future__ import annotations

from collections.abc import Iterator

import pytest
from model_cloud import ModelCloud, model_cloud


@pytest.fixture
def cloud() -> Iterator[ModelCloud]:
    with model_cloud() as opened:
        yield opened
