"""Settings and mapping of an index of memories.

Besides the documents there is one *record* for each owner, see `generations`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from cognis_memory.adapters.opensearch.weighting import ANALYSIS, COUNTED_TERMS, SIMILARITY
from cognis_memory.domain.filters import FIELD_TYPES, FieldType
from cognis_memory.domain.matryoshka import CANDIDATE_COMPONENTS, FULL_COMPONENTS
from cognis_memory.domain.text import TOKENISATION_VERSION

LAYOUT_VERSION: Final = 1
"""Goes up with every change of the mapping: an index of another layout has to be migrated."""

FULL_GRAPH_FIELD: Final = "embedding_768d_graph"
INSTANTS: Final = "instants"
FOLDED: Final = "folded"
DERIVED_TERMS: Final = ("content_english", "content_cjk")

UNSTORED: Final = (*DERIVED_TERMS, "embedding_*", INSTANTS, FOLDED)
"""What `_source` leaves out, for it can be made again from the rest and the ledger."""

Engine = Literal["lucene", "faiss"]

LONGEST_REFRESH_SECONDS: Final = 5.0
"""Half of what a request waits for its answer, and a write waits for its refresh."""

SHORTEST_MEMORY_SECONDS: Final = 900
"""A function runs no longer: what it writes comes while the deletion is remembered."""

TEXT_FIELDS: Final = tuple(name for name, type_ in FIELD_TYPES.items() if type_ is FieldType.TEXT)
TIME_FIELDS: Final = tuple(name for name, type_ in FIELD_TYPES.items() if type_ is FieldType.TIME)

_KEYWORD: Final = {"type": "keyword"}
_STORED_ONLY: Final = {"type": "text", "index": False}
_INSTANT: Final = {"type": "long"}
_FOLDED_TEXT: Final = {"type": "keyword", "index": False}
_TIME: Final = {"type": "date", "format": "strict_date_time"}


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """What of an index may be chosen when it is made.

    `engine`: of the vectors' graphs. `full_graph`: a graph over all 768 components, too, which searches then
    go by in place of the candidates' 256. `refresh_seconds`: how soon writes can be found, and how long each
    write waits at most. `gc_deletes_seconds`: how long deletions are remembered; a write that was under way
    when its document was deleted must come before that. Raises ValueError, which says what can be.
    """

    shards: int = 3
    replicas: str = "0-1"
    engine: Engine = "lucene"
    full_graph: bool = False
    refresh_seconds: float = 1.0
    gc_deletes_seconds: int = 3_600

    def __post_init__(self) -> None:
        if self.shards < 1:
            raise ValueError("an index has a shard or more")
        if not 0 < self.refresh_seconds <= LONGEST_REFRESH_SECONDS:
            raise ValueError(
                f"an index is refreshed after more than 0 and {LONGEST_REFRESH_SECONDS:g} s at most"
            )
        if self.gc_deletes_seconds < SHORTEST_MEMORY_SECONDS:
            raise ValueError(f"an index remembers deletions for {SHORTEST_MEMORY_SECONDS} s or longer")


def index_body(settings: IndexSettings, model_id: str, *, replaces: str | None = None) -> dict[str, Any]:
    """The body that creates an index for vectors of that embedding model.

    `replaces`: the index whose place it will take once it holds the same.
    """
    return {
        "settings": {
            "index": {
                "knn": True,
                "number_of_shards": settings.shards,
                "auto_expand_replicas": settings.replicas,
                "refresh_interval": f"{round(settings.refresh_seconds * 1000)}ms",
                "gc_deletes": f"{settings.gc_deletes_seconds}s",
                "analysis": ANALYSIS,
                "similarity": SIMILARITY,
            }
        },
        "mappings": {
            "dynamic": "strict",
            "_routing": {"required": True},
            "_source": {"excludes": [*UNSTORED]},
            "_meta": {
                "layout": LAYOUT_VERSION,
                "tokenisation": TOKENISATION_VERSION,
                "model_id": model_id,
                "settings": asdict(settings),
                **({"replaces": replaces} if replaces else {}),
            },
            "properties": _document_properties(settings) | _record_properties(),
        },
    }


def _document_properties(settings: IndexSettings) -> dict[str, Any]:
    return {
        "owner": _KEYWORD,
        "tenant_id": _KEYWORD,
        "user_id": _KEYWORD,
        "generation": _KEYWORD,
        "model_id": _KEYWORD,
        **dict.fromkeys(TEXT_FIELDS, _KEYWORD),
        **dict.fromkeys(TIME_FIELDS, _TIME),
        "is_current": {"type": "boolean"},
        "content": _STORED_ONLY,
        "context": _STORED_ONLY,
        **dict.fromkeys(DERIVED_TERMS, COUNTED_TERMS),
        **_vector_properties(settings),
        # Of texts: the instant that one names, if any, and its case-folded form, which `contains` looks into.
        INSTANTS: {"properties": dict.fromkeys(TEXT_FIELDS, _INSTANT)},
        FOLDED: {"properties": dict.fromkeys(TEXT_FIELDS, _FOLDED_TEXT)},
        "metadata": {"type": "nested", "properties": _METADATA},
    }


_METADATA: Final = {
    "key": _KEYWORD,
    "string": _KEYWORD,
    "folded": _FOLDED_TEXT,
    "date": _INSTANT,
    "number": {"type": "double"},
    "remainder": {"type": "short"},
    "boolean": {"type": "boolean"},
    "listed": {"type": "boolean"},
}
"""One entry for each value. `date`: microseconds since 1970 of a string that is an RFC 3339 time.

A number is `number` + `remainder`: the second is what a float leaves of an integer of 64 bits.
"""


def _vector_properties(settings: IndexSettings) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "embedding_256d": _graph(CANDIDATE_COMPONENTS, settings.engine, ef_construction=128),
        # See `vectors`: read to put candidates in order, never walked, so it needs no graph.
        "embedding_768d": {"type": "binary", "doc_values": True},
    }
    if settings.full_graph:
        properties[FULL_GRAPH_FIELD] = _graph(FULL_COMPONENTS, settings.engine, ef_construction=256)
    return properties


def _graph(dimension: int, engine: Engine, *, ef_construction: int) -> dict[str, Any]:
    return {
        "type": "knn_vector",
        "dimension": dimension,
        "method": {
            "name": "hnsw",
            "engine": engine,
            "space_type": "cosinesimil",
            "parameters": {"m": 16, "ef_construction": ef_construction},
        },
    }


def _record_properties() -> dict[str, Any]:
    return {
        "record": {"type": "boolean"},
        "changes": {"type": "long", "index": False},
        "generations": {"type": "object", "enabled": False},
        "copied": {"type": "object", "enabled": False},
    }
