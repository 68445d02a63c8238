"""searchsorted agrees with NumPy."""

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from dpctl.utils import ExecutionPlacementError
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from reference import CODES, sorted_rows

LENGTHS = [0, 1, 2, 3, 31, 1000, 1024, 70_001]
SIDES = ["left", "right"]


def numbers(code: str, count: int, seed: int) -> np.ndarray:
    """Elements with ties, with zeros of both signs, infinities and NaNs of all kinds."""
    random = np.random.default_rng([seed, count])
    kind = np.dtype(code).kind
    if kind == "b":
        return random.integers(0, 2, count).astype(code)
    if kind in "iu":
        info = np.iinfo(code)
        wide = random.integers(info.min, info.max, count, dtype=code, endpoint=True)
        return np.where(random.random(count) < 0.3, wide % 7, wide).astype(code)

    def reals() -> np.ndarray:
        special = random.choice([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0], count)
        return np.where(random.random(count) < 0.2, special, np.round(random.normal(0, 3, count), 1))

    if kind == "f":
        return reals().astype(code)
    made = np.empty(count, code)
    made.real, made.imag = reals(), reals()
    return made


def same(ours, expected) -> None:
    found = dpt.asnumpy(ours)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("code", CODES)
def test_dtypes(code: str, side: str) -> None:
    for length in LENGTHS:
        a = sorted_rows(numbers(code, length, 1))
        for count in (0, 1, 10, 63, 64, 65, 5001):
            v = numbers(code, count, 2)
            v[: min(length, count) : 2] = a[: min(length, count) : 2]
            same(dpt.searchsorted(dpt.asarray(a), dpt.asarray(v), side=side), np.searchsorted(a, v, side))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("step", [1, 2, 3, -1, -2])
def test_strides_of_the_sorted_elements(step: int, side: str) -> None:
    a = np.sort(numbers("d", 5000, 3))[:: 1 if step > 0 else -1].copy()
    v = numbers("d", 3000, 4)
    x = dpt.asarray(a)[::step]
    same(dpt.searchsorted(x, dpt.asarray(v), side=side), np.searchsorted(a[::step], v, side))
    same(dpt.searchsorted(x, dpt.asarray(v[:5]), side=side), np.searchsorted(a[::step], v[:5], side))


def test_sorted_elements_of_stride_0() -> None:
    x = dpt.broadcast_to(dpt.asarray(2.0), (7,))
    same(dpt.searchsorted(x, dpt.asarray([1.0, 2.0, 3.0])), [0, 0, 7])
    same(dpt.searchsorted(x, dpt.asarray([1.0, 2.0, 3.0]), side="right"), [0, 7, 7])


def test_layouts_of_needles() -> None:
    a, v = np.sort(numbers("i", 1000, 5)), numbers("i", 60 * 80, 6).reshape(60, 80)
    x, w = dpt.asarray(a), dpt.asarray(v)
    views = [lambda b: b, lambda b: b.T, lambda b: b[::-1, 1::2], lambda b: b[3], lambda b: b[:, 3], lambda b: b[2, 3]]
    for view in views:
        same(dpt.searchsorted(x, view(w)), np.searchsorted(a, view(v)))
    cube = v.reshape(4, 15, 80)
    same(dpt.searchsorted(x, dpt.permute_dims(dpt.asarray(cube), (1, 0, 2))), np.searchsorted(a, cube.swapaxes(0, 1)))
    assert dpt.searchsorted(x, w.T).flags.f_contiguous


@pytest.mark.parametrize("first", ["b", "H", "q", "e", "f", "F"])
@pytest.mark.parametrize("second", ["?", "B", "h", "I", "e", "d", "D"])
def test_dtypes_are_promoted(first: str, second: str) -> None:
    a, v = sorted_rows(numbers(first, 300, 7)), numbers(second, 2000, 8)
    common = dpt.result_type(dpt.asarray(a), dpt.asarray(v))
    expected = np.searchsorted(a.astype(common), v.astype(common))
    same(dpt.searchsorted(dpt.asarray(a), dpt.asarray(v)), expected)


@pytest.mark.parametrize("code", ["b", "I", "q"])
def test_sorter(code: str) -> None:
    a, v = numbers("f", 100, 9), numbers("f", 500, 10)
    order = np.argsort(a, kind="stable")
    x, w, s = dpt.asarray(a), dpt.asarray(v), dpt.asarray(order.astype(code))
    for side in SIDES:
        same(dpt.searchsorted(x, w, side=side, sorter=s), np.searchsorted(a, v, side, order))


def test_indices_of_a_sorter_are_limited_to_the_array() -> None:
    x, sorter = dpt.asarray([1, 2, 0]), dpt.asarray([-1, -9, 1])
    same(dpt.searchsorted(x, dpt.arange(3), sorter=sorter), [0, 1, 2])


def test_pending_operands() -> None:
    a, v = np.sort(numbers("f", 50_000, 11)), numbers("f", 40_000, 12)
    x, w = dpt.asarray(a) + 1, dpt.asarray(v) * 2
    same(dpt.searchsorted(x, w) + 1, np.searchsorted(a + np.float32(1), v * np.float32(2)) + 1)


def test_operands_may_be_overwritten_afterwards() -> None:
    a, v = np.arange(100_000), numbers("l", 100_000, 13) % 100_000
    x, w = dpt.asarray(a), dpt.asarray(v)
    found = dpt.searchsorted(x, w)
    x[...] = 0
    w[...] = 0
    same(found, np.searchsorted(a, v))


@settings(deadline=None, max_examples=200)
@given(
    st.sampled_from(CODES).flatmap(
        lambda c: st.tuples(
            hnp.arrays(np.dtype(c), st.integers(0, 20)),
            hnp.arrays(np.dtype(c), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6)),
        )
    ),
    st.sampled_from(SIDES),
)
def test_any_arrays(arrays: tuple[np.ndarray, np.ndarray], side: str) -> None:
    a, v = sorted_rows(arrays[0]), arrays[1]
    same(dpt.searchsorted(dpt.asarray(a), dpt.asarray(v), side=side), np.searchsorted(a, v, side))


def test_errors() -> None:
    x = dpt.arange(5)
    with pytest.raises(TypeError, match="searchsorted: x1 must be a usm_ndarray, got list"):
        dpt.searchsorted([1, 2], x)
    with pytest.raises(TypeError, match="searchsorted: x2 must be a usm_ndarray, got int"):
        dpt.searchsorted(x, 1)
    with pytest.raises(TypeError, match="searchsorted: sorter must be a usm_ndarray, got dict"):
        dpt.searchsorted(x, x, sorter={})
    with pytest.raises(ValueError, match="searchsorted: side must be 'left' or 'right', got 'middle'"):
        dpt.searchsorted(x, x, side="middle")
    with pytest.raises(ValueError, match=r"searchsorted: x1 must have one axis, got shape \(1, 5\)"):
        dpt.searchsorted(x[None], x)
    with pytest.raises(ValueError, match="sorter must have an integer data type, got float64"):
        dpt.searchsorted(x, x, sorter=dpt.ones(5))
    with pytest.raises(ValueError, match=r"sorter must have the shape of x1, \(5\), got \(4\)|\(5,\), got \(4,\)"):
        dpt.searchsorted(x, x, sorter=x[1:])
    other = dpctl.SyclQueue(x.sycl_device, property="in_order")
    for arguments in [(x, x.to_device(other)), (x.to_device(other), x), (x, x, x.to_device(other))]:
        with pytest.raises(ExecutionPlacementError, match="searchsorted"):
            dpt.searchsorted(*arguments[:2], sorter=(*arguments, None)[2])


def test_kinds_of_memory() -> None:
    x, v = dpt.arange(5, usm_type="host"), dpt.arange(3, usm_type="shared")
    assert dpt.searchsorted(x, v).usm_type == "shared"
    assert dpt.searchsorted(x, v, sorter=dpt.arange(5)).usm_type == "shared"
