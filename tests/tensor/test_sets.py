"""unique_values, unique_counts, unique_inverse, unique_all and isin agree with NumPy."""

import dpctl.tensor as dpt
import numpy as np
import pytest
from dpctl.utils import ExecutionPlacementError
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from reference import CODES, LAYOUTS, laid_out
from test_searching import numbers

SIZES = [0, 1, 2, 3, 100, 4097, 70_001]


def same(ours, expected) -> None:
    np.testing.assert_array_equal(dpt.asnumpy(ours), expected, strict=True)


def check_all(x, a: np.ndarray) -> None:
    """Compare all functions with numpy.unique. The inverse indices of NaNs count them one by one."""
    values, indices, inverse, counts = np.unique(a, True, True, True, equal_nan=False)
    found = dpt.unique_all(x)
    for ours, expected in zip(found, (values, indices, inverse.reshape(a.shape), counts), strict=True):
        same(ours, expected)
    same(dpt.unique_values(x), values)
    same(dpt.unique_counts(x).values, values)
    same(dpt.unique_counts(x).counts, counts)
    same(dpt.unique_inverse(x).values, values)
    same(dpt.unique_inverse(x).inverse_indices, inverse.reshape(a.shape))


@pytest.mark.parametrize("code", CODES)
def test_dtypes(code: str) -> None:
    for size in SIZES:
        a = numbers(code, size, 1)
        check_all(dpt.asarray(a), a)


@pytest.mark.parametrize("code", ["i", "d"])
@pytest.mark.parametrize("different", [1, 2, 1000, 10**9])
def test_numbers_of_different_elements(different: int, code: str) -> None:
    a = np.random.default_rng(different).integers(0, different, 200_000).astype(code)
    check_all(dpt.asarray(a), a)


@pytest.mark.parametrize("code", ["?", "b", "f", "D"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout: str, code: str) -> None:
    a, x = laid_out(code, layout, low=0, high=2)
    check_all(x, a)


@pytest.mark.parametrize("shape", [(), (1,), (3, 0), (2, 3, 4)])
def test_shapes(shape: tuple[int, ...]) -> None:
    a = np.random.default_rng(0).integers(0, 3, shape)
    check_all(dpt.asarray(a), np.asarray(a))


def test_pending_elements() -> None:
    a = np.random.default_rng(0).integers(0, 50, 30_000)
    check_all(dpt.asarray(a) // 2 + 1, a // 2 + 1)


@settings(deadline=None, max_examples=200)
@given(
    st.sampled_from(CODES).flatmap(
        lambda c: hnp.arrays(np.dtype(c), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6))
    )
)
def test_any_array(a: np.ndarray) -> None:
    check_all(dpt.asarray(a), a)


def test_results_are_named() -> None:
    x = dpt.asarray([3, 1, 3])
    assert type(dpt.unique_counts(x)).__name__ == "UniqueCountsResult"
    assert type(dpt.unique_inverse(x)).__name__ == "UniqueInverseResult"
    found = dpt.unique_all(x)
    assert type(found).__name__ == "UniqueAllResult"
    assert found._fields == ("values", "indices", "inverse_indices", "counts")
    values, indices, inverse, counts = found
    assert values is found.values and indices is found.indices
    assert inverse is found.inverse_indices and counts is found.counts


@pytest.mark.parametrize("name", ["unique_values", "unique_counts", "unique_inverse", "unique_all"])
def test_errors(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name}: x must be a usm_ndarray, got list"):
        getattr(dpt, name)([1, 2])


def test_kinds_of_memory() -> None:
    for kind in ("device", "shared", "host"):
        assert all(part.usm_type == kind for part in dpt.unique_all(dpt.asarray([1, 2, 1], usm_type=kind)))


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("code", CODES)
def test_membership(code: str, invert: bool) -> None:
    for elements in (0, 1, 10, 5000, 70_001):
        for tests in (0, 1, 8, 9, 1000):
            a, t = numbers(code, elements, 1), numbers(code, tests, 2)
            t[::2] = a[:: max(1, elements // 500)][: len(t[::2])] if 2 * elements >= tests else 0
            same(dpt.isin(dpt.asarray(a), dpt.asarray(t), invert=invert), np.isin(a, t, invert=invert))


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("code", "bBhHiIlL")
@pytest.mark.parametrize("end", ["least", "greatest", "middle"])
def test_membership_in_a_small_range_of_integers(end: str, code: str, invert: bool) -> None:
    info, random = np.iinfo(code), np.random.default_rng(3)
    first = {"least": info.min, "greatest": info.max - 99, "middle": info.max // 2 - 50}[end]
    t = np.array([first + int(k) for k in random.integers(0, 100, 40)], code)
    others = random.integers(info.min, info.max, 9000, dtype=code, endpoint=True)
    a = np.where(random.random(9000) < 0.5, np.resize(t, 9000), others)
    a[:4] = info.min, info.max, first, first + 99
    same(dpt.isin(dpt.asarray(a), dpt.asarray(t), invert=invert), np.isin(a, t, invert=invert))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_membership_of_views(layout: str) -> None:
    a, x = laid_out("i", layout)
    t, y = laid_out("i", layout, seed=1, high=0)
    same(dpt.isin(x, y), np.isin(a, t))
    same(dpt.isin(x + 1, y - 1), np.isin(a + 1, t - 1))


@pytest.mark.parametrize("first", ["b", "H", "q", "e", "f", "F"])
@pytest.mark.parametrize("second", ["?", "B", "h", "I", "e", "d"])
def test_membership_in_other_dtypes(first: str, second: str) -> None:
    a, t = numbers(first, 3000, 7), numbers(second, 200, 8)
    common = np.result_type(a, t)
    same(dpt.isin(dpt.asarray(a), dpt.asarray(t)), np.isin(a.astype(common), t.astype(common)))


def test_membership_of_numbers() -> None:
    x = dpt.asarray([[0, 1], [2, 3]], dtype="int8")
    same(dpt.isin(x, 2), [[False, False], [True, False]])
    same(dpt.isin(x, 2.5), np.zeros((2, 2), bool))
    same(dpt.isin(x, 2.5, invert=True), np.ones((2, 2), bool))
    same(dpt.isin(x, 1000), np.zeros((2, 2), bool))
    same(dpt.isin(3, x), np.array(True))
    same(dpt.isin(4, x), np.array(False))
    same(dpt.isin(dpt.asarray([0.1], dtype="f4"), 0.1), [True])
    same(dpt.isin(True, x, assume_unique=True), np.array(True))
    with pytest.raises(ExecutionPlacementError, match="isin"):
        dpt.isin(1, 2)
    with pytest.raises(ValueError, match="isin: expected an array or a number, got list"):
        dpt.isin(x, [1, 2])
