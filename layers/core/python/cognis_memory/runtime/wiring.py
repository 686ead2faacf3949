"""Opens what a process of the deployment needs, each thing once and only when it is asked for."""

# ruff: noqa: PLC0415 - each property imports what it opens

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from datetime import datetime
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import boto3

from cognis_memory.adapters.aws.clients import Service, aws_client
from cognis_memory.adapters.system import now
from cognis_memory.errors import ConfigurationError
from cognis_memory.runtime.settings import Search, Settings, variable

if TYPE_CHECKING:
    from botocore.config import Config

    from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore
    from cognis_memory.adapters.opensearch import IndexNames, OpenSearchConnection, OpenSearchIndex
    from cognis_memory.adapters.opensearch.snapshots import SnapshotRepository
    from cognis_memory.adapters.shards import UserShards
    from cognis_memory.domain.pricing import Prices
    from cognis_memory.models.values import Owner
    from cognis_memory.ports import ExecutionStarter, Ledger, PayloadStore, SearchIndex, TransferFiles
    from cognis_memory.runtime.models import ModelSet
    from cognis_memory.services.ingestion.state import IngestionPorts
    from cognis_memory.services.memories.ports import MemoryPorts
    from cognis_memory.services.projection import Projector
    from cognis_memory.services.retrieval.state import RetrievalPorts
    from cognis_memory.services.transfer.state import TransferPorts

CONNECT_SECONDS: Final = 1.0
READ_SECONDS: Final = 5.0
ATTEMPTS: Final = 3
"""What still fails then is repeated by the state machine, or by the caller."""

CREDENTIAL_CONNECT_SECONDS: Final = 0.5
CREDENTIAL_READ_SECONDS: Final = 1.5
"""Twice as long fits into the authorizer's time."""

SHARD_CACHE_BYTES: Final = 400_000_000
"""Copies of shards on disk: a function has 512 MB there."""

OPEN_SHARD_BYTES: Final = 64_000_000
OPEN_SHARDS: Final = 20
"""Shards open at once in one process, and their memory: a function serves few users at a time."""

REMEMBERED_QUERIES: Final = 500
"""Vectors of queries in one process: 3 kB each."""


class Deployment:
    """The engines that the settings name, behind the ports of the services.

    Raises ConfigurationError, which names the variable, when a setting that is needed is missing or wrong.
    A module of weight is imported by the property that needs it: who checks a credential loads no more.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock: Callable[[], datetime] = now
        self._clients: dict[Service, Any] = {}

    @cached_property
    def ledger(self) -> Ledger:
        from cognis_memory.adapters.dynamodb.ledger import DynamoLedger

        return DynamoLedger(self.settings.required("ledger_table"), self._client("dynamodb"))

    @cached_property
    def payloads(self) -> PayloadStore:
        from cognis_memory.adapters.s3 import S3PayloadStore

        return S3PayloadStore(self.settings.required("payload_bucket"), self._client("s3"))

    @cached_property
    def transfer_files(self) -> TransferFiles:
        """Through a client of its own, which signs links as every region and every key of KMS takes them."""
        from botocore.config import Config

        from cognis_memory.adapters.s3 import S3TransferFiles

        signing = Config(signature_version="s3v4", request_checksum_calculation="when_required")
        client = _new_client("s3", config=signing)
        return S3TransferFiles(self.settings.required("transfer_bucket"), client)

    @cached_property
    def credentials(self) -> DynamoCredentialStore:
        from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore

        client = aws_client(
            "dynamodb",
            connect_seconds=CREDENTIAL_CONNECT_SECONDS,
            read_seconds=CREDENTIAL_READ_SECONDS,
            attempts=ATTEMPTS,
        )
        return DynamoCredentialStore(self.settings.required("credential_table"), client)

    @cached_property
    def models(self) -> ModelSet:
        """Made by the model provider, where the settings name one, or else those of AWS that they name."""
        provider = self.settings.model_provider
        if provider is None:
            from cognis_memory.runtime.aws_models import AwsModels

            return AwsModels(self.settings)
        module, name = provider.split(":")
        try:
            provide: Callable[..., ModelSet] = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ConfigurationError(f"{variable('model_provider')}: {error}") from error
        return provide(self.settings.environ)

    @cached_property
    def index(self) -> SearchIndex:
        """The engine that searches are answered from: it serves the ports of both indexes."""
        return self.engine(self.settings.search_engine)

    @cached_property
    def indexes(self) -> list[SearchIndex]:
        """Every engine that is written to, the one for searches first."""
        also = self.settings.also_index
        if also is None or also == self.settings.search:
            return [self.index]
        return [self.index, self.engine(also)]

    def engine(self, name: Search) -> SearchIndex:
        """That engine of this deployment, whether its searches use it or not."""
        return self.opensearch if name == "opensearch" else self.shards

    @cached_property
    def shards(self) -> UserShards:
        from cognis_memory.adapters.shards import UserShards
        from cognis_memory.adapters.shards.file_cache import FileCache
        from cognis_memory.adapters.shards.s3 import S3ShardStore

        cache_folder = Path(tempfile.gettempdir(), f"cognis-{self.settings.stage}-shards")
        store = S3ShardStore(
            self._client("s3"),
            self.settings.required("shard_bucket"),
            FileCache(cache_folder, SHARD_CACHE_BYTES),
        )
        return UserShards(
            store,
            self.models.embedder.model_id,
            max_open=OPEN_SHARDS,
            max_open_bytes=OPEN_SHARD_BYTES,
        )

    @cached_property
    def opensearch(self) -> OpenSearchIndex:
        from cognis_memory.adapters.opensearch import OpenSearchIndex

        model_id = self.models.embedder.model_id
        return OpenSearchIndex(self.opensearch_connection, model_id, names=self.index_names, one_model=True)

    @cached_property
    def index_names(self) -> IndexNames:
        from cognis_memory.adapters.opensearch import IndexNames

        base = self.settings.opensearch_index
        return IndexNames() if base is None else IndexNames(base)

    @cached_property
    def opensearch_connection(self) -> OpenSearchConnection:
        """Its requests are signed as this process's role, unless they stay on this machine."""
        from cognis_memory.adapters.opensearch import OpenSearchConnection
        from cognis_memory.adapters.opensearch.signing import signer_of

        endpoint = self.settings.required("opensearch_endpoint")
        signer = signer_of(boto3.Session()) if endpoint.startswith("https:") else None
        return OpenSearchConnection(endpoint, signer=signer)

    @cached_property
    def snapshots(self) -> SnapshotRepository:
        """Called as the index is."""
        from cognis_memory.adapters.opensearch.snapshots import SnapshotRepository

        return SnapshotRepository(self.opensearch_connection, self.index_names.base, self.index_names)

    @cached_property
    def projector(self) -> Projector:
        from cognis_memory.services.projection import Projector

        return Projector(self.ledger, self.indexes)

    @cached_property
    def ingestion(self) -> IngestionPorts:
        from cognis_memory.services.ingestion.state import IngestionPorts

        return IngestionPorts(
            ledger=self.ledger,
            payloads=self.payloads,
            embedder=self.models.embedder,
            extractor=self.models.extractor,
            vectors=self.index,
            keywords=self.index,
            projector=self.projector,
            clock=self.clock,
            prices=self.prices,
        )

    @cached_property
    def retrieval(self) -> RetrievalPorts:
        from concurrent.futures import ThreadPoolExecutor

        from cognis_memory.domain.settings import DEFAULT
        from cognis_memory.services.retrieval.budget import ModelBudget
        from cognis_memory.services.retrieval.query_vectors import RememberedQueries
        from cognis_memory.services.retrieval.state import RetrievalPorts

        return RetrievalPorts(
            ledger=self.ledger,
            vectors=self.index,
            keywords=self.index,
            embedder=RememberedQueries(self.models.query_embedder, REMEMBERED_QUERIES),
            reranker=self.models.reranker,
            projector=self.projector,
            executor=ThreadPoolExecutor(max_workers=2, thread_name_prefix="cognis-search"),
            clock=self.clock,
            settings=DEFAULT,
            calibrations=self.models.calibrations,
            combined=self.opensearch if self.settings.search == "opensearch" else None,
            budget=ModelBudget(
                ThreadPoolExecutor(max_workers=8, thread_name_prefix="cognis-models"),
                embedding=self.settings.query_embedding_seconds,
                reranking=self.settings.rerank_seconds,
            ),
        )

    @cached_property
    def memories(self) -> MemoryPorts:
        from cognis_memory.services.memories.ports import MemoryPorts

        return MemoryPorts(
            ledger=self.ledger,
            payloads=self.payloads,
            files=self.transfer_files,
            embedder=self.models.embedder,
            projector=self.projector,
            clock=self.clock,
            prices=self.prices,
        )

    @cached_property
    def transfers(self) -> TransferPorts:
        from cognis_memory.services.transfer.state import TransferPorts

        return TransferPorts(
            ledger=self.ledger,
            files=self.transfer_files,
            embedder=self.models.embedder,
            projector=self.projector,
            clock=self.clock,
            masks_secrets=self.settings.masks_secrets,
            prices=self.prices,
        )

    @cached_property
    def starter(self) -> ExecutionStarter:
        from cognis_memory.adapters.stepfunctions import StepFunctionsStarter
        from cognis_memory.models.event import EventKind

        machines = {
            EventKind.INGESTION: self.settings.required("ingestion_machine_arn"),
            EventKind.ERASURE: self.settings.required("erasure_machine_arn"),
            EventKind.EXPORT: self.settings.required("export_machine_arn"),
            EventKind.IMPORT: self.settings.required("import_machine_arn"),
        }
        return StepFunctionsStarter(self._client("stepfunctions"), machines)

    @cached_property
    def user_hash(self) -> Callable[[Owner], str]:
        """A user as logs name them, see `UserHash`; its key is read with the first line."""
        from cognis_memory.adapters.secretsmanager import read_secret
        from cognis_memory.runtime.user_hash import UserHash

        arn = self.settings.required("log_key_secret_arn")
        return UserHash(lambda: read_secret(self._client("secretsmanager"), arn))

    @cached_property
    def prices(self) -> Prices:
        """Of the models that the settings name; those of a provider, and of an endpoint, cost nothing by the
        token unless the settings say what."""
        from cognis_memory.domain.pricing import Prices, price_list

        try:
            prices = price_list(self.settings.prices)
        except ValueError:
            raise ConfigurationError(f"{variable('prices')} is no JSON of prices by ids of models") from None
        extraction, embedding = self.settings.extraction_model_id, self.settings.embedding_model_id
        unknown = [name for name in self.settings.paid_models if name not in prices]
        return Prices(prices.get(extraction or ""), prices.get(embedding or ""), tuple(unknown))

    def _client(self, service: Service) -> Any:
        """One client a service: each takes tens of milliseconds to make."""
        if service not in self._clients:
            self._clients[service] = _new_client(service)
        return self._clients[service]


def _new_client(service: Service, config: Config | None = None) -> Any:
    return aws_client(
        service,
        connect_seconds=CONNECT_SECONDS,
        read_seconds=READ_SECONDS,
        attempts=ATTEMPTS,
        config=config,
    )


@cache
def deployment() -> Deployment:
    """This process's deployment, from its environment. `deployment.cache_clear()` forgets it."""
    return Deployment(Settings.from_environment(os.environ))
