"""The memory order of results: strides and flags are NumPy's."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest

LAYOUTS = {
    "row-major": lambda a: a,
    "column-major": lambda a: a.T.copy().T,
    "rows reversed": lambda a: a[::-1],
    "columns reversed": lambda a: a[:, ::-1],
    "all reversed": lambda a: a[::-1, ::-1],
    "transposed, reversed": lambda a: a.T[::-1],
    "every second column": lambda a: a[:, ::2],
    "without the first column": lambda a: a[:, 1:],
}
FUNCTIONS = {
    "negative": lambda xp, x: -x,
    "add a number": lambda xp, x: x + 1,
    "add": lambda xp, x: x + x,
    "compare": lambda xp, x: x > 2,
    "power": lambda xp, x: x**2,
    "maximum": lambda xp, x: xp.maximum(x, 3),
    "sqrt": lambda xp, x: xp.sqrt(x),
    "sqrt order A": lambda xp, x: xp.sqrt(x, order="A"),
    "add order F": lambda xp, x: xp.add(x, 1, order="F"),
    "add a row": lambda xp, x: x + x[0],
    "outer": lambda xp, x: xp.add.outer(x[:2, :3], x[:2, :3]),
    "expression": lambda xp, x: (x * 2 + 1) / x - x,
    "transposed result": lambda xp, x: (x + 1).T,
    "real part": lambda xp, x: xp.abs(x + 1j),
    "divmod": lambda xp, x: xp.divmod(x, 2)[1],
    "diff": lambda xp, x: xp.diff(x, axis=0),
    "where": lambda xp, x: xp.where(x > 3, x, 0),
    "clip": lambda xp, x: xp.clip(x, 2, 5),
    "cast": lambda xp, x: x.astype("f4"),
    "cast to the same dtype": lambda xp, x: x.astype("f8"),
    "copy": lambda xp, x: x.copy(),
    "copy order K": lambda xp, x: x.copy("K"),
    "function copy": lambda xp, x: xp.copy(x),
    "array": lambda xp, x: xp.array(x),
    "zeros_like": lambda xp, x: xp.zeros_like(x),
    "full_like": lambda xp, x: xp.full_like(x, 3),
    "sort": lambda xp, x: xp.sort(x),
    "sort axis 0": lambda xp, x: xp.sort(x, axis=0),
    "argsort": lambda xp, x: xp.argsort(x),
    "argsort axis 0": lambda xp, x: xp.argsort(x, axis=0),
    "partition axis 0": lambda xp, x: xp.partition(x, 1, axis=0),
    "percentile axis 0": lambda xp, x: xp.percentile(x, xp.array([20, 50]), axis=0),
    "concatenate": lambda xp, x: xp.concatenate([x, x]),
    "concatenate axis -1": lambda xp, x: xp.concatenate([x, x[:, :2]], axis=-1),
    "vstack": lambda xp, x: xp.vstack([x, x, x]),
    "hstack": lambda xp, x: xp.hstack((x, x)),
    "append": lambda xp, x: xp.append(x, x, axis=0),
    "triu": lambda xp, x: xp.triu(x),
    "dot": lambda xp, x: xp.dot(x, x.T),
    "nan_to_num": lambda xp, x: xp.nan_to_num(x),
}


def seen(a: object) -> tuple[object, ...]:
    """Shape, flags, and strides in elements of the axes that have any."""
    unit = a.itemsize if isinstance(a, np.ndarray) else 1
    strides = [s // unit for s, n in zip(a.strides, a.shape, strict=True) if n > 1]
    return a.shape, strides, a.flags.c_contiguous, a.flags.f_contiguous


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shape", [(4, 6), (30, 40), (600, 501)])
def test_results_have_numpys_order(function, layout, shape):
    a = np.random.default_rng(1).integers(1, 9, shape).astype(np.float64)
    x, y = LAYOUTS[layout](a), LAYOUTS[layout](dpnp.array(a))
    assert seen(x) == seen(y)
    expected, found = FUNCTIONS[function](np, x), FUNCTIONS[function](dpnp, y)
    assert seen(found) == seen(expected)
    if not function.startswith(("argsort", "partition")):  # of equal elements, the positions may differ
        np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=1e-6)
        np.testing.assert_allclose(dpnp.asnumpy(found.ravel("K")), expected.ravel("K"), rtol=1e-6)


def test_dpctls_results_run_backwards():
    import dpctl.tensor as dpt

    x = dpt.asarray(np.ones((4, 6)))[::-1]
    assert (x + 1).strides == (-6, 1)
    assert dpt.astype(x, "f4").strides == (-6, 1)
