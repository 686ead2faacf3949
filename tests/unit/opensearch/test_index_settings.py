"""What an index may be made like."""

from __future__ import annotations

from typing import Any

import pytest

from cognis_memory.adapters.opensearch import IndexSettings
from cognis_memory.adapters.opensearch.mapping import index_body


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"shards": 0}, "a shard or more"),
        ({"refresh_seconds": 0}, "5 s at most"),
        ({"refresh_seconds": 5.5}, "5 s at most"),
        ({"gc_deletes_seconds": 899}, "900 s or longer"),
    ],
)
def test_what_no_index_can_have_is_refused_with_what_it_can(chosen: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        IndexSettings(**chosen)


def test_the_bounds_themselves_can_be_had() -> None:
    settings = IndexSettings(shards=1, refresh_seconds=5, gc_deletes_seconds=900)
    made = index_body(settings, "model")["settings"]["index"]

    assert (made["number_of_shards"], made["refresh_interval"], made["gc_deletes"]) == (1, "5000ms", "900s")
