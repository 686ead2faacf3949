"""What clients of the API see while the node is away."""

from __future__ import annotations

import time

import pytest
from http_api import Api, opened_api
from opensearch_node import OwnNode
from search_indexes import index_on

from cognis_memory.errors import IndexUnavailable

pytestmark = [pytest.mark.xdist_group("killed_node"), pytest.mark.timeout(600)]

SEARCH = {"user_id": "ana", "query": "Where do I live?"}
AT_ONCE_SECONDS = 0.2


def test_searches_are_503_at_once_and_nothing_accepted_is_lost(own: OwnNode) -> None:
    with (
        index_on(own.url) as made,
        opened_api(
            COGNIS_SEARCH="opensearch",
            COGNIS_OPENSEARCH_ENDPOINT=own.url,
            COGNIS_OPENSEARCH_INDEX=made.names.base,
        ) as api,
    ):
        assert api.tell("ana", "My home is Tokyo.")["status"] == "SUCCEEDED"
        assert "The home is Tokyo" in api.found("ana", "home in Tokyo")
        own.kill()

        taken = [_unavailable(api) for _ in range(5)]
        assert taken[-1] < AT_ONCE_SECONDS
        accepted = api.post(
            "/v1/memories", {"user_id": "ana", "messages": [{"role": "user", "content": "My job is baker."}]}
        )
        assert accepted.status == 202
        with pytest.raises(IndexUnavailable):
            api.run()
        assert api.listed("ana")
        assert api.get("/v1/health").status == 200

        own.start()
        _until_answered(api)
        api.done.clear()
        api.run()
        assert api.get(accepted.headers["Location"]).json["status"] == "SUCCEEDED"
        assert "The job is baker" in api.found("ana", "job baker")
        assert api.listed("ana").count("The home is Tokyo") == 1


def _unavailable(api: Api) -> float:
    """Searches once, which has to be refused for the moment; the seconds that it took."""
    started = time.perf_counter()
    answer = api.post("/v1/memories/search", SEARCH)
    taken = time.perf_counter() - started
    assert answer.status == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.json["type"] == "urn:cognis:problem:unavailable"
    assert "OpenSearch" not in answer.body
    return taken


def _until_answered(api: Api) -> None:
    """Until the process asks the node again, which it must in ten seconds."""
    deadline = time.monotonic() + 10
    while api.post("/v1/memories/search", SEARCH).status == 503:
        assert time.monotonic() < deadline, "the circuit does not close"
        time.sleep(0.1)
