"""Amazon OpenSearch: k-NN and BM25 in one index for all owners. `OpenSearchIndex` is the adapter."""

from cognis_memory.adapters.opensearch.connection import OpenSearchConnection
from cognis_memory.adapters.opensearch.index import OpenSearchIndex
from cognis_memory.adapters.opensearch.mapping import IndexSettings, index_body
from cognis_memory.adapters.opensearch.names import IndexNames

__all__ = ["IndexNames", "IndexSettings", "OpenSearchConnection", "OpenSearchIndex", "index_body"]
