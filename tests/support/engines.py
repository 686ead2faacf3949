"""Opens deployments from a description that fits into JSON, so that several processes can open one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from deployment import Deployment
from fakes import NOW, HashEmbedder, ManualClock, SentenceExtractor

from cognis_memory.adapters.files import FolderPayloadStore, FolderTransferFiles
from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.ports import Extractor

Description = dict[str, Any]


def describe(folder: Path, **engines: Any) -> Description:
    """What `open_deployment` takes: `ledger` (sqlite, dynamodb), `shards` and `payloads` (folder, s3; files
    lie as payloads do), `extractor` (sentences, rules), `endpoint`, the address of the stand-in for AWS, and
    `stores`, the name of table and bucket there. With `node`, an OpenSearch node's URL, `index` there takes
    the shards' place."""
    description = {
        "folder": str(folder),
        "ledger": "sqlite",
        "shards": "folder",
        "payloads": "folder",
        "extractor": "sentences",
        "endpoint": None,
        "stores": "cognis",
        "node": None,
        "index": None,
        "now": NOW.isoformat(),
    }
    return description | engines


def open_deployment(description: Description) -> Deployment:
    folder, embedder = Path(description["folder"]), HashEmbedder()
    engines: dict[str, Any] = {
        "ledger": lambda: SqliteLedger(folder / "ledger.sqlite3"),
        "shards": lambda: FolderShardStore(folder / "shards"),
        "payloads": lambda: FolderPayloadStore(folder / "payloads"),
        "files": lambda: FolderTransferFiles(folder / "transfers"),
    }
    chosen = {**description, "files": description["payloads"]}
    if {chosen[name] for name in engines} & {"dynamodb", "s3"}:
        from aws_engines import aws_engines  # noqa: PLC0415 - it takes long, and most processes live short

        aws = aws_engines(description)
        engines |= {name: aws[name] for name in engines if chosen[name] in ("dynamodb", "s3")}
    return Deployment(
        ledger=engines["ledger"](),
        payloads=engines["payloads"](),
        files=engines["files"](),
        index=_index(description, engines["shards"], embedder.model_id),
        embedder=embedder,
        extractor=_extractor(description["extractor"]),
        clock=ManualClock(datetime.fromisoformat(description["now"])),
    )


def _index(description: Description, shards: Callable[[], Any], model_id: str) -> Any:
    if description["node"] is None:
        return UserShards(shards(), model_id)
    from cognis_memory.adapters.opensearch import (  # noqa: PLC0415 - for the same reason
        IndexNames,
        OpenSearchConnection,
        OpenSearchIndex,
    )

    connection = OpenSearchConnection(description["node"])
    return OpenSearchIndex(connection, model_id, names=IndexNames(description["index"]))


def _extractor(name: str) -> Extractor:
    if name == "sentences":
        return SentenceExtractor()
    from cognis_local.extraction import RulesExtractor  # noqa: PLC0415 - for the same reason

    return RulesExtractor()
