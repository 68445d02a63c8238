"""as_strided, sliding_window_view, view, base, flat, byteswap, resize and other views, compared with NumPy's."""

from __future__ import annotations

import pickle

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from dpnp.lib.stride_tricks import as_strided, sliding_window_view
from numpy.lib import stride_tricks as theirs
from reference import LAYOUTS, assert_same, laid_out


def test_as_strided():
    a = np.arange(12.0)
    x = dpnp.asarray(a)
    for shape, strides in (
        ((3, 4), (4, 1)),
        ((5, 3), (1, 2)),
        ((2, 3), (0, 1)),
        ((), ()),
        ((0, 7), (1, 1)),
        ((12,), (1,)),
    ):
        assert_same(as_strided(x, shape, strides), theirs.as_strided(a, shape, [8 * s for s in strides]))
    assert_same(as_strided(x[11:], (4,), (-3,)), a[11::-3])
    assert_same(as_strided(x[::2]), a[::2])
    as_strided(x, (2,), (11,))[1] = -1
    assert float(x[11]) == -1
    with pytest.raises(ValueError, match="read"):
        as_strided(x, (2,), (1,), writeable=False)[0] = 1


@pytest.mark.parametrize("shape, strides", [((13,), (1,)), ((2,), (12,)), ((2,), (-1,)), ((3, 4), (1,)), ((-1,), (1,))])
def test_views_beyond_the_memory_are_refused(shape, strides):
    with pytest.raises(ValueError):
        as_strided(dpnp.arange(12.0), shape, strides)


def test_views_of_pending_arrays():
    a = np.arange(200_000.0)
    pending = dpnp.asarray(a) * 2 + 1
    assert_same(as_strided(pending, (100_000, 2), (2, 1)).sum(axis=1), (a * 2 + 1).reshape(-1, 2).sum(axis=1))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sliding_windows(layout):
    a, x = laid_out("d", layout)
    x = dpnp.asarray(x)
    for window, axis in ((2, 0), (3, -1), ((2, 3), None), ((2, 3), (1, 0)), ((2, 2), (0, 0)), (6, 1), (1, 0)):
        assert_same(sliding_window_view(x, window, axis), theirs.sliding_window_view(a, window, axis))
    assert_same(sliding_window_view(x, 3, 1).max(axis=-1), theirs.sliding_window_view(a, 3, 1).max(axis=-1))
    for window, axis in ((7, 0), ((2,), None), (-1, 0)):
        with pytest.raises(ValueError):
            sliding_window_view(x, window, axis)


@pytest.mark.parametrize("codes", ["fi", "df", "fd", "dQ", "Dd", "dD", "Bi", "iB", "?b"])
def test_views_as_other_dtypes(codes):
    a = np.arange(48).reshape(4, 12).astype(codes[0])
    x = dpnp.asarray(a)
    assert_same(x.view(codes[1]), a.view(codes[1]))
    assert_same(x[1:3].view(codes[1]), a[1:3].view(codes[1]))
    x.view(codes[1])[0, 0] = 0
    a.view(codes[1])[0, 0] = 0
    assert_same(x, a)


def test_views_that_are_impossible():
    with pytest.raises(ValueError, match="contiguous"):
        dpnp.ones((4, 4))[:, ::2].view("f4")
    with pytest.raises(ValueError, match="multiple"):
        dpnp.ones(3, dtype="f4").view("f8")
    with pytest.raises(ValueError, match="without axes"):
        dpnp.array(1.0).view("f4")
    with pytest.raises(TypeError):
        dpnp.ones(2).view("O")


def test_base():
    x = dpnp.arange(12.0)
    assert x.base is None
    assert x[2:].base.shape == (12,)
    assert dpnp.shares_memory(x[::3].base, x)
    assert x.copy().base is None


@pytest.mark.parametrize("layout", LAYOUTS)
def test_flat(layout):
    a, x = laid_out("d", layout)
    x = dpnp.asarray(x)
    for key in (
        0,
        -1,
        slice(2, 9),
        slice(None, None, -3),
        np.array([1, 5, 1]),
        [3, 4],
        np.arange(36) % 3 == 0,
        Ellipsis,
    ):
        ours = dpnp.asarray(key) if isinstance(key, np.ndarray) else key
        assert_same(x.flat[ours], a.flat[key])
        for value in (7.0, np.array([1.0, 2.0])):
            x.flat[ours] = dpnp.asarray(value) if isinstance(value, np.ndarray) and not isinstance(key, int) else 7.0
            a.flat[key] = value if not isinstance(key, int) else 7.0
            assert_same(x, a)
    x.flat = 3
    assert_same(x, np.full(a.shape, 3.0))
    assert x.flat.base is x
    assert_same(x.flat.copy(), np.full(36, 3.0))
    walk = x.flat
    next(walk)
    assert (walk.index, walk.coords) == (1, (0, 1))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_flattened(layout, order):
    a, x = laid_out("d", layout)
    x = dpnp.asarray(x)
    if order == "K" and layout in ("backwards", "mixed"):  # NumPy's order of negative strides is that of the memory
        order = "C"
    assert_same(x.flatten(order), a.flatten(order))
    assert_same(x.ravel(order), a.ravel(order))
    assert not dpnp.shares_memory(x.flatten(order), x)


@pytest.mark.parametrize("code", "?bhifdFD")
def test_byteswap(code):
    a = np.arange(6).reshape(2, 3).astype(code)
    x = dpnp.asarray(a)
    np.testing.assert_array_equal(dpnp.asnumpy(x.byteswap()).view("u1"), a.byteswap().view("u1"))
    assert x.byteswap(True) is x
    np.testing.assert_array_equal(dpnp.asnumpy(x).view("u1"), a.byteswap().view("u1"))


@pytest.mark.parametrize("shape", [(2, 2), 9, (3, 4), 0, (1,)])
def test_resize(shape):
    a, x = np.array([[0, 1, 2], [3, 4, 5]]), dpnp.arange(6).reshape(2, 3)
    a.resize(shape, refcheck=False)
    x.resize(shape)
    assert_same(x, a)
    assert_same(x.get_array(), a)
    assert isinstance(x.get_array(), dpt.usm_ndarray)


def test_pickles(tmp_path):
    x = dpnp.arange(3.0)
    assert_same(pickle.loads(x.dumps()), np.arange(3.0))
    x.dump(tmp_path / "array")
    assert_same(pickle.loads((tmp_path / "array").read_bytes()), np.arange(3.0))


@pytest.mark.parametrize(
    "name, instead",
    [("itemset", "x.index. = value"), ("tostring", "tobytes"), ("newbyteorder", "byteswap"), ("ctypes", "asnumpy"),
     ("getfield", "view"), ("setfield", "view"), ("data", "asnumpy")],
)  # fmt: skip
def test_absent_attributes_say_what_to_use(name, instead):
    assert not hasattr(dpnp.ones(1), name)
    with pytest.raises(AttributeError, match=instead):
        getattr(dpnp.ones(1), name)
