"""broadcast and nditer, compared with NumPy's."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest


def numbers(items):
    return [tuple(float(x) for x in item) if isinstance(item, tuple) else float(item) for item in items]


def test_broadcast():
    a, b = np.arange(3.0).reshape(3, 1), np.arange(4.0)
    theirs, ours = np.broadcast(a, b), dpnp.broadcast(dpnp.asarray(a), dpnp.asarray(b))
    for name in ("shape", "size", "nd", "ndim", "numiter"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert numbers(ours) == numbers(theirs)
    assert ours.index == 12
    ours.reset()
    assert numbers([next(ours)]) == [(0.0, 0.0)]
    assert numbers(ours.iters[1])[4] == 0
    with pytest.raises(ValueError):
        dpnp.broadcast(dpnp.ones(2), dpnp.ones(3))
    with pytest.raises(TypeError):
        dpnp.broadcast([1])


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_elements_and_indices(order, layout):
    a = np.array(np.arange(6.0).reshape(2, 3), order=layout)
    for flags in (["multi_index"], ["c_index"], ["f_index"]):
        theirs, ours = np.nditer(a, flags, order=order), dpnp.nditer(dpnp.array(a, order=layout), flags, order=order)
        name = "multi_index" if flags == ["multi_index"] else "index"
        wanted = [(getattr(theirs, name), float(x)) for x in theirs]
        assert [(getattr(ours, name), float(x)) for x in ours] == wanted
        assert (ours.shape, ours.itersize, ours.nop, ours.ndim) == ((2, 3), 6, 1, 2)
    theirs, ours = (
        np.nditer(a, ["multi_index"], order=order),
        dpnp.nditer(dpnp.array(a, order=layout), ["multi_index"], order=order),
    )
    while not theirs.finished:
        assert (ours.multi_index, float(ours.value)) == (theirs.multi_index, float(theirs.value))
        assert ours.iternext() == theirs.iternext()
    assert ours.finished


def test_several_operands_and_written_ones():
    a, b = np.arange(3.0).reshape(3, 1), np.arange(4.0)
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    with dpnp.nditer([x, y, None]) as it, np.nditer([a, b, None]) as reference:
        for p, q, r in it:
            r[...] = p * q + 1
        for p, q, r in reference:
            r[...] = p * q + 1
        np.testing.assert_array_equal(dpnp.asnumpy(it.operands[2]), reference.operands[2])
    with dpnp.nditer(x, ["external_loop"], ["readwrite"]) as it:
        for row in it:
            row[...] = -row
    np.testing.assert_array_equal(dpnp.asnumpy(x), -a)


def test_refusals():
    x = dpnp.ones((2, 3))
    with pytest.raises(ValueError, match="read"):
        for each in dpnp.nditer(x):
            each[...] = 1
    with pytest.raises(ValueError, match="no elements"):
        dpnp.nditer(dpnp.ones(0))
    assert list(dpnp.nditer(dpnp.ones(0), ["zerosize_ok"])) == []
    with pytest.raises(ValueError, match="flags"):
        dpnp.nditer(x, ["ranged"])
    with pytest.raises(ValueError, match="broadcast"):
        dpnp.nditer([dpnp.ones(3), x], op_flags=[["readwrite"], ["readonly"]])
    with pytest.raises(TypeError):
        dpnp.nditer([[1, 2]])
    with pytest.raises(ValueError, match="multi_index"):
        dpnp.nditer(x).multi_index  # noqa: B018
