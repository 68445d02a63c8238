"""Element functions write results that are broadcast to `out`, as NumPy's."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest

ROW, COLUMN, ONE = np.arange(4.0) + 1, np.arange(3.0).reshape(3, 1) + 1, np.ones((1, 1))
CALLS = {
    "row and number": ((3, 4), lambda xp, r, c, o, out: xp.multiply(r, 2, out=out)),
    "column and number": ((3, 4), lambda xp, r, c, o, out: xp.add(c, 1, out=out)),
    "row": ((3, 4), lambda xp, r, c, o, out: xp.sqrt(r, out=out)),
    "row by position": ((2, 3, 4), lambda xp, r, c, o, out: xp.sqrt(r, out)),
    "row and column": ((2, 3, 4), lambda xp, r, c, o, out: xp.add(r, c, out=out)),
    "one element": ((2, 5), lambda xp, r, c, o, out: xp.negative(o, out=out)),
    "condition": ((3, 4), lambda xp, r, c, o, out: xp.multiply(r, 2, out=out, where=r > 2)),
    "cast": ((3, 4), lambda xp, r, c, o, out: xp.add(r, 1, out=out, casting="unsafe", dtype="f4")),
    "of the same shape": ((4,), lambda xp, r, c, o, out: xp.add(r, o[0], out=out)),
    "empty": ((0, 4), lambda xp, r, c, o, out: xp.exp(r, out=out)),
}


def arrays(xp, shape):
    return xp, xp.asarray(ROW), xp.asarray(COLUMN), xp.asarray(ONE), xp.zeros(shape)


@pytest.mark.parametrize("name", CALLS)
def test_results(name):
    shape, call = CALLS[name]
    expected, given = call(*arrays(np, shape)), arrays(dpnp, shape)
    found = call(*given)
    assert found is given[-1]
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)


def test_two_results():
    out = dpnp.zeros((2, 4)), dpnp.zeros((2, 4))
    dpnp.divmod(dpnp.asarray(ROW), 3, out=out)
    for found, expected in zip(out, np.divmod(ROW, 3), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), np.broadcast_to(expected, (2, 4)))


@pytest.mark.parametrize("shape", [(3,), (3, 5), (4, 1), (3, 1)])
def test_other_shapes(shape):
    with pytest.raises(ValueError):
        np.add(ROW, 1, out=np.zeros(shape))
    with pytest.raises(ValueError):
        dpnp.add(dpnp.asarray(ROW), 1, out=dpnp.zeros(shape))
