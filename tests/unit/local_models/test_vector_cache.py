import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cognis_local.models.vector_cache import PackedVectors, VectorCache

_COMPONENT = st.floats(-100, 100, width=32).filter(lambda value: value == 0 or abs(value) > 1e-3)
_ROWS = hnp.arrays(np.float32, st.tuples(st.integers(1, 6), st.integers(1, 16)), elements=_COMPONENT)


def _entry(rows: int) -> PackedVectors:
    return PackedVectors.pack(np.ones((rows, 64), dtype=np.float32))


@given(_ROWS)
def test_packing_keeps_directions(vectors: np.ndarray) -> None:
    unpacked = PackedVectors.pack(vectors).unpack()
    lengths = np.linalg.norm(vectors, axis=1)
    for row, length, restored in zip(vectors, lengths, unpacked, strict=True):
        if length == 0:
            assert not restored.any()
        else:
            assert np.abs(restored - row / length).max() <= 0.51 / 127


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 20)), max_size=60), st.integers(0, 20_000))
def test_never_holds_more_than_allowed(puts: list[tuple[int, int]], limit: int) -> None:
    cache = VectorCache(limit)
    for name, rows in puts:
        cache.put("tokens", str(name), _entry(rows))
        assert cache.nbytes <= limit
    held = [cache.get("tokens", str(name)) for name in range(31)]
    assert sum(entry.nbytes for entry in held if entry) == cache.nbytes


def test_lets_go_of_what_was_unused_for_longest() -> None:
    entry = _entry(1)
    cache = VectorCache(2 * entry.nbytes)
    cache.put("tokens", "a", entry)
    cache.put("tokens", "b", entry)
    assert cache.get("tokens", "a") is not None
    cache.put("tokens", "c", entry)
    assert cache.get("tokens", "b") is None
    assert cache.get("tokens", "a") is not None


def test_keys_are_whole_texts_and_kinds() -> None:
    cache = VectorCache(1_000_000)
    cache.put("tokens", "x" * 500 + "a", _entry(1))
    assert cache.get("tokens", "x" * 500 + "b") is None
    assert cache.get("phrases", "x" * 500 + "a") is None


def test_makes_only_what_is_missing_and_once_for_equal_texts() -> None:
    cache = VectorCache(1_000_000)
    cache.put("tokens", "a", _entry(1))
    asked: list[list[str]] = []

    def make(texts: list[str]) -> list[PackedVectors]:
        asked.append(texts)
        return [_entry(len(text)) for text in texts]

    entries = cache.get_or_make("tokens", ["bb", "a", "ccc", "bb"], make)
    assert asked == [["bb", "ccc"]]
    assert [len(entry.codes) for entry in entries] == [2, 1, 3, 2]


def test_answers_even_when_nothing_fits() -> None:
    entries = VectorCache(0).get_or_make("tokens", ["a", "b"], lambda texts: [_entry(2) for _ in texts])
    assert [len(entry.codes) for entry in entries] == [2, 2]
