"""Morphology and measurements of dpnp.scipy.ndimage against scipy.ndimage."""

from __future__ import annotations

import warnings

import dpnp
import numpy as np
import pytest
import scipy.ndimage
from reference import values

ours = dpnp.scipy.ndimage
SHAPES = [(11,), (17, 19), (5, 6, 7), (300, 1000)]


def host(x: object) -> np.ndarray:
    return x.asnumpy() if isinstance(x, dpnp.ndarray) else np.asarray(x)


def same(found: object, expected: object, tolerance: float = 0) -> None:
    got, expected = host(found), np.asarray(expected)
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(got.astype("d"), expected.astype("d"), rtol=tolerance, atol=tolerance)


def mask(shape: tuple[int, ...], seed: int = 0, part: float = 0.6) -> np.ndarray:
    return np.random.default_rng(seed).random(shape) < part


STRUCTURES = {
    "cross": lambda n: {}, "even": lambda n: {"structure": np.ones((2,) * n)}, "border": lambda n: {"border_value": 1},
    "repeated": lambda n: {"iterations": 3}, "random": lambda n: {"structure": mask((3,) * n, 1), "origin": 1},
    "shifted": lambda n: {"structure": mask((4,) * n, 2), "origin": -1},
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("name", ["binary_erosion", "binary_dilation", "binary_opening", "binary_closing"])
def test_bools(name, structure, shape):
    a, options = mask(shape), STRUCTURES[structure](len(shape))
    expected = getattr(scipy.ndimage, name)(a, **options)
    same(getattr(ours, name)(dpnp.array(a), **options), expected)
    for code in "Bd":
        same(getattr(ours, name)(dpnp.array(a.astype(code)), **options), expected)


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_repeated_until_nothing_changes(shape):
    a, inside = mask(shape, 0, 0.2), mask(shape, 1, 0.7)
    x, m = dpnp.array(a), dpnp.array(inside)
    same(ours.binary_propagation(x, mask=m), scipy.ndimage.binary_propagation(a, mask=inside))
    same(ours.binary_fill_holes(m), scipy.ndimage.binary_fill_holes(inside))
    options = {"iterations": 0, "border_value": 1}
    same(ours.binary_erosion(x, **options), scipy.ndimage.binary_erosion(a, **options))
    same(ours.binary_dilation(x, mask=m, iterations=2), scipy.ndimage.binary_dilation(a, mask=inside, iterations=2))
    n = len(shape)
    for options in ({}, {"structure1": mask((2,) * n, 3), "structure2": mask((3,) * n, 4), "origin2": 1}):
        same(ours.binary_hit_or_miss(m, **options), scipy.ndimage.binary_hit_or_miss(inside, **options))


GREY = ["grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "morphological_gradient",
        "morphological_laplace", "white_tophat", "black_tophat"]  # fmt: skip


@pytest.mark.parametrize("code", "Blfd")
@pytest.mark.parametrize("name", GREY)
def test_numbers(name, code):
    for shape in SHAPES[:3]:
        a, n = values(code, shape, 0, 0, 90), len(shape)
        tolerance = {"f": 1e-5, "d": 1e-13}.get(code, 0)
        tables = [{"size": 3}, {"size": 2}, {"footprint": mask((3,) * n, 1), "mode": "nearest"}]
        if code != "B":  # SciPy wraps unsigned numbers before it compares them
            tables += [{"structure": np.rint(values("d", (k,) * n, 0, 0, 5))} for k in (2, 3)]
        for options in tables:
            same(getattr(ours, name)(dpnp.array(a), **options), getattr(scipy.ndimage, name)(a, **options), tolerance)
    flags = mask((9, 9))
    if name not in ("morphological_gradient", "morphological_laplace"):  # SciPy subtracts bools, an error
        same(getattr(ours, name)(dpnp.array(flags), size=3), getattr(scipy.ndimage, name)(flags, size=3))


def test_structures():
    for rank in range(4):
        for connectivity in range(4):
            same(ours.generate_binary_structure(rank, connectivity),
                 scipy.ndimage.generate_binary_structure(rank, connectivity))  # fmt: skip
    cross = scipy.ndimage.generate_binary_structure(2, 1)
    for n in (1, 2, 4):
        same(ours.iterate_structure(dpnp.array(cross), n), scipy.ndimage.iterate_structure(cross, n))
    made, origin = ours.iterate_structure(cross, 3, 1)
    same(made, scipy.ndimage.iterate_structure(cross, 3, 1)[0])
    assert origin == [3, 3]


TOTALS = ["sum", "sum_labels", "mean", "variance", "standard_deviation"]
EXTREMES = ["minimum", "maximum", "median"]


@pytest.mark.parametrize("index", [None, 2, [1, 2, 3], [4, 1, 7], [[0, 2], [3, 3]]], ids=str)
@pytest.mark.parametrize("code", "bld")
@pytest.mark.parametrize("name", TOTALS + EXTREMES)
def test_measurements(name, code, index):
    if name == "median" and index in ([4, 1, 7], [[0, 2], [3, 3]]):
        pytest.skip("SciPy's median of an absent label, and of labels in two axes, is an error")
    for shape in SHAPES:
        a, labels = values(code, shape, 0, -40, 40), np.random.default_rng(1).integers(0, 5, shape)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # means of no elements
            expected = np.asarray(getattr(scipy.ndimage, name)(a, labels, index))
        got = host(getattr(ours, name)(dpnp.array(a), dpnp.array(labels), index))
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("name", TOTALS + EXTREMES)
def test_measurements_without_labels(name):
    a = values("d", (20, 30))
    np.testing.assert_allclose(float(getattr(ours, name)(dpnp.array(a))), getattr(scipy.ndimage, name)(a), rtol=1e-12)


def test_positions():
    a, labels = values("d", (20, 30)), np.random.default_rng(1).integers(0, 5, (20, 30))
    x, y = dpnp.array(a), dpnp.array(labels)
    for index in (None, 2, [1, 2, 3]):
        for name in ("minimum_position", "maximum_position", "center_of_mass"):
            expected = getattr(scipy.ndimage, name)(a, labels, index)
            np.testing.assert_allclose(getattr(ours, name)(x, y, index), expected, rtol=1e-10)
        for found, expected in zip(ours.extrema(x, y, index), scipy.ndimage.extrema(a, labels, index), strict=True):
            np.testing.assert_array_equal(host(found), expected)
        assert ours.extrema(x)[2:] == scipy.ndimage.extrema(a)[2:]
    equal = dpnp.ones((3, 4))
    assert ours.minimum_position(equal) == ours.maximum_position(equal) == (0, 0)


@pytest.mark.parametrize("index", [None, 1, 2, [1, 2, 3]], ids=str)
@pytest.mark.parametrize("name", ["minimum", "maximum", "median"])
def test_extremes_of_labels_with_nan(name, index):
    a, labels = np.array([3.0, np.nan, 1, 5, np.nan, 1]), np.array([1, 1, 2, 2, 0, 3])
    expected = getattr(scipy.ndimage, name)(a, labels, index)
    np.testing.assert_array_equal(host(getattr(ours, name)(dpnp.array(a), dpnp.array(labels), index)), expected)
    np.testing.assert_array_equal(host(getattr(ours, name)(dpnp.array(a))), getattr(scipy.ndimage, name)(a))


def test_the_largest_element_of_a_label_is_its_nan():
    x, labels = dpnp.array([3.0, np.nan, 1, 5, 1, np.nan]), dpnp.array([1, 1, 2, 2, 3, 1])
    assert ours.maximum_position(x, labels, [1, 2, 3]) == [(1,), (3,), (4,)]
    assert ours.maximum_position(x, labels, 1) == ours.minimum_position(x, labels) == (1,)


def test_labels_that_no_element_has():
    x, labels = dpnp.array([3, 1, 1]), dpnp.array([1, 1, 2])
    for name in ("minimum", "maximum", "minimum_position", "maximum_position", "extrema"):
        for wanted in ((labels, 9), (labels * 0,)):
            with pytest.raises(ValueError, match=f"{name}: no element has the label"):
                getattr(ours, name)(x, *wanted)
    assert ours.minimum_position(x, labels, [9, 2]) == [(0,), (2,)]
    np.testing.assert_array_equal(host(ours.median(x, labels, [9, 1])), [np.nan, 2])
    assert np.isnan(ours.median(x, labels, 9))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ours.binary_erosion(x, [1, 1]), RuntimeError, "2 axes"),
        (lambda x: ours.binary_erosion(x, np.ones((0, 2))), RuntimeError, "empty"),
        (lambda x: ours.binary_erosion(1j * x), TypeError, "complex"),
        (lambda x: ours.binary_erosion([1, 0]), TypeError, "binary_erosion"),
        (lambda x: ours.grey_erosion(x), ValueError, "size, footprint or structure"),
        (lambda x: ours.sum_labels(x, index=1), ValueError, "without labels"),
        (lambda x: ours.mean(x, x), TypeError, "integers"),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call(dpnp.ones((3, 4)))
