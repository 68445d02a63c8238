"""Elements at arrays of indices: dpnp agrees with NumPy, also for lists."""

import dpnp
import numpy as np
import pytest


def test_lists_and_arrays_are_indices():
    a = np.arange(12).reshape(3, 4)
    x = dpnp.asarray(a)
    for key in ([2, 0], ([0, 1], [3, -1]), (slice(None), [1, 1, 0]), (..., [0]), [], np.array([1, 2]), [[0, 1]]):
        assert np.array_equal(x[key].asnumpy(), a[key])
        assert type(x[key]) is dpnp.ndarray
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        x[[3]]


def test_take():
    a = np.arange(12).reshape(3, 4) * 2
    x = dpnp.asarray(a)
    assert np.array_equal(dpnp.take(x, [1, 10]).asnumpy(), np.take(a, [1, 10]))
    assert np.array_equal(x.take([1, 0], axis=1).asnumpy(), a.take([1, 0], axis=1))
    assert np.array_equal(np.take(x, dpnp.asarray([5, 1])).asnumpy(), np.take(a, [5, 1]))
    out = dpnp.zeros((3, 2), dtype=x.dtype)
    assert dpnp.take(x, [0, 3], 1, out) is out
    assert np.array_equal(out.asnumpy(), a[:, [0, 3]])
    with pytest.raises(ValueError):
        dpnp.take(x, [0], mode="other")
    with pytest.raises(TypeError):
        dpnp.take(a, [0])


def test_take_along_axis():
    a = np.random.default_rng(0).random((5, 6))
    x = dpnp.asarray(a)
    i = np.argsort(a, axis=0)
    assert np.array_equal(dpnp.take_along_axis(x, dpnp.asarray(i), 0).asnumpy(), np.sort(a, axis=0))
    flat = np.argsort(a, axis=None)
    assert np.array_equal(dpnp.take_along_axis(x, dpnp.asarray(flat), None).asnumpy(), np.sort(a, axis=None))
