"""Functions of masks and assignment to selected elements agree with NumPy."""

import dpnp
import numpy as np
import pytest

SHAPES = [(5,), (3, 4), (2, 3, 4), (0, 2), (300, 20)]


def numbers(shape, code="d"):
    return (np.random.default_rng(1).integers(-1, 2, shape) * 1.5).astype(code)


def same(ours, expected):
    if isinstance(expected, tuple):
        assert isinstance(ours, tuple)
        for x, a in zip(ours, expected, strict=True):
            same(x, a)
        return
    assert isinstance(ours, dpnp.ndarray)
    assert ours.dtype == expected.dtype
    np.testing.assert_array_equal(dpnp.asnumpy(ours), expected, strict=True)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("code", "?bLdF")
def test_positions_and_elements(shape, code):
    a = numbers(shape, code)
    x = dpnp.array(a)
    for name in ("nonzero", "flatnonzero", "argwhere", "where"):
        same(getattr(dpnp, name)(x), getattr(np, name)(a))
    same(x.nonzero(), a.nonzero())
    same(dpnp.extract(x, x), np.extract(a, a))
    same(x[x != 0], a[a != 0])
    for axis in (None, *range(a.ndim)):
        n = a.size if axis is None else a.shape[axis]
        condition = [True, False, True][:n]
        same(dpnp.compress(condition, x, axis=axis), np.compress(condition, a, axis=axis))
        same(x.compress(condition, axis), a.compress(condition, axis))


@pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[::-2]], ids=["rows", "columns", "backwards"])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4)])
def test_assignments(shape, view):
    a = numbers(shape)
    x = dpnp.array(a)
    b, y = view(a), view(x)
    np.place(b, b > 0, [7, 8])
    dpnp.place(y, y > 0, [7, 8])
    same(x, a)
    np.putmask(b, b < 7, [1, 2, 3])
    dpnp.putmask(y, y < 7, [1, 2, 3])
    same(x, a)
    np.put(b, [0, -1], [5, 6])
    dpnp.put(y, [0, -1], [5, 6])
    same(x, a)
    y.put([1], 4)
    b.put([1], 4)
    same(x, a)
    at = np.argmax(b, axis=0, keepdims=True)
    np.put_along_axis(b, at, -1, 0)
    dpnp.put_along_axis(y, dpnp.array(at), -1, 0)
    same(x, a)


def test_choose():
    a, choices = np.array([[2, 0], [1, 2]]), [np.arange(2), np.array([[10.0], [20]]), np.array(7)]
    x, ours = dpnp.array(a), [dpnp.array(c) for c in choices]
    same(dpnp.choose(x, ours), np.choose(a, choices))
    same(x.choose(ours), a.choose(choices))
    same(dpnp.choose(x + 5, ours, mode="clip"), np.choose(a + 5, choices, mode="clip"))
    same(dpnp.choose(x - 3, ours), np.choose(a - 3, choices, mode="wrap"))
    same(dpnp.choose(dpnp.array(a * 0), [dpnp.array(1)]), np.choose(a * 0, [1]))


def test_output_arrays():
    x, out = dpnp.arange(3), dpnp.zeros(2, dtype=dpnp.int64)
    assert dpnp.compress([True, False, True], x, out=out) is out
    assert dpnp.asnumpy(out).tolist() == [0, 2]


def test_errors():
    x = dpnp.ones((2, 3))
    with pytest.raises(ValueError, match="one axis"):
        dpnp.compress(dpnp.ones((2, 3)), x)
    with pytest.raises(IndexError, match="beyond"):
        dpnp.compress([True] * 4, x, axis=1)
    with pytest.raises(ValueError):
        dpnp.place(x, [True], [1])
    with pytest.raises(IndexError, match="beyond"):
        dpnp.extract([True] * (x.size + 1), x)
    with pytest.raises(TypeError):
        dpnp.choose(x, [x])
    with pytest.raises(ValueError, match="mode"):
        dpnp.put(x, [0], 1, mode="raise")
    with pytest.raises(ValueError):
        dpnp.where(x, x)
    for function in (dpnp.nonzero, dpnp.argwhere, dpnp.flatnonzero):
        with pytest.raises(TypeError):
            function([1, 2])


def test_conditions_of_extract_may_be_shorter_or_longer():
    a = np.arange(9).reshape(3, 3)
    for condition in ([True, False, True], [[True, False], [False, True]], [], [False] * 8 + [True] + [False] * 3):
        expected = np.extract(condition, a)
        found = dpnp.asnumpy(dpnp.extract(dpnp.asarray(condition), dpnp.asarray(a)))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def test_no_values_to_put():
    x = dpnp.arange(3)
    dpnp.put(x, [0, 1], [])
    np.testing.assert_array_equal(dpnp.asnumpy(x), np.arange(3))
    with pytest.raises(ValueError, match="one axis"):
        dpnp.put_along_axis(x, dpnp.zeros((1, 1), dtype=int), 1, axis=None)


def test_bools_choose():
    chosen = dpnp.choose(dpnp.asarray([True, False]), [dpnp.asarray([1, 2]), dpnp.asarray([10, 20])])
    np.testing.assert_array_equal(dpnp.asnumpy(chosen), [10, 2])
