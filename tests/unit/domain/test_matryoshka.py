from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from cognis_memory.domain.matryoshka import candidate_vectors, normalise, shorten

Vectors = NDArray[np.floating[Any]]

COMPONENTS = st.floats(-(2.0**100), 2.0**100, width=32)
VECTORS = arrays(np.float32, 1024, elements=COMPONENTS)


@given(VECTORS, st.sampled_from([256, 768]))
def test_a_prefix_keeps_its_direction_at_unit_length(vector: Vectors, components: int) -> None:
    short = shorten(vector, components)
    prefix = vector[:components].astype(np.float64)
    length = float(np.linalg.norm(prefix))

    assert short.shape == (components,)
    assert short.dtype == np.float32
    np.testing.assert_allclose(short * length, prefix, atol=1e-6 * length)
    assert np.linalg.norm(short) == pytest.approx(1.0 if length > 0 else 0.0, abs=1e-5)


@given(arrays(np.float32, (3, 300), elements=COMPONENTS))
def test_rows_of_a_matrix_are_taken_one_by_one(matrix: Vectors) -> None:
    rows = np.stack([candidate_vectors(row) for row in matrix])
    np.testing.assert_array_equal(candidate_vectors(matrix), rows)


@given(arrays(np.float32, 1024, elements=st.integers(-100, 100).map(float)))
def test_shortening_in_steps_is_shortening_at_once(vector: Vectors) -> None:
    np.testing.assert_allclose(candidate_vectors(shorten(vector)), candidate_vectors(vector), atol=1e-5)


def test_a_zero_vector_stays_zero() -> None:
    assert not normalise(np.zeros((2, 4), np.float32)).any()
    assert normalise(np.array([[0.0, 0.0], [0.0, 2.0]])).tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_very_small_and_very_large_vectors_are_normalised() -> None:
    assert normalise(np.array([1e-38, 0.0], np.float32)).tolist() == [1.0, 0.0]
    assert normalise(np.array([3e38, 0.0], np.float32)).tolist() == [1.0, 0.0]


def test_a_vector_of_too_few_components_is_refused() -> None:
    with pytest.raises(ValueError, match="768 components of 384"):
        shorten(np.ones(384))


def test_no_rows_give_no_rows() -> None:
    assert candidate_vectors(np.empty((0, 768), np.float32)).shape == (0, 256)
