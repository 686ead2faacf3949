"""Regular expressions that wait until they are used."""

from __future__ import annotations

import re

import pytest

from cognis_memory.domain.lazy_patterns import lazy_pattern


def test_an_expression_is_compiled_with_its_first_use_and_once() -> None:
    broken, pattern = lazy_pattern("("), lazy_pattern("osaka|大阪", re.IGNORECASE)

    assert pattern().findall("Osaka, 大阪") == ["Osaka", "大阪"]
    assert pattern() is pattern()
    with pytest.raises(re.error):
        broken()
