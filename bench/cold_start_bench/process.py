"""What one fresh process does: `python -I -S process.py WORK PATHS [CLIENTS]`. Prints its times as JSON.

clients   imports boto3 and makes the clients named; `opensearch` is that of OpenSearch
function  imports the function and wires what a search needs; prints also whose clients that made
search    the same, then answers a first search, which alone is timed
"""

# ruff: noqa: PLC0415 - imports are what is measured

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

QUERY = "Where did Ana move last summer?"
EVENT = {
    "resource": "/v1/memories/search",
    "path": "/v1/memories/search",
    "httpMethod": "POST",
    "headers": {"Content-Type": "application/json"},
    "requestContext": {"requestId": "r1", "authorizer": {"tenant_id": "bench", "key_id": "k1"}},
    "body": json.dumps({"user_id": "ana", "query": QUERY}),
    "isBase64Encoded": False,
}


def make_clients(services: list[str]) -> None:
    import boto3
    from botocore.config import Config

    config = Config(connect_timeout=1, read_timeout=5, retries={"mode": "standard", "total_max_attempts": 3})
    for service in services:
        if service == "opensearch":
            _make_opensearch_client()
        else:
            boto3.client(service, config=config)


def _make_opensearch_client() -> None:
    import boto3
    from opensearchpy import OpenSearch, RequestsHttpConnection
    from requests_aws4auth import AWS4Auth

    session = boto3.Session()
    signer = AWS4Auth(
        region=session.region_name, service="es", refreshable_credentials=session.get_credentials()
    )
    OpenSearch(
        hosts=[{"host": "search.example.com", "port": 443}],
        connection_class=RequestsHttpConnection,
        http_auth=signer,
        use_ssl=True,
    )


def wire_function() -> list[str]:
    """The services whose clients of boto3 were made on the way."""
    import boto3

    made: list[str] = []
    make = boto3.client

    def noted(service: str, *arguments: Any, **options: Any) -> Any:
        made.append(service)
        return make(service, *arguments, **options)

    boto3.client = noted
    import handler  # noqa: F401

    from cognis_memory.runtime.wiring import deployment

    assert deployment().retrieval
    assert deployment().user_hash
    return made


def answer_search() -> None:
    import handler

    answer = handler.handle(EVENT, None)
    assert answer["statusCode"] == 200, answer


def timed(work: Callable[[], Any]) -> dict[str, Any]:
    """The result, and the seconds of processor time that all threads together took for it."""
    started = time.process_time()
    result = work()
    return {"seconds": time.process_time() - started, "result": result}


def main(work: str, paths: str, clients: str = "[]") -> None:
    sys.path[:0] = json.loads(paths)
    works: dict[str, Callable[[], Any]] = {
        "clients": lambda: make_clients(json.loads(clients)),
        "function": wire_function,
        "search": answer_search,
    }
    if work == "search":
        wire_function()
    print(json.dumps(timed(works[work])))


if __name__ == "__main__":
    main(*sys.argv[1:])
