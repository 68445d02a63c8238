"""dpnp.scipy.ndimage: connected regions against SciPy."""

from __future__ import annotations

import dpnp
import dpnp.scipy.ndimage as ours
import numpy as np
import pytest
import scipy.ndimage as theirs


def elements(shape: tuple[int, ...], density: float, dtype: str = "i4") -> np.ndarray:
    random = np.random.default_rng(0)
    return ((random.random(shape) < density) * random.integers(1, 9, shape)).astype(dtype)


@pytest.mark.parametrize("density", [0, 0.2, 0.4, 0.6, 0.8, 1])
@pytest.mark.parametrize("shape", [(10,), (1, 9), (5, 7), (64, 65), (12, 13, 14), (600, 500)])
@pytest.mark.parametrize("diagonal", [False, True])
def test_labels(shape, density, diagonal):
    a = elements(shape, density)
    structure = np.ones((3,) * a.ndim) if diagonal else None
    expected, count = theirs.label(a, structure)
    found, number = ours.label(dpnp.asarray(a), structure)
    assert number == count and found.dtype == expected.dtype
    np.testing.assert_array_equal(dpnp.asnumpy(found), expected)
    assert ours.find_objects(found) == theirs.find_objects(expected)


@pytest.mark.parametrize("dtype", ["?", "u1", "f4", "f8"])
def test_dtypes_and_outputs(dtype):
    a = elements((20, 30), 0.5, dtype)
    x = dpnp.asarray(a)
    for output in (None, "u2", np.int64):
        found, expected = ours.label(x, output=output)[0], theirs.label(a, output=output)[0]
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(dpnp.asnumpy(found), expected)
    made = dpnp.zeros(a.shape, dtype="i8")
    assert ours.label(x, output=made) == theirs.label(a)[1]
    np.testing.assert_array_equal(dpnp.asnumpy(made), theirs.label(a)[0])


def test_a_long_way():
    a = np.zeros((41, 41), dtype=int)
    a[::2] = 1
    a[1::4, -1] = a[3::4, 0] = 1  # rows connected at alternating ends
    found, count = ours.label(dpnp.asarray(a))
    assert count == 1
    np.testing.assert_array_equal(dpnp.asnumpy(found), a)


def test_structures():
    a = elements((30, 31), 0.5)
    for structure in ([[0, 0, 0], [1, 1, 1], [0, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]):
        expected, count = theirs.label(a, structure)
        found, number = ours.label(dpnp.asarray(a), structure)
        assert number == count
        np.testing.assert_array_equal(dpnp.asnumpy(found), expected)


@pytest.mark.parametrize("largest", [0, 2, 9])
def test_absent_labels(largest):
    labels = np.array([[0, 3, 3], [-1, 5, 0], [1, 0, 5]])
    assert ours.find_objects(dpnp.asarray(labels), largest) == theirs.find_objects(labels, largest)
    assert ours.find_objects(dpnp.zeros((2, 2), dtype=int)) == []


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: ours.label([1, 0]), TypeError),
        (lambda x: ours.label(x * 1j), TypeError),
        (lambda x: ours.label(x, np.ones((3,))), ValueError),
        (lambda x: ours.label(x, [[1, 1, 1], [1, 1, 1], [0, 0, 0]]), ValueError),
        (lambda x: ours.label(x, output=dpnp.zeros(3)), ValueError),
        (lambda x: ours.find_objects(x * 1.5), TypeError),
        (lambda x: ours.find_objects([1, 2]), TypeError),
    ],
)
def test_bad_arguments(call, error):
    with pytest.raises(error):
        call(dpnp.asarray([[1, 0], [0, 1]]))


@pytest.mark.parametrize("seed", range(40))
def test_regions_and_holes_of_random_masks_and_structures(seed):
    random = np.random.default_rng(seed)
    ndim = int(random.integers(1, 4))
    x = random.random(tuple(random.integers(1, 9, ndim))) < random.random()
    structure = random.random((3,) * ndim) < 0.5
    structure |= np.flip(structure)
    for used in (None, structure, structure | (np.indices((3,) * ndim) == 1).all(axis=0)):
        expected, count = theirs.label(x, used)
        found = ours.label(dpnp.array(x), used)
        assert found[1] == count
        np.testing.assert_array_equal(found[0].asnumpy(), expected)
        if used is None or used[(1,) * ndim]:
            filled = ours.binary_fill_holes(dpnp.array(x), used).asnumpy()
            np.testing.assert_array_equal(filled, theirs.binary_fill_holes(x, used))


def test_a_long_path():
    x = np.ones((61, 40), bool)
    x[1::4, :-1] = x[3::4, 1:] = False
    for mask in (x, ~x):
        found, count = ours.label(dpnp.array(mask))
        expected, number = theirs.label(mask)
        assert count == number
        np.testing.assert_array_equal(found.asnumpy(), expected)
        filled = ours.binary_fill_holes(dpnp.array(mask)).asnumpy()
        np.testing.assert_array_equal(filled, theirs.binary_fill_holes(mask))
