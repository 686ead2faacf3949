"""What an index takes, and the node that holds it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cognis_memory.adapters.opensearch import IndexNames, OpenSearchConnection


@dataclass(frozen=True, slots=True)
class Footprint:
    """`disk_mb` of the index. Memory is that of the process, whatever indexes it holds: `heap_mb` in use,
    `resident_mb` in all, `own_mb` without the files that are mapped."""

    disk_mb: float
    segments: int
    heap_mb: float
    resident_mb: float
    own_mb: float


def footprint(connection: OpenSearchConnection, names: IndexNames, pid: int) -> Footprint:
    """That of the index behind the read alias, and of the node that is process `pid`."""
    totals = connection.request("GET", f"/{names.read}/_stats/store,segments")["_all"]["primaries"]
    nodes = connection.request("GET", "/_nodes/stats/jvm")["nodes"]
    (heap,) = (node["jvm"]["mem"]["heap_used_in_bytes"] for node in nodes.values())
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    )
    resident, own = (int(status[name].split()[0]) / 1e3 for name in ("VmRSS", "RssAnon"))
    return Footprint(
        totals["store"]["size_in_bytes"] / 1e6, totals["segments"]["count"], heap / 1e6, resident, own
    )
