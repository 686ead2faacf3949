"""Shards in S3: what is asked for, what is copied, what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from cognis_memory.adapters.shards import UserShards
from cognis_memory.adapters.shards.file_cache import FileCache
from cognis_memory.adapters.shards.s3 import S3ShardStore
from cognis_memory.adapters.shards.store import head_name
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.errors import CorruptData, IndexUnavailable

from .builders import MODEL, OWNER, document, documents, found, ids, matching, vector

HEAD = head_name(owner_key(OWNER))


@contextmanager
def requests(client: Any) -> Iterator[list[tuple[str, int]]]:
    """The operations called meanwhile, with the status of their answers."""
    seen: list[tuple[str, int]] = []

    def note(http_response: Any, model: Any, **_: Any) -> None:
        seen.append((model.name, http_response.status_code))

    client.meta.events.register("after-call.s3", note)
    try:
        yield seen
    finally:
        client.meta.events.unregister("after-call.s3", note)


@pytest.fixture
def shards(s3_store: S3ShardStore) -> UserShards:
    return UserShards(s3_store, MODEL)


def test_a_warm_search_asks_once_whether_it_is_current(shards: UserShards, s3_client: Any) -> None:
    shards.apply(OWNER, documents(range(20)), [])
    assert found(shards) == ids(range(20))

    with requests(s3_client) as seen:
        matching(shards, "place")
    assert seen == [("GetObject", 304)]
    with requests(s3_client) as seen:
        assert shards.rescore(OWNER, vector(3), [document(3).id])
    assert seen == []


def test_a_commit_reads_and_writes_once(shards: UserShards, s3_client: Any) -> None:
    shards.apply(OWNER, documents(range(20)), [])
    with requests(s3_client) as seen:
        shards.apply(OWNER, [document(30)], [])
        shards.apply(OWNER, [document(31)], [])

    # The copy made when writing spares reading it back.
    assert seen == [("GetObject", 304), ("PutObject", 200)] * 2


def test_a_new_process_takes_the_copies_of_the_last(
    shards: UserShards, s3_client: Any, bucket: str, cache: FileCache, tmp_path: Path
) -> None:
    shards.apply(OWNER, documents(range(20)), [])
    again = FileCache(tmp_path / "cache", max_bytes=10_000_000)
    with requests(s3_client) as seen:
        assert matching(UserShards(S3ShardStore(s3_client, bucket, again, prefix="shards/"), MODEL), "place")
    assert seen == [("GetObject", 304)]

    elsewhere = FileCache(tmp_path / "elsewhere", max_bytes=10_000_000)
    with requests(s3_client) as seen:
        assert matching(
            UserShards(S3ShardStore(s3_client, bucket, elsewhere, prefix="shards/"), MODEL), "place"
        )
    assert seen == [("GetObject", 200)]


def test_a_copy_that_was_evicted_is_read_again(
    shards: UserShards, cache: FileCache, s3_store: S3ShardStore
) -> None:
    shards.apply(OWNER, documents(range(20)), [])
    cache.discard(HEAD)

    assert found(shards) == ids(range(20))
    cache.discard(HEAD)
    assert found(shards) == ids(range(20))
    assert found(UserShards(s3_store, MODEL)) == ids(range(20))


def test_dropping_removes_objects_and_copies(
    shards: UserShards, s3_client: Any, bucket: str, tmp_path: Path
) -> None:
    shards.apply(OWNER, documents(range(20)), [])
    found(shards)
    shards.drop(OWNER)

    assert "Contents" not in s3_client.list_objects_v2(Bucket=bucket)
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert not shards.exists(OWNER)


def test_a_damaged_object_does_not_exist(shards: UserShards, s3_client: Any, bucket: str) -> None:
    shards.apply(OWNER, documents(range(20)), [])
    s3_client.put_object(Bucket=bucket, Key=f"shards/{HEAD}", Body=b"damaged")

    assert not shards.exists(OWNER)
    with pytest.raises(CorruptData):
        found(shards)
    shards.replace(OWNER, iter(documents(range(20))))
    assert found(shards) == ids(range(20))


class AnswersLost:
    """A client whose first answer to a PUT of the head is lost, so that it sends the request again.

    `meanwhile` is called in between.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self.losses = 1
        self.meanwhile: Callable[[], object] = bool

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def put_object(self, **arguments: Any) -> Any:
        answer = self._client.put_object(**arguments)
        if self.losses and arguments["Key"].endswith("/head"):
            self.losses -= 1
            self.meanwhile()
            return self._client.put_object(**arguments)
        return answer


@pytest.fixture
def lossy(s3_client: Any, bucket: str, cache: FileCache) -> tuple[Any, Callable[..., UserShards]]:
    client: Any = AnswersLost(s3_client)

    def opened(**options: Any) -> UserShards:
        return UserShards(S3ShardStore(client, bucket, cache, prefix="shards/"), MODEL, **options)

    return client, opened


@pytest.mark.parametrize("split_at", [1_000, 3])
def test_a_write_whose_answer_was_lost_counts(
    lossy: tuple[Any, Callable[..., UserShards]], split_at: int
) -> None:
    client, opened = lossy
    shards = opened(split_at=split_at)
    shards.replace(OWNER, iter(documents(range(20))))
    assert found(shards) == ids(range(20))

    client.losses = 1
    shards.apply(OWNER, [document(20)], [document(1).id])
    assert found(shards) == found(opened()) == ids(range(21)) - ids([1])
    assert client.losses == 0


@pytest.mark.parametrize("split_at", [1_000, 3])
@pytest.mark.parametrize("deleted", [[], [2]])
def test_a_write_counts_on_which_others_have_built_before_its_answer_was_lost(
    lossy: tuple[Any, Callable[..., UserShards]], split_at: int, deleted: list[int]
) -> None:
    client, opened = lossy
    shards, other = opened(split_at=split_at), opened(split_at=split_at)
    client.meanwhile = lambda: other.apply(OWNER, [document(50)], sorted(ids(deleted)))
    shards.apply(OWNER, documents(range(20)), [])

    assert client.losses == 0
    assert found(shards) == found(opened()) == ids([*range(20), 50]) - ids(deleted)


class Refuses:
    """A client that S3 refuses everything."""

    def __init__(self, code: str, status: int) -> None:
        self._error: Any = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}

    def __getattr__(self, operation: str) -> Any:
        def refuse(*_: Any, **__: Any) -> Any:
            raise ClientError(self._error, operation)

        return refuse


def unreachable() -> Any:
    session = boto3.Session("testing", "testing", region_name="us-east-1")
    config = Config(retries={"max_attempts": 0}, connect_timeout=1)
    return session.client("s3", endpoint_url="http://127.0.0.1:9", config=config)


@pytest.mark.parametrize(
    "client",
    [
        Refuses("SlowDown", 503),
        Refuses("InternalError", 500),
        Refuses("AccessDenied", 403),
        Refuses("NoSuchBucket", 404),
        unreachable(),
    ],
    ids=["throttled", "broken", "forbidden", "no bucket", "unreachable"],
)
def test_failures_of_s3_are_transient(client: Any, bucket: str, cache: FileCache) -> None:
    shards = UserShards(S3ShardStore(client, bucket, cache), MODEL)
    for use in (
        lambda: shards.exists(OWNER),
        lambda: matching(shards, "place"),
        lambda: shards.apply(OWNER, documents(range(3)), []),
        lambda: shards.replace(OWNER, iter(documents(range(3)))),
        lambda: shards.drop(OWNER),
    ):
        with pytest.raises(IndexUnavailable):
            use()


class Overtaken:
    """A client for whom another writer is always first."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def put_object(self, **_: Any) -> Any:
        raise ClientError({"Error": {"Code": "ConditionalRequestConflict"}}, "PutObject")


def test_a_writer_who_is_never_first_gives_up(s3_client: Any, bucket: str, cache: FileCache) -> None:
    client: Any = Overtaken(s3_client)
    shards = UserShards(S3ShardStore(client, bucket, cache), MODEL, max_attempts=5)
    with pytest.raises(IndexUnavailable):
        shards.apply(OWNER, documents(range(3)), [])
    with pytest.raises(IndexUnavailable):
        shards.replace(OWNER, iter(documents(range(3))))
