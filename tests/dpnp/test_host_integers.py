"""Shapes, sizes, axes and repetitions that are arrays of integers of NumPy, which have __index__ whatever their shape.

Each row is evaluated with NumPy and with dpnp.
"""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest

SHAPE = np.array([4, 6])

CALLS = {
    "zeros": lambda xp, x: xp.zeros(SHAPE),
    "ones of halves": lambda xp, x: xp.ones(np.array((9, 12)) // 2),
    "empty": lambda xp, x: xp.empty(SHAPE) * 0,
    "full": lambda xp, x: xp.full(SHAPE, 7),
    "one axis": lambda xp, x: xp.zeros(SHAPE[:1]),
    "no axis": lambda xp, x: xp.zeros(SHAPE[:0]),
    "an array without axes": lambda xp, x: xp.zeros(np.array(5)),
    "short integers": lambda xp, x: xp.zeros(SHAPE.astype("u1")),
    "zeros_like": lambda xp, x: xp.zeros_like(x, shape=SHAPE),
    "reshape": lambda xp, x: xp.reshape(x, SHAPE),
    "method reshape": lambda xp, x: x.reshape(np.array([-1, 3])),
    "broadcast_to": lambda xp, x: xp.broadcast_to(x, np.array([2, 24])),
    "resize": lambda xp, x: xp.resize(x, SHAPE // 2),
    "tile": lambda xp, x: xp.tile(x, np.array([2, 3])),
    "repeat": lambda xp, x: xp.repeat(x, np.arange(24) % 3),
    "repeat by one": lambda xp, x: xp.repeat(x, np.int16(2)),
    "repeat along an axis": lambda xp, x: xp.repeat(x.reshape(4, 6), np.array([0, 2, 1, 1]), axis=0),
    "roll": lambda xp, x: xp.roll(x.reshape(4, 6), np.array([1, -2]), axis=(0, 1)),
    "transpose": lambda xp, x: xp.transpose(x.reshape(2, 3, 4), np.array([2, 0, 1])),
    "method transpose": lambda xp, x: x.reshape(2, 3, 4).transpose(np.array([1, 2, 0])),
    "moveaxis": lambda xp, x: xp.moveaxis(x.reshape(2, 3, 4), [0, 1], [2, 0]),
    "unravel_index": lambda xp, x: xp.stack(xp.unravel_index(xp.asarray([3, 23]), SHAPE)),
    "ravel_multi_index": lambda xp, x: xp.ravel_multi_index((xp.asarray([1, 3]), xp.asarray([2, 5])), SHAPE),
    "indices": lambda xp, x: xp.indices(SHAPE),
    "random": lambda xp, x: xp.random.default_rng(1).random(SHAPE) * 0,
    "normal": lambda xp, x: xp.random.normal(size=SHAPE) * 0,
    "integers": lambda xp, x: xp.random.default_rng(1).integers(0, 9, SHAPE) * 0,
}


@pytest.mark.parametrize("name", CALLS)
def test_as_numpy(name):
    expected = CALLS[name](np, np.arange(24.0))
    got = CALLS[name](dpnp, dpnp.arange(24.0))
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    np.testing.assert_array_equal(dpnp.asnumpy(got), expected)


def test_method_resize():
    x, expected = dpnp.arange(6), np.arange(6)
    x.resize(SHAPE)
    expected.resize(SHAPE)
    np.testing.assert_array_equal(dpnp.asnumpy(x), expected)


@pytest.mark.parametrize("shape", [dpt.asarray([4, 6]), dpnp.asarray([4, 6]), SHAPE, [np.int8(4), np.array(6)]])
def test_shapes_of_dpctl(shape):
    assert dpt.zeros(shape).shape == (4, 6)
    assert dpt.reshape(dpt.arange(24), shape).shape == (4, 6)


@pytest.mark.parametrize("call", [dpnp.zeros, dpt.ones, dpnp.arange(4).reshape, lambda s: dpnp.tile(dpnp.arange(3), s)])
@pytest.mark.parametrize("shape", [np.array([2.0, 2.0]), np.array([[2, 2]]), np.array("22"), "22"])
def test_other_arrays_are_refused(call, shape):
    with pytest.raises(TypeError):
        call(shape)
