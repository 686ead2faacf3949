import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_local.models.axes import load_axes, principal_axes
from cognis_local.models.embedder import interleave, minilm_weight


def _units(seed: int, rows: int, size: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(rows, size)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(st.integers(0, 1_000), st.floats(0, 1))
def test_dot_products_are_weighted_sums_of_cosines(seed: int, weight: float) -> None:
    first, second = _units(seed, 4, 16), _units(seed + 1, 4, 16)
    vectors = interleave(first, second, np.full(4, weight))
    expected = weight * first @ first.T + (1 - weight) * second @ second.T
    np.testing.assert_allclose(vectors @ vectors.T, expected, atol=1e-5)


def test_every_even_prefix_has_both_halves_in_turn() -> None:
    first, second = _units(1, 2, 4), _units(2, 2, 4)
    vectors = interleave(first, second, np.array([0.5, 0.5]))
    np.testing.assert_allclose(vectors[:, [0, 2]], first[:, :2] * np.sqrt(0.5), rtol=1e-6)
    np.testing.assert_allclose(vectors[:, [1, 3]], second[:, :2] * np.sqrt(0.5), rtol=1e-6)


@pytest.mark.parametrize(("text", "weight"), [("I live in Osaka", 0.8), ("大阪に住んでいます", 0.2)])
def test_the_better_model_of_the_script_weighs_more(text: str, weight: float) -> None:
    assert minilm_weight(text) == pytest.approx(weight)


def test_mixed_texts_weigh_in_between() -> None:
    assert 0.2 < minilm_weight("My friend 美咲さん and 健太くん said やった") < 0.8


def test_principal_axes_find_the_directions_of_most_variance() -> None:
    generator = np.random.default_rng(3)
    spread = np.array([1.0, 9.0, 3.0, 0.1])
    vectors = (generator.normal(size=(4_000, 4)) * spread + 50).astype(np.float32)
    axes = principal_axes(vectors, 2)
    np.testing.assert_allclose(np.abs(axes), np.eye(4)[:, [1, 2]], atol=0.05)
    assert (axes[np.abs(axes).argmax(axis=0), [0, 1]] > 0).all()


def test_the_installed_axes_are_orthonormal() -> None:
    axes = load_axes()
    assert axes.minilm.shape == (384, 384)
    assert axes.universal.shape == (512, 384)
    for matrix in (axes.minilm, axes.universal):
        np.testing.assert_allclose(matrix.T @ matrix, np.eye(384), atol=1e-3)
