"""A document as OpenSearch stores it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np

from cognis_memory.adapters.opensearch.mapping import (
    DERIVED_TERMS,
    FOLDED,
    FULL_GRAPH_FIELD,
    INSTANTS,
    TEXT_FIELDS,
    TIME_FIELDS,
)
from cognis_memory.adapters.opensearch.vectors import encode
from cognis_memory.adapters.opensearch.weighting import counted_terms
from cognis_memory.domain.matryoshka import FULL_COMPONENTS, candidate_vectors
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.domain.text import storable_text
from cognis_memory.domain.times import instant_of
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.fields import countable
from cognis_memory.models.values import FloatVector, Metadata, MetadataScalar, Owner

_DECIMALS: Final = 6
"""Of a component in JSON: as much as a float32 of a unit vector holds, nearly."""

Body = dict[str, Any]


def document_key(owner: Owner, generation: str, id_: str) -> str:
    """The `_id`: another in every generation, so that what was deleted in one may come back in the next."""
    return f"{owner_key(owner)}:{generation}:{storable_text(id_)}"


def document_body(
    owner: Owner, generation: str, model_id: str, document: IndexDocument, *, full_graph: bool
) -> Body:
    """Raises ValueError for a vector of another shape than (768,) or with components that are not finite."""
    texts = {name: storable_text(v) for name in TEXT_FIELDS if (v := getattr(document, name)) is not None}
    times = {name: time_text(v) for name in TIME_FIELDS if (v := getattr(document, name)) is not None}
    return {
        **owner_fields(owner),
        "generation": generation,
        "model_id": model_id,
        **texts,
        **times,
        "is_current": document.is_current,
        "content": storable_text(document.text),
        "context": storable_text(document.context),
        **dict(zip(DERIVED_TERMS, counted_terms(document.text, document.context), strict=True)),
        **_vectors(checked_vector(document), full_graph),
        INSTANTS: {name: at for name, text in texts.items() if (at := instant_of(text)) is not None},
        FOLDED: {name: text.casefold() for name, text in texts.items()},
        "metadata": list(_entries(document.metadata)),
    }


def owner_fields(owner: Owner) -> Body:
    """Whose a document is: `owner` decides, the other two are for people who read the index."""
    return {
        "owner": owner_key(owner),
        "tenant_id": storable_text(owner.tenant_id),
        "user_id": storable_text(owner.user_id),
    }


def checked_vector(document: IndexDocument) -> FloatVector:
    """The document's vector. Raises ValueError for another shape than (768,) and what is not finite."""
    vector = np.asarray(document.vector, dtype=np.float32)
    if vector.shape != (FULL_COMPONENTS,) or not np.isfinite(vector).all():
        raise ValueError(f"a vector has {FULL_COMPONENTS} finite components")
    return vector


def components(vector: FloatVector) -> list[float]:
    """A vector as JSON holds it."""
    rounded: list[float] = np.round(vector.astype(np.float64), _DECIMALS).tolist()
    return rounded


def time_text(moment: datetime) -> str:
    """RFC 3339 in UTC and whole milliseconds, which is what models hold of times."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def number_parts(number: float) -> tuple[float, int]:
    """A number as the float nearest to it and what that leaves: exact and in order for 64-bit integers."""
    nearest = float(number) + 0.0  # no negative zero, which OpenSearch tells from zero
    return nearest, number - int(nearest) if isinstance(number, int) else 0


def _vectors(vector: FloatVector, full_graph: bool) -> Body:
    fields: Body = {"embedding_768d": encode(vector)}
    prefix = candidate_vectors(vector)
    if prefix.any():  # the cosine to a zero vector is undefined, and OpenSearch refuses it
        fields["embedding_256d"] = components(prefix)
        if full_graph:
            fields[FULL_GRAPH_FIELD] = components(vector)
    return fields


def _entries(metadata: Metadata) -> Iterator[Body]:
    for key, value in metadata.items():
        shared = {"key": storable_text(key), "listed": isinstance(value, list)}
        for element in value if isinstance(value, list) else [value]:
            yield shared | _typed(element)


def _typed(value: MetadataScalar) -> Body:
    if isinstance(value, bool):
        return {"boolean": value}
    if isinstance(value, str):
        text = storable_text(value)
        instant = instant_of(text)
        return {"string": text, "folded": text.casefold()} | ({} if instant is None else {"date": instant})
    if not countable(value):
        return {}
    number, remainder = number_parts(value)
    return {"number": number, "remainder": remainder}
