"""dpnp's searches in sorted arrays, compared with NumPy's."""

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest

RANDOM = numpy.random.default_rng(5)


def same(ours: object, expected: object) -> None:
    assert isinstance(ours, dpnp.ndarray)
    numpy.testing.assert_array_equal(dpnp.asnumpy(ours), expected)


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(side: str) -> None:
    a, v = RANDOM.normal(size=1000), RANDOM.normal(size=(20, 300))
    order = numpy.argsort(a)
    x, w = dpnp.asarray(a), dpnp.asarray(v)
    same(dpnp.searchsorted(x, w, side, dpnp.asarray(order)), numpy.searchsorted(a, v, side, order))
    same(x.searchsorted(w, side, sorter=x.argsort()), a.searchsorted(v, side, sorter=order))
    b = numpy.sort(a)
    for needle in (0.5, [0.1, -0.1], numpy.float32(0.3), dpt.asarray([1, 2])):
        expected = numpy.searchsorted(b, dpt.asnumpy(needle) if isinstance(needle, dpt.usm_ndarray) else needle, side)
        same(dpnp.searchsorted(dpt.asarray(b), needle, side), expected)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize(
    "edges",
    [
        [0.0, 1.0, 2.5, 4.0],
        [4.0, 2.5, 1.0, 0.0],
        [1.0, 1.0, 1.0],
        [1.0],
        [],
        [0.0, 1.0, numpy.nan],
        [numpy.nan, 1.0, 0.0],
        [3, 2, -1],
    ],
    ids=str,
)
def test_digitize(edges: list[float], right: bool) -> None:
    x = numpy.append(RANDOM.normal(1, 2, 200).round(1), [0, 1, 2.5, 4, numpy.inf, -numpy.inf, numpy.nan])
    same(dpnp.digitize(dpnp.asarray(x), dpnp.asarray(edges), right), numpy.digitize(x, numpy.array(edges), right))


def test_digitize_by_nans_alone() -> None:
    x, edges = numpy.array([1.0, numpy.nan]), numpy.full(2, numpy.nan)
    same(dpnp.digitize(dpnp.asarray(x), dpnp.asarray(edges)), numpy.digitize(x, edges))


def test_shapes_and_dtypes() -> None:
    for dtype in ("bool", "int8", "uint32", "float16", "float32"):
        x, edges = RANDOM.integers(0, 9, (5, 7)).astype(dtype), numpy.array([0, 1, 5], dtype)
        same(dpnp.digitize(dpnp.asarray(x), dpnp.asarray(edges)), numpy.digitize(x, edges))
    same(dpnp.digitize(dpnp.asarray(2), dpnp.asarray([1, 2])), numpy.digitize(2, [1, 2]))


def test_errors() -> None:
    x = dpnp.arange(3)
    with pytest.raises(TypeError, match="searchsorted: An array must be any of supported type"):
        dpnp.searchsorted([1, 2], 1)
    with pytest.raises(TypeError, match="digitize: An array must be any of supported type"):
        dpnp.digitize(x, [1, 2])
    with pytest.raises(TypeError, match="digitize: x must be real, got complex128"):
        dpnp.digitize(x * 1j, x)
    with pytest.raises(ValueError, match=r"digitize: bins must have one axis, got shape \(1, 3\)"):
        dpnp.digitize(x, x[None])
    with pytest.raises(ValueError, match=r"digitize: bins must have one axis, got shape \(\)"):
        dpnp.digitize(x, dpnp.asarray(1))


@pytest.mark.parametrize(
    "edges",
    [[1.0, 3.0, 2.0], [3, 1, 2], [0.0, 1.0, 1.0, 0.5], [numpy.nan, 1.0, 2.0], [*range(1000), 5.0], [5, *range(1000)]],
    ids=lambda edges: str(edges[:5]),
)
def test_digitize_refuses_edges_that_rise_and_fall(edges: list[float]) -> None:
    x, edges = numpy.arange(5.0), numpy.array(edges)
    with pytest.raises(ValueError, match="bins must be monotonically increasing or decreasing"):
        numpy.digitize(x, edges)
    with pytest.raises(ValueError, match="digitize: bins must be monotonically increasing or decreasing"):
        dpnp.digitize(dpnp.asarray(x), dpnp.asarray(edges))
