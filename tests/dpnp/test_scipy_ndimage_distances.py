"""dpnp.scipy.ndimage.distance_transform_edt against SciPy's."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
import scipy.ndimage

ours = dpnp.scipy.ndimage


def image(shape: tuple[int, ...], part: float) -> np.ndarray:
    """An image with this part of background, at least one element."""
    rng = np.random.default_rng(len(shape))
    a = rng.random(shape) > part
    a.flat[rng.integers(a.size)] = False
    return a


@pytest.mark.parametrize("sampling", [None, 2.5, "each axis"])
@pytest.mark.parametrize("part", [0, 0.03, 0.4, 1])
@pytest.mark.parametrize("shape", [(1,), (7,), (9, 1), (1, 9), (23, 31), (5, 6, 7), (3, 4, 2, 5)], ids=str)
def test_distances_and_indices(shape, part, sampling):
    a = image(shape, part)
    sampling = [1 + i / 2 for i in range(a.ndim)] if sampling == "each axis" else sampling
    expected, expected_indices = scipy.ndimage.distance_transform_edt(a, sampling, return_indices=True)
    found, indices = map(dpnp.asnumpy, ours.distance_transform_edt(dpnp.asarray(a), sampling, return_indices=True))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert (indices.dtype, indices.shape) == (expected_indices.dtype, expected_indices.shape)
    assert not a[tuple(indices)].any()
    steps = np.broadcast_to(1 if sampling is None else sampling, a.ndim).reshape(-1, *[1] * a.ndim)
    apart = np.sqrt((((indices - np.indices(shape)) * steps) ** 2).sum(axis=0))
    np.testing.assert_allclose(apart, expected, rtol=1e-14)  # of equally near ones, SciPy's may be another
    alone = ours.distance_transform_edt(dpnp.asarray(a), sampling)
    np.testing.assert_array_equal(dpnp.asnumpy(alone), found)


@pytest.mark.parametrize("dtype", ["i4", "f8", "u1", "D"])
def test_elements_of_other_dtypes(dtype):
    a = (image((6, 7), 0.2) * 3).astype(dtype)
    found = ours.distance_transform_edt(dpnp.asarray(a).T)
    np.testing.assert_allclose(dpnp.asnumpy(found), scipy.ndimage.distance_transform_edt(a.T), rtol=1e-14)


def test_no_background_no_elements_and_no_axes():
    found, indices = ours.distance_transform_edt(dpnp.ones((2, 3)), return_indices=True)
    assert (found == np.inf).all()
    assert (indices == -1).all()
    found, indices = ours.distance_transform_edt(dpnp.ones((0, 3)), return_indices=True)
    assert (found.shape, indices.shape) == ((0, 3), (2, 0, 3))
    assert ours.distance_transform_edt(dpnp.zeros(())).tolist() == [0]


def test_arrays_for_results():
    x = dpnp.asarray([0, 1, 1])
    distances, indices = dpnp.empty(3), dpnp.empty((1, 3), dtype="i4")
    assert ours.distance_transform_edt(x, return_indices=True, distances=distances, indices=indices) is None
    assert (distances.tolist(), indices.tolist()) == ([0, 1, 2], [[0, 0, 0]])
    assert ours.distance_transform_edt(x, return_distances=False, return_indices=True).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda f, x: f(x, return_distances=False), RuntimeError, "at least one"),
        (lambda f, x: f(x, [1, 2, 3]), RuntimeError, "sampling"),
        (lambda f, x: f(x, distances=dpnp.zeros((2, 2), dtype="f4")), RuntimeError, r"\(2, 2\) and dtype float64"),
        (lambda f, x: f(x, distances=dpnp.zeros(3)), RuntimeError, "distances must have shape"),
        (lambda f, x: f(x, indices=dpnp.zeros((2, 2, 2), dtype="i4")), RuntimeError, "return_indices must be True"),
        (lambda f, x: f(x, distances=np.zeros((2, 2))), TypeError, "distances must be an array of dpnp, got ndarray"),
        (lambda f, x: f([[0, 1]]), TypeError, "distance_transform_edt"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call(ours.distance_transform_edt, dpnp.ones((2, 2)))
