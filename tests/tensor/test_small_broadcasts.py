"""Operations on few elements of slices and with broadcasting, also in place: the calling thread computes rows."""

from __future__ import annotations

import operator

import dpctl.tensor as dpt
import numpy as np
import pytest

DTYPES = ["i1", "u2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"]
# views of arrays of shape (20, 30)
VIEWS = {
    "whole": lambda a: a,
    "interior": lambda a: a[1:-1, 1:-1],
    "upper": lambda a: a[:-2, 1:-1],
    "left": lambda a: a[1:-1, :-2],
    "row": lambda a: a[3],
    "row of the interior": lambda a: a[3, 1:-1],
    "one row": lambda a: a[3:4, 1:-1],
    "column": lambda a: a[:, 2:3],
    "column of the interior": lambda a: a[1:-1, 5:6],
    "every second row": lambda a: a[::2],
    "every second column": lambda a: a[:, ::2],
    "backwards": lambda a: a[::-1, 1:],
    "transposed": lambda a: a.T,
    "narrow": lambda a: a[:, 1:4],
    "element": lambda a: a[2, 3],
    "of one element": lambda a: a[2:3, 3:4],
    "no rows": lambda a: a[:0],
    "with another axis": lambda a: a[None, 1:-1, 1:-1],
    "column with another axis": lambda a: a[2:5, None, 4:5],
}


def array(dtype: str, seed: int) -> np.ndarray:
    numbers = np.random.default_rng(seed)
    a = numbers.integers(1, 9, (20, 30)).astype(dtype)
    return a + a.T[:1, :1] * a.dtype.type(1j) if a.dtype.kind == "c" else a


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("first", VIEWS)
def test_pairs_of_views(first, dtype):
    a, b = array(dtype, 1), array(dtype, 2)
    x, y = dpt.asarray(a), dpt.asarray(b)
    for second in VIEWS:
        left, right = VIEWS[first](a), VIEWS[second](b)
        try:
            shape = np.broadcast_shapes(np.shape(left), np.shape(right))
        except ValueError:
            with pytest.raises(ValueError, match="broadcast"):
                VIEWS[first](x) + VIEWS[second](y)
            continue
        for function in (operator.add, operator.sub, operator.mul, operator.eq):
            found = function(VIEWS[first](x), VIEWS[second](y))
            with np.errstate(over="ignore"):  # of NumPy's scalars
                expected = np.asarray(function(left, right))
            assert found.shape == shape
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(dpt.asnumpy(found), expected)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
@pytest.mark.parametrize("target", VIEWS)
def test_updates_of_views(target, dtype):
    for second in VIEWS:
        a, b = array(dtype, 1), array(dtype, 2)
        x, y = dpt.asarray(a), dpt.asarray(b)
        to = VIEWS[target](a)
        if not isinstance(to, np.ndarray):
            return  # an element of NumPy's is no view
        for function, source, ours in [
            (operator.iadd, b, y),
            (operator.isub, a, x),  # elements that are written, too
            (operator.imul, np.asarray(2, dtype), 2),
        ]:
            of = source if source.ndim == 0 else VIEWS[second](source)
            try:
                np.broadcast_to(of, to.shape)
            except ValueError:
                continue
            function(VIEWS[target](x), ours if source.ndim == 0 else VIEWS[second](ours))
            function(to, of)
            np.testing.assert_array_equal(dpt.asnumpy(x), a, err_msg=f"{function.__name__} {second}")


def test_numbers_and_types():
    a = array("f8", 3)
    x = dpt.asarray(a)
    for view in VIEWS.values():
        np.testing.assert_array_equal(dpt.asnumpy(4 * view(x)), 4 * view(a))
        np.testing.assert_array_equal(dpt.asnumpy(view(x) / 3), view(a) / 3)
        np.testing.assert_array_equal(dpt.asnumpy(-view(x)), -view(a))
        np.testing.assert_allclose(dpt.asnumpy(dpt.exp(view(x))), np.exp(view(a)), rtol=1e-15)
        np.testing.assert_array_equal(
            dpt.asnumpy(view(x) + dpt.asarray(a[0:1, 1:2].astype("i4"))), view(a) + a[0:1, 1:2]
        )
    out = dpt.zeros((22, 32))
    dpt.add(x, x[0], out=out[1:-1, 1:-1])
    np.testing.assert_array_equal(dpt.asnumpy(out[1:-1, 1:-1]), a + a[0])
    assert float(dpt.sum(out[0])) == 0
