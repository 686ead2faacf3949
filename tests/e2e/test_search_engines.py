"""The stack searches in user shards or in OpenSearch, on the same memories."""

from __future__ import annotations

from pathlib import Path

import pytest
import urllib3
from local_stack import StackProcess, stack_process
from opensearch_node import kill_node, require_tools, wait_until_ended

from cognis_local.opensearch.releases import DEFAULT_LINE
from cognis_memory.models.event import EventStatus

pytestmark = [pytest.mark.xdist_group("local_stack"), pytest.mark.timeout(600)]

OPENSEARCH = ("--idle", "--search", "opensearch")
SHARDS = ("--idle", "--search", "shards")


def tell(stack: StackProcess, text: str) -> None:
    message = {"role": "user", "content": text, "timestamp": "2026-06-05T10:00:00Z"}
    assert stack.memory().add("ana", [message], idempotency_key=text).status is EventStatus.SUCCEEDED


def found(stack: StackProcess, question: str) -> str:
    return stack.memory().search("ana", question).results[0].memory


def search_once(stack: StackProcess) -> tuple[int, bool]:
    """The status of a search that is sent once, and whether the answer says when to come again."""
    run = stack.ready()
    body = {"user_id": "ana", "query": "What is my dog called?"}
    with urllib3.PoolManager(retries=False) as pool:
        url, headers = f"{run.url}/v1/memories/search", {"X-Api-Key": run.api_key}
        answer = pool.request("POST", url, json=body, headers=headers)
    return answer.status, "Retry-After" in answer.headers


def test_either_engine_finds_what_was_told_to_the_other_whatever_is_killed(tmp_path: Path) -> None:
    require_tools(DEFAULT_LINE)
    root = tmp_path / "local"
    with stack_process(root, *SHARDS) as stack:
        tell(stack, "I live in Osaka.")
        assert stack.stop() == 0
    with stack_process(root, *OPENSEARCH) as stack:
        assert "Osaka" in found(stack, "Where do I live?")
        kill_node(stack.folder.opensearch)
        assert search_once(stack) == (503, True)
        tell(stack, "My dog is called Biscuit.")  # accepted meanwhile, and finished once the node is back
        assert "Biscuit" in found(stack, "What is my dog called?")
        stack.kill()
        wait_until_ended(stack.folder.opensearch)
    with stack_process(root, *SHARDS) as stack:
        assert "Biscuit" in found(stack, "What is my dog called?")
        assert "Osaka" in found(stack, "Where do I live?")
