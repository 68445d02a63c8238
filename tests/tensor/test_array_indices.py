"""Elements at arrays of indices: x[i], take and take_along_axis agree with NumPy."""

import dpctl.tensor as dpt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as some

I = np.array  # noqa: E741
REFERENCE = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
KEYS = [
    I([1, 0, 1]),
    I([[0, 1], [-1, -2]]),
    (slice(None), I([2, 0])),
    (..., I([4, 0, -5])),
    (I([0, 1]), I([2, -1])),
    (I([[0], [1]]), I([2, 0, 1])),
    (I([0, 1]), slice(None), I([3, 0])),
    (slice(None), I([0, 1]), I([3, 0])),
    (slice(None), I([0, 1]), slice(1, 3), I([3, 0])),
    (0, slice(None), I([1, 2])),
    (slice(None), 0, I([1, 2])),
    (slice(None), I([1, 2]), 0),
    (None, I([1, 0]), None, slice(None, None, -1)),
    (I([1, 0]), None, I([1, 2])),
    (I([0]), I([1]), I([2]), I([3])),
    (slice(0, 0), I([1, 2])),
    I([], dtype="i8"),
    (I([1, 0], dtype="u1"), ..., I([1, 2], dtype="i2")),
    (1, ..., I([[1]])),
    (slice(None, None, -1), slice(None), I([3, 3, 3])),
]


def on_device(key):
    parts = tuple(dpt.asarray(p) if isinstance(p, np.ndarray) else p for p in (key if type(key) is tuple else (key,)))
    return parts if type(key) is tuple else parts[0]


@pytest.mark.parametrize("dtype", ["i8", "f4", "c16", "?", "f2"])
@pytest.mark.parametrize("key", KEYS, ids=str)
def test_elements(key, dtype):
    a = REFERENCE.astype(dtype)
    x = dpt.asarray(a)
    for where in (key, on_device(key)):
        got = x[where]
        assert got.shape == a[key].shape
        assert got.dtype == a.dtype
        assert np.array_equal(dpt.asnumpy(got), a[key])


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_views_that_are_not_contiguous(key):
    a = np.arange(4 * 6 * 8 * 10).reshape(4, 6, 8, 10)[::2, ::-2, ::2, ::-2]
    x = dpt.asarray(np.arange(4 * 6 * 8 * 10).reshape(4, 6, 8, 10))[::2, ::-2, ::2, ::-2]
    assert np.array_equal(dpt.asnumpy(x[on_device(key)]), a[key])


@pytest.mark.parametrize("n", [10, 100_000, 1_000_000])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i1"])
def test_large_gathers_and_operations_on_them(n, dtype):
    numbers = np.random.default_rng(n)
    a = numbers.integers(0, 100, n).astype(dtype)
    i = numbers.integers(-n, n, n)
    x, j = dpt.asarray(a), dpt.asarray(i)
    assert np.array_equal(dpt.asnumpy(x[j]), a[i])
    assert np.array_equal(dpt.asnumpy(x[j] * 2 + x), a[i] * 2 + a)
    assert np.array_equal(dpt.asnumpy((x + x)[j]), (a + a)[i])
    assert float(dpt.sum(dpt.astype(x[j], "f8"))) == a[i].astype("f8").sum()


@pytest.mark.parametrize("columns", [1, 3, 16, 700])
def test_rows_and_columns(columns):
    numbers = np.random.default_rng(columns)
    a = numbers.random((3000, columns))
    i, k = numbers.integers(-3000, 3000, 5000), numbers.integers(0, columns, 50)
    x, j, m = dpt.asarray(a), dpt.asarray(i), dpt.asarray(k)
    assert np.array_equal(dpt.asnumpy(x[j]), a[i])
    assert np.array_equal(dpt.asnumpy(x[:, m]), a[:, k])
    assert np.array_equal(dpt.asnumpy(x[j[:, None], m]), a[i[:, None], k])
    assert np.array_equal(dpt.asnumpy(x.T[:, j]), a.T[:, i])
    assert np.allclose(dpt.asnumpy(dpt.sum(x[j], axis=1)), a[i].sum(1))
    assert np.allclose(dpt.asnumpy(dpt.sum(x[j] * x[0], axis=0)), (a[i] * a[0]).sum(0))


def test_later_writes_do_not_change_results():
    a = np.arange(100_000.0)
    x, j = dpt.asarray(a), dpt.asarray(np.arange(100_000)[::-1].copy())
    taken = x[j]
    x[...] = 0
    j[...] = 0
    assert np.array_equal(dpt.asnumpy(taken), a[::-1])


def test_assignment_of_own_elements_in_another_order():
    a = np.arange(100_000.0)
    x, j = dpt.asarray(a), dpt.asarray(np.arange(100_000)[::-1].copy())
    x[...] = x[j] + 1
    assert np.array_equal(dpt.asnumpy(x), a[::-1] + 1)
    x += x[j]
    assert np.array_equal(dpt.asnumpy(x), (a[::-1] + 1) + (a + 1))


@pytest.mark.parametrize("n", [5, 5000])
def test_indices_out_of_bounds_are_refused(n):
    x = dpt.arange(n)
    for wrong in (n, -n - 1, 2**62):
        i = np.zeros(n, "i8")
        i[n // 2] = wrong
        with pytest.raises(IndexError, match=f"index {wrong} is out of bounds for axis 0 with size {n}"):
            x[dpt.asarray(i)]
    with pytest.raises(IndexError, match="out of bounds for axis 0"):
        x[dpt.asarray([2**64 - 1], dtype="u8")]
    with pytest.raises(IndexError, match="axis 1 with size 3"):
        dpt.zeros((4, 3))[:, dpt.asarray([1, 3])]


def test_wrong_arrays_are_refused():
    x = dpt.ones((3, 4))
    with pytest.raises(IndexError):
        x[dpt.asarray([0.0])]
    with pytest.raises(IndexError, match="shape mismatch"):
        x[dpt.asarray([0, 1]), dpt.asarray([0, 1, 2])]
    with pytest.raises(IndexError, match="too many indices"):
        x[0, 0, dpt.asarray([0])]


@pytest.mark.parametrize("n", [7, 20_000])
def test_take_with_modes(n):
    a = np.arange(n) * 10
    i = np.array([0, 3, -1, n, 2 * n, -n, -n - 5] * (n // 7))
    x, j = dpt.asarray(a), dpt.asarray(i)
    assert np.array_equal(dpt.asnumpy(dpt.take(x, j)), a[np.clip(i, -n, n - 1)])
    assert np.array_equal(dpt.asnumpy(dpt.take(x, j, mode="clip")), a[np.clip(i, 0, n - 1)])
    u = dpt.asarray(np.full(n, 2**64 - 1, "u8"))
    assert np.array_equal(dpt.asnumpy(dpt.take(x, u, mode="clip")), np.full(n, a[-1]))


def test_arguments_of_take():
    a = np.arange(24).reshape(2, 3, 4)
    x, i = dpt.asarray(a), dpt.asarray([[1, 0], [0, 1]])
    for axis in (0, 1, -1):
        assert np.array_equal(dpt.asnumpy(dpt.take(x, i, axis=axis)), np.take(a, [[1, 0], [0, 1]], axis=axis))
    out = dpt.zeros((2, 2, 2, 4), dtype=x.dtype)
    assert dpt.take(x, i, axis=1, out=out) is out
    assert np.array_equal(dpt.asnumpy(out), np.take(a, [[1, 0], [0, 1]], axis=1))
    assert int(dpt.take(dpt.asarray(5), dpt.asarray(0), axis=0)) == 5
    for error, call in [
        (ValueError, lambda: dpt.take(x, i)),
        (ValueError, lambda: dpt.take(x, i, axis=0, mode="raise")),
        (ValueError, lambda: dpt.take(x, i, axis=0, out=dpt.zeros(3, dtype=x.dtype))),
        (TypeError, lambda: dpt.take(x, [0], axis=0)),
        (TypeError, lambda: dpt.take(a, i, axis=0)),
        (IndexError, lambda: dpt.take(x, dpt.ones(2), axis=0)),
        (IndexError, lambda: dpt.take(dpt.ones(0), i)),
        (IndexError, lambda: dpt.take(x, i, axis=3)),
    ]:
        with pytest.raises(error):
            call()


@pytest.mark.parametrize("shape", [(5,), (3, 4), (60, 70, 3)])
def test_take_along_axis(shape):
    numbers = np.random.default_rng(0)
    a = numbers.random(shape)
    for axis in range(-1, len(shape)):
        i = np.argsort(a, axis=axis)
        got = dpt.take_along_axis(dpt.asarray(a), dpt.asarray(i), axis=axis)
        assert np.array_equal(dpt.asnumpy(got), np.sort(a, axis=axis))
        least = np.argmin(a, axis=axis, keepdims=True)
        got = dpt.take_along_axis(dpt.asarray(a), dpt.asarray(least), axis=axis)
        assert np.array_equal(dpt.asnumpy(got), a.min(axis=axis, keepdims=True))


@st.composite
def arrays_and_keys(draw):
    shape = draw(some.array_shapes(min_dims=1, max_dims=5, min_side=0, max_side=4))
    a = np.arange(np.prod(shape)).reshape(shape)
    common = draw(some.array_shapes(min_dims=1, max_dims=2, min_side=1, max_side=3))
    key, ellipses = [], draw(st.booleans())
    for n in shape[: draw(st.integers(0, len(shape)))]:
        kinds = ["slice"] + ["integer", "array", "array"] * (n > 0)
        kind = draw(st.sampled_from(kinds))
        if draw(st.integers(0, 5)) == 0:
            key.append(None)
        if kind == "slice":
            key.append(draw(st.slices(n)))
        elif kind == "integer":
            key.append(draw(st.integers(-n, n - 1)))
        else:
            elements = st.integers(-n, n - 1)
            key.append(draw(some.arrays(draw(st.sampled_from(["i8", "i4", "i1"])), common, elements=elements)))
    if ellipses:
        key.append(...)
    return a, tuple(key)


@settings(max_examples=300, deadline=None)
@given(arrays_and_keys())
def test_random_keys(case):
    a, key = case
    got = dpt.asarray(a)[on_device(key)]
    assert got.shape == a[key].shape
    assert np.array_equal(dpt.asnumpy(got), a[key])


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_assignment(key):
    a = REFERENCE.copy()
    x = dpt.asarray(a)
    x[on_device(key)] = -1
    a[key] = -1
    assert np.array_equal(dpt.asnumpy(x), a)


def test_assignment_of_arrays():
    a = np.zeros((50, 60))
    x = dpt.asarray(a)
    order = np.random.default_rng(0).permutation(50)
    values = np.random.default_rng(1).random((50, 60))
    a[order] = values
    x[dpt.asarray(order)] = dpt.asarray(values)
    assert np.array_equal(dpt.asnumpy(x), a)
    a[:, [1, 3]] = values[:, :2]
    x[:, dpt.asarray([1, 3])] = dpt.asarray(values[:, :2])
    assert np.array_equal(dpt.asnumpy(x), a)
    with pytest.raises(IndexError):
        x[dpt.asarray([50])] = 0


def test_masks_mixed_with_other_indices():
    a = REFERENCE
    x = dpt.asarray(a)
    m = np.array([True, False, True, True])
    for key in ((1, slice(None), m), (slice(None), I([0, 1, 2]), m), (..., m, slice(1, 3)), (None, a[:, 0, 0, 0] > 5)):
        assert np.array_equal(dpt.asnumpy(x[on_device(key)]), a[key])
    with pytest.raises(IndexError):
        x[:, dpt.asarray([True, False])]
