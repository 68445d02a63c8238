"""Functions that reshape, reorder, join and repeat arrays agree with NumPy's."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from reference import CODES, assert_same, values

AxisError = np.exceptions.AxisError


def both(shape: tuple[int, ...], code: str = "l") -> tuple[np.ndarray, dpt.usm_ndarray]:
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(code)
    return x, dpt.asarray(x)


@pytest.mark.parametrize(
    ("ours", "numpys"),
    [
        (lambda x: dpt.permute_dims(x, (2, 0, 1)), lambda x: np.transpose(x, (2, 0, 1))),
        (lambda x: dpt.permute_dims(x, (-1, 0, 1)), lambda x: np.transpose(x, (2, 0, 1))),
        (lambda x: dpt.expand_dims(x), lambda x: x[None]),
        (lambda x: dpt.expand_dims(x, axis=(0, -1)), lambda x: x[None, ..., None]),
        (lambda x: dpt.squeeze(x[:1, :, :1]), lambda x: np.squeeze(x[:1, :, :1])),
        (lambda x: dpt.squeeze(x[:1, :, :1], axis=-1), lambda x: np.squeeze(x[:1, :, :1], axis=-1)),
        (lambda x: dpt.broadcast_to(x, (5, 2, 3, 4)), lambda x: np.broadcast_to(x, (5, 2, 3, 4))),
        (lambda x: dpt.broadcast_to(x[:, :1], (2, 6, 4)), lambda x: np.broadcast_to(x[:, :1], (2, 6, 4))),
        (lambda x: dpt.flip(x), np.flip),
        (lambda x: dpt.flip(x, axis=(0, -1)), lambda x: np.flip(x, (0, -1))),
        (lambda x: dpt.moveaxis(x, 0, -1), lambda x: np.moveaxis(x, 0, -1)),
        (lambda x: dpt.moveaxis(x, (0, 2), (2, 1)), lambda x: np.moveaxis(x, (0, 2), (2, 1))),
        (lambda x: dpt.swapaxes(x, 0, -1), lambda x: np.swapaxes(x, 0, -1)),
        (lambda x: dpt.matrix_transpose(x), lambda x: np.swapaxes(x, -1, -2)),
        (lambda x: dpt.unstack(x, axis=1)[2], lambda x: x[:, 2]),
        (lambda x: dpt.reshape(x, (6, -1)), lambda x: x.reshape(6, -1)),
        (lambda x: dpt.reshape(x, -1), lambda x: x.reshape(-1)),
        (lambda x: dpt.reshape(x, (4, 3, 2)), lambda x: x.reshape(4, 3, 2)),
    ],
)
def test_views(ours, numpys):
    x, mine = both((2, 3, 4))
    view = ours(mine)
    assert_same(view, numpys(x))
    mine[...] = 7  # views share the memory
    assert bool(dpt.all(view == 7))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[::2], lambda a: a[:, ::-1]])
def test_reshape_copies_when_needed(view, order):
    x, mine = both((4, 6))
    x, mine = view(x), view(mine)
    for shape in ((x.size,), (2, -1), (x.shape[0], 2, -1), (1, x.size, 1)):
        expected = np.reshape(x, shape, order=order)
        assert_same(dpt.reshape(mine, shape, order=order), expected)
        if np.shares_memory(expected, x):
            assert_same(dpt.reshape(mine, shape, order=order, copy=False), expected)
        else:
            with pytest.raises(ValueError, match="copy"):
                dpt.reshape(mine, shape, order=order, copy=False)


def test_reshape_copies_on_request():
    _, x = both((4,))
    copy = dpt.reshape(x, (4,), copy=True)
    x[...] = 9
    assert_same(copy, np.arange(4))


@pytest.mark.parametrize("axis", [0, 1, -1, None])
@pytest.mark.parametrize("codes", ["ll", "ld", "?b", "bBh", "fl", "eF"])
def test_concat(codes, axis):
    parts = [values(c, (2, 3), i) for i, c in enumerate(codes)]
    expected = np.concatenate(parts, axis=axis)
    assert_same(dpt.concat([dpt.asarray(p) for p in parts], axis=axis), expected)
    if axis == 0:
        taller = values(codes[0], (5, 3))
        expected = np.concatenate([taller, *parts])
        assert_same(dpt.concat((dpt.asarray(taller), *map(dpt.asarray, parts))), expected)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_stack(axis):
    parts = [values(c, (2, 3), c) for c in "lfl"]
    assert_same(dpt.stack([dpt.asarray(p) for p in parts], axis=axis), np.stack(parts, axis=axis))


def test_broadcast_arrays():
    shapes = [(3, 1), (4,), (), (1, 1, 4)]
    arrays = [values("d", s, i) for i, s in enumerate(shapes)]
    for ours, expected in zip(dpt.broadcast_arrays(*map(dpt.asarray, arrays)), np.broadcast_arrays(*arrays)):
        assert_same(ours, expected)


@pytest.mark.parametrize(
    ("shift", "axis"),
    [(0, None), (1, None), (-7, None), (100, None), (1, 0), (-2, 1), ((1, 2), (0, 1)), ((1, 1), (0, 0)), (3, (0, 2))],
)
@pytest.mark.parametrize("view", [lambda a: a, lambda a: a[..., 1:], lambda a: a[:, ::-2]])
def test_roll(view, shift, axis):
    x, mine = both((2, 3, 4))
    assert_same(dpt.roll(view(mine), shift, axis=axis), np.roll(view(x), shift, axis=axis))


@pytest.mark.parametrize("code", CODES)
def test_elements_keep_their_values(code):
    x = values(code, (3, 5))
    mine = dpt.asarray(x)
    assert_same(dpt.roll(mine, 2), np.roll(x, 2))
    assert_same(dpt.repeat(mine, 2, axis=0), np.repeat(x, 2, axis=0))
    assert_same(dpt.tile(mine, (2, 2)), np.tile(x, (2, 2)))
    assert_same(dpt.concat([mine, mine]), np.concatenate([x, x]))
    assert_same(dpt.reshape(mine.T, -1), x.T.reshape(-1))


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_repeat(axis):
    x, mine = both((3, 4))
    length = x.size if axis is None else x.shape[axis]
    counts = [i % 3 for i in range(length)]
    for repeats in (0, 1, 3, counts, tuple(counts), np.asarray(counts), [2]):
        given = dpt.asarray(repeats) if isinstance(repeats, np.ndarray) else repeats
        assert_same(dpt.repeat(mine, given, axis=axis), np.repeat(x, repeats, axis=axis))


@pytest.mark.parametrize("repetitions", [0, 1, 2, (2, 3), (1, 1), (3, 1, 2), (2, 0)])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 3)])
def test_tile(shape, repetitions):
    x, mine = both(shape)
    assert_same(dpt.tile(mine, repetitions), np.tile(x, repetitions))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: dpt.permute_dims(x, (0,)), ValueError),
        (lambda x: dpt.permute_dims(x, (0, 0)), ValueError),
        (lambda x: dpt.permute_dims(x, (0, 2)), AxisError),
        (lambda x: dpt.expand_dims(x, axis=3), AxisError),
        (lambda x: dpt.expand_dims(x, axis=(0, 0)), ValueError),
        (lambda x: dpt.squeeze(x, axis=0), ValueError),
        (lambda x: dpt.squeeze(x, axis=2), AxisError),
        (lambda x: dpt.broadcast_to(x, (3,)), ValueError),
        (lambda x: dpt.broadcast_arrays(), ValueError),
        (lambda x: dpt.broadcast_arrays(x, dpt.ones(2)), ValueError),
        (lambda x: dpt.flip(x, axis=2), AxisError),
        (lambda x: dpt.moveaxis(x, 0, (0, 1)), ValueError),
        (lambda x: dpt.moveaxis(x, 0, 2), AxisError),
        (lambda x: dpt.swapaxes(x, 0, 2), AxisError),
        (lambda x: dpt.matrix_transpose(x[0]), ValueError),
        (lambda x: dpt.unstack(x, axis=2), AxisError),
        (lambda x: dpt.reshape(x, (7,)), ValueError),
        (lambda x: dpt.reshape(x, (-1, -1)), ValueError),
        (lambda x: dpt.reshape(x, (6,), order="K"), ValueError),
        (lambda x: dpt.reshape(x, (6,), copy="no"), ValueError),
        (lambda x: dpt.reshape(x, 2.5), TypeError),
        (lambda x: dpt.concat([]), TypeError),
        (lambda x: dpt.concat(x), TypeError),
        (lambda x: dpt.concat([x, [1]]), TypeError),
        (lambda x: dpt.concat([x, x[0]]), ValueError),
        (lambda x: dpt.concat([x, x], axis=2), AxisError),
        (lambda x: dpt.concat([x, dpt.ones((2, 3), sycl_queue=dpctl.SyclQueue())]), ValueError),
        (lambda x: dpt.stack([x, x[:1]]), ValueError),
        (lambda x: dpt.stack([x, x], axis=3), AxisError),
        (lambda x: dpt.roll(x, 1, axis=2), AxisError),
        (lambda x: dpt.roll(x, (1, 2), axis=(0, 1, 0)), ValueError),
        (lambda x: dpt.roll(x, ((1, 2), (1, 2)), axis=(0, 1)), ValueError),
        (lambda x: dpt.repeat(x, -1), ValueError),
        (lambda x: dpt.repeat(x, (1, 2, 3), axis=0), ValueError),
        (lambda x: dpt.repeat(x, 1.5), TypeError),
        (lambda x: dpt.repeat(x, dpt.ones(2, dtype="f4"), axis=0), TypeError),
        (lambda x: dpt.repeat(x, 10**30), OverflowError),
        (lambda x: dpt.repeat(x, (10**30, 1), axis=0), OverflowError),
        (lambda x: dpt.tile(x, [2]), TypeError),
        (lambda x: dpt.tile(x, -1), ValueError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call(dpt.ones((2, 3)))


@pytest.mark.parametrize(
    "name", ["permute_dims", "squeeze", "broadcast_to", "swapaxes", "reshape", "roll", "repeat", "tile", "moveaxis"]
)
def test_other_objects_are_refused(name):
    with pytest.raises(TypeError):
        getattr(dpt, name)([[1, 2]], *[0, 1][: 1 + (name in ("swapaxes", "moveaxis"))])
