"""argmax and argmin of sparse matrices: positions of the first extremes, as of dense arrays and SciPy."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from sparse_matrices import FORMATS, SHAPES, matrix, on_device


@pytest.mark.parametrize("kind", ["matrix", "array"])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if 0 not in shape])
@pytest.mark.parametrize("density", [0.15, 0.9, 1.0])
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_positions(name, density, shape, format, kind):
    for code in "ifd":
        theirs = matrix(code, shape, format, density=density, kind=kind)
        ours, dense = on_device(theirs), theirs.toarray()
        for axis in (None, 0, 1, -1):
            found = dpnp.asnumpy(getattr(ours, name)(axis=axis))
            np.testing.assert_array_equal(found.ravel(), np.ravel(getattr(dense, name)(axis=axis)))
            assert found.shape == np.shape(getattr(theirs, name)(axis=axis))
            if axis is not None:
                expected = np.asarray(getattr(theirs, name)(axis=axis, explicit=True))
                np.testing.assert_array_equal(dpnp.asnumpy(getattr(ours, name)(axis=axis, explicit=True)), expected)


def test_stored_elements_only():
    ours = on_device(matrix("d", (30, 20), density=0.3))
    dense = dpnp.asnumpy(ours.toarray())
    stored = np.where(dense == 0, -np.inf, dense)
    assert int(ours.argmax(explicit=True)) == int(stored.argmax())


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: x.argmax(axis=2), ValueError),
        (lambda x: x.argmax(out=dpnp.zeros(3)), ValueError),
        (lambda x: (x * 1j).argmin(), TypeError),
        (lambda x: on_device(matrix("d", (0, 5))).argmin(), ValueError),
        (lambda x: on_device(matrix("d", (0, 5))).argmax(axis=0), ValueError),
    ],
)
def test_bad_arguments(call, error):
    with pytest.raises(error):
        call(on_device(matrix("d", (7, 50))))
