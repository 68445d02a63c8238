"""nonzero, extract, place, put, put_along_axis and x[mask] agree with NumPy."""

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import CODES, LAYOUTS, laid_out, values

SIZES = [0, 1, 7, 8, 2047, 2048, 2049, 5000, 70_001]


def same(ours, expected):
    found = dpt.asnumpy(ours)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


def mask_of(shape, seed=0, share=0.5):
    return np.random.default_rng(seed).random(shape) < share


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0, 0.01, 0.5, 1])
def test_elements_at_a_mask(size, share):
    a, m = np.arange(size, dtype="f4"), mask_of(size, size, share)
    x, mask = dpt.asarray(a), dpt.asarray(m)
    same(x[mask], a[m])
    same(dpt.extract(mask, x), np.extract(m, a))
    same(dpt.nonzero(mask)[0], np.nonzero(m)[0])
    count = int(m.sum())
    a[m] = np.arange(count) + 0.5
    x[mask] = dpt.arange(count, dtype="f4") + 0.5
    same(x, a)
    if count:
        np.place(a, m, [1, 2, 3])
        dpt.place(x, mask, dpt.asarray([1, 2, 3]))
        same(x, a)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_dtypes_and_layouts(code, layout):
    a, x = laid_out(code, layout)
    m = mask_of(a.shape)
    mask = dpt.asarray(m)
    same(x[mask], a[m])
    for ours, expected in zip(dpt.nonzero(x), np.nonzero(a), strict=True):
        same(ours, expected)
    new = values(code, (int(m.sum()),), "new")
    x[mask] = dpt.asarray(new)
    a[m] = new
    same(x, a)
    rows = mask_of(a.shape[0], 1)
    same(x[dpt.asarray(rows)], a[rows])
    x[dpt.asarray(rows)] = dpt.asarray(new[:1])
    a[rows] = new[:1]
    same(x, a)
    index = np.array([4, 1, -1])
    for axis in (0, 1):
        dpt.put(x, dpt.asarray(index), dpt.asarray(new[:1]), axis=axis)
        a[(slice(None),) * axis + (index,)] = new[0]
        same(x, a)


shapes = st.lists(st.integers(0, 4), min_size=0, max_size=6).map(tuple)


@settings(deadline=None)
@given(shape=shapes, data=st.data())
def test_masks_of_leading_axes(shape, data):
    prefix = data.draw(st.integers(0, len(shape)))
    seed = data.draw(st.integers(0, 9))
    a, m = values("d", shape, seed), np.asarray(mask_of(shape[:prefix], seed))
    x, mask = dpt.asarray(a), dpt.asarray(m)
    expected = a[m]
    same(x[mask], expected)
    new = values("d", expected.shape[data.draw(st.integers(0, expected.ndim)) :], "new")
    a[m] = new
    x[mask] = dpt.asarray(new)
    same(x, a)
    a[m] = 3
    x[mask] = 3
    same(x, a)


@settings(deadline=None)
@given(shape=shapes.filter(len), data=st.data())
def test_put_along_each_axis(shape, data):
    axis = data.draw(st.integers(0, len(shape) - 1))
    n = shape[axis]
    a = values("d", shape)
    x = dpt.asarray(a)
    at = np.array(data.draw(st.lists(st.integers(-n, n - 1), unique_by=lambda i: i % n, max_size=n)) if n else [], "l")
    part = a[(slice(None),) * axis + (at,)]
    new = values("d", part.shape[data.draw(st.integers(0, part.ndim)) :], "new")
    a[(slice(None),) * axis + (at,)] = new
    dpt.put(x, dpt.asarray(at), dpt.asarray(new), axis=axis)
    same(x, a)
    if n:
        order = np.argsort(a, axis=axis)
        np.put_along_axis(a, order, -a, axis)
        dpt.put_along_axis(x, dpt.asarray(order), -x, axis=axis)
        same(x, a)


def test_modes():
    for mode, expected in (("wrap", [1, 2, 3, 9, 9]), ("clip", [9, 2, 3, 4, 9])):
        x = dpt.asarray([1, 2, 3, 4, 5])
        dpt.put(x, dpt.asarray([-2, 7]), 9, mode=mode)
        assert dpt.asnumpy(x).tolist() == expected


def test_many_elements_are_put():
    a = np.zeros(200_000)
    at = np.random.default_rng(0).permutation(200_000)[:150_000]
    x = dpt.asarray(a)
    dpt.put(x, dpt.asarray(at), dpt.asarray(at * 2.0))
    a[at] = at * 2.0
    same(x, a)


def test_pending_readers_see_the_old_values():
    a = np.arange(100_000.0)
    x = dpt.asarray(a)
    later = x * 2
    x[x > 5] = dpt.zeros(100_000 - 6)
    same(later, a * 2)
    assert float(dpt.sum(x)) == 15


def test_values_may_overlap():
    a = np.arange(5000.0)
    x = dpt.asarray(a)
    m = np.ones(5000, bool)
    x[dpt.asarray(m)] = x[::-1]
    same(x, a[::-1])


def test_errors():
    x = dpt.ones((2, 3))
    with pytest.raises(IndexError, match="axis 0"):
        x[dpt.asarray([True, False, True])]
    with pytest.raises(IndexError):
        x[dpt.ones((2, 3, 1), dtype="?")] = 1
    with pytest.raises(ValueError, match="0-d"):
        dpt.nonzero(dpt.asarray(1))
    with pytest.raises(ValueError):
        x[dpt.asarray([True, True])] = dpt.ones((3, 3))
    with pytest.raises(ValueError):
        dpt.extract(dpt.ones(3, dtype="?"), x)
    with pytest.raises(ValueError, match="empty"):
        dpt.place(x, x > 0, dpt.ones(0))
    with pytest.raises(TypeError):
        dpt.place(x, dpt.ones((2, 3)), dpt.ones(1))
    with pytest.raises(IndexError):
        dpt.put(x, dpt.ones(2), 1, axis=0)
    with pytest.raises(ValueError, match="axis"):
        dpt.put(x, dpt.asarray([0]), 1)
    with pytest.raises(ValueError, match="mode"):
        dpt.put(x, dpt.asarray([0]), 1, axis=0, mode="raise")
    with pytest.raises(IndexError, match="empty"):
        dpt.put(dpt.ones(0), dpt.asarray([0]), 1)
    with pytest.raises(TypeError):
        dpt.nonzero([1])
    other = dpt.ones((2, 3), dtype="?", sycl_queue=dpctl.SyclQueue())
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        x[other]
    x.flags["W"] = False
    with pytest.raises(ValueError, match="read-only"):
        x[x > 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        dpt.put(x, dpt.asarray([0]), 1, axis=0)


@pytest.mark.parametrize("true", [True, np.True_, "array"])
def test_bools_are_axes_of_one_element_or_none(true: object) -> None:
    """As in NumPy, but that x[True] is a view, as in dpctl."""
    a = np.arange(60).reshape(3, 4, 5)
    i = np.array([0, 2])
    x = dpt.asarray(a)
    for value in (True, False):
        flag = dpt.asarray(value) if true == "array" else type(true)(value)
        for parts in (
            lambda b, _: (b,),
            lambda b, _: (slice(None), b),
            lambda b, _: (..., b, slice(0, 3)),
            lambda b, _: (b, None, 1),
            lambda b, _: (1, b),
            lambda b, i: (b, i[:1]),
            lambda b, i: (slice(None), i[:1], b),
            lambda b, i: (i[:1], slice(None), b),
            lambda b, i: (1, i[:1], b),
        ):
            got = x[parts(flag, dpt.asarray(i))]
            np.testing.assert_array_equal(dpt.asnumpy(got), a[parts(value, i)], strict=True)
    np.testing.assert_array_equal(dpt.asnumpy(x[dpt.asarray(i), True]), a[i, True])
    x[True, 1] = -1
    x[False] = 5
    a[True, 1] = -1
    np.testing.assert_array_equal(dpt.asnumpy(x), a)
    assert x[True].usm_data._pointer == x.usm_data._pointer


def test_empty_masks_select_nothing_whatever_the_length_of_the_axis() -> None:
    x = dpt.ones((2, 3, 4))
    for shape in ((0,), (0, 3), (2, 0), (0, 3, 4)):
        mask = dpt.ones(shape, dtype=bool)
        assert x[mask].shape == (0, *x.shape[len(shape) :])
        x[mask] = 5
    assert dpt.all(x == 1)
    with pytest.raises(ValueError, match=r"place: expected a mask of the array's shape \(2, 3, 4\)"):
        dpt.place(x, dpt.ones(8, dtype=bool), dpt.ones(1))
    with pytest.raises(ValueError, match="axis"):
        dpt.put(x[0, 0, 0], dpt.asarray([0]), 1.0, axis=2)


@pytest.mark.parametrize("code", ["?", "i1", "u2", "f2", "i4", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("share", [0, 0.001, 0.3, 1])
def test_one_value_where_a_mask_of_a_large_array_is_true(code, share):
    numbers = np.random.default_rng(5)
    for shape in [(50_003,), (190, 211)]:
        a = numbers.integers(0, 2, shape).astype(code)
        mask = numbers.uniform(size=shape) < share
        x, ours = dpt.asarray(a), dpt.asarray(mask)
        before, truths = x != 0, a != 0
        for value in (1, dpt.asarray(np.ones(1, dtype=code)), x[:1] if x.ndim == 1 else 0):
            a[mask] = dpt.asnumpy(value)[0] if isinstance(value, dpt.usm_ndarray) else value
            x[ours] = value
            assert np.array_equal(dpt.asnumpy(x), a)
        assert np.array_equal(dpt.asnumpy(before), truths)
        y = x[::-1]
        y[ours] = 0
        a[::-1][mask] = 0
        assert np.array_equal(dpt.asnumpy(x), a)
        x[x != 0] = 0
        assert not dpt.any(x)
