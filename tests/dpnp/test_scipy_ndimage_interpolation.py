"""Interpolation by dpnp.scipy.ndimage against scipy.ndimage: orders, modes, dtypes and errors.

SciPy's coefficients in the modes 'reflect' and 'grid-mirror' are approximate in short arrays, so that the arrays here
are longer, and the splines are compared with the samples that they pass through.
"""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
import scipy.ndimage
from reference import values

ours = dpnp.scipy.ndimage
MODES = ["reflect", "grid-mirror", "constant", "grid-constant", "nearest", "mirror", "wrap", "grid-wrap"]
TOLERANCE = {"f": 1e-4, "d": 1e-9, "D": 1e-9}


def check(call: object, a: np.ndarray, **options: object) -> None:
    expected = call(scipy.ndimage, a, **options)
    got = call(ours, dpnp.array(a), **options).asnumpy()
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    tolerance = TOLERANCE.get(a.dtype.char, 1)  # of integers, a rounded half
    np.testing.assert_allclose(got.astype("D"), expected.astype("D"), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("code", "dfBlD")
def test_functions_of_scipy(code, mode, order):
    options = {"mode": mode, "order": order, "cval": 3.0}
    for shape in [(51,), (47, 49)]:
        a = values(code, shape, 0, 0, 100)
        n = len(shape)
        check(lambda m, x, **k: m.shift(x, 1.3, **k), a, **options)
        check(lambda m, x, **k: m.shift(x, [2, -3.25][: x.ndim], **k), a, **options)
        for factor in (1.7, 0.6):
            check(lambda m, x, f=factor, **k: m.zoom(x, f, **k), a, **options)
        if mode not in ("constant", "wrap") and code != "D":  # SciPy ignores grid_mode for complex numbers
            check(lambda m, x, **k: m.zoom(x, 1.5, grid_mode=True, **k), a, **options)
        points = values("d", (n, 6, 7), 1, -20, 70)
        check(lambda m, x, p=points, **k: m.map_coordinates(x, p if m is scipy.ndimage else dpnp.array(p), **k), a,
              **options)  # fmt: skip
        check(lambda m, x, n=n, **k: m.affine_transform(x, [0.7] * n, 1.2, output_shape=(8,) * n, **k), a, **options)
        if n == 2:
            matrix = np.array([[1.1, 0.2], [-0.1, 0.9]])
            check(lambda m, x, s=matrix, **k: m.affine_transform(x, s, 0.37, **k), a, **options)
            for angle, reshape in ((33, True), (90, True), (-130, False)):
                check(lambda m, x, v=angle, r=reshape, **k: m.rotate(x, v, reshape=r, **k), a, **options)


def test_three_axes_and_homogeneous_coordinates():
    a = values("d", (12, 13, 14))
    check(lambda m, x: m.rotate(x, 20, axes=(2, 0)), a)
    check(lambda m, x: m.zoom(x, (2, 1, 0.5)), a)
    matrix = np.eye(4) + 0.05 * values("d", (4, 4))
    matrix[3] = [0, 0, 0, 1]
    check(lambda m, x: m.affine_transform(x, matrix), a)
    check(lambda m, x: m.affine_transform(x, matrix[:3], order=1), a)
    check(lambda m, x: m.rotate(x, 10, output="f"), a[0])


@pytest.mark.parametrize("order", [2, 3, 4, 5])
@pytest.mark.parametrize("mode", ["mirror", "reflect", "grid-wrap"])
def test_splines_pass_through_samples(mode, order):
    weights = {2: [1 / 8, 6 / 8, 1 / 8], 3: [1 / 6, 4 / 6, 1 / 6], 4: np.array([1, 76, 230, 76, 1]) / 384,
               5: np.array([1, 26, 66, 26, 1]) / 120}[order]  # fmt: skip
    for n in (2, 5, 700):
        a = values("d", (n,))
        made = ours.spline_filter1d(dpnp.array(a), order, mode=mode).asnumpy()
        np.testing.assert_allclose(scipy.ndimage.correlate1d(made, weights, mode=mode), a, atol=1e-13)


def test_coefficients_are_scipys():
    a = values("d", (40, 50))
    check(lambda m, x: m.spline_filter(x), a)
    check(lambda m, x: m.spline_filter1d(x, 5, axis=0, output="f"), a.astype("f"))
    check(lambda m, x: m.map_coordinates(m.spline_filter(x), x[:2] * 5,
                                         prefilter=False), a)  # fmt: skip


def test_large_images():
    a = values("d", (560, 540))
    check(lambda m, x: m.rotate(x, 30, order=1), a)
    check(lambda m, x: m.shift(x, 0.5), a)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ours.shift(x, 1, order=6), RuntimeError, "order 6"),
        (lambda x: ours.shift(x, 1, mode="odd"), RuntimeError, "mode 'odd'"),
        (lambda x: ours.shift(x, (1, 2, 3)), RuntimeError, "shift"),
        (lambda x: ours.zoom(x, (2, -1)), ValueError, "must not be negative"),
        (lambda x: ours.map_coordinates(x, x[:1]), RuntimeError, "2 coordinates"),
        (lambda x: ours.map_coordinates(x, [[1.0], [1.0]]), TypeError, "map_coordinates"),
        (lambda x: ours.map_coordinates(x, 1j * x[:2]), TypeError, "real"),
        (lambda x: ours.affine_transform(x, np.eye(4)), RuntimeError, "2 axes"),
        (lambda x: ours.affine_transform(x, np.ones((3, 3))), ValueError, "homogeneous"),
        (lambda x: ours.rotate(x[0], 1), ValueError, "two axes"),
        (lambda x: ours.rotate(x, 1, axes=(1, -1)), ValueError, "different"),
        (lambda x: ours.zoom(dpnp.array(1.0), 2), RuntimeError, "axes"),
        (lambda x: ours.spline_filter(x, 1), RuntimeError, "order 1"),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call(dpnp.ones((3, 4)))
