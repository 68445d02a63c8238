"""dpnp's bincount and histograms, compared with NumPy's."""

import itertools
import warnings

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest

RANDOM = numpy.random.default_rng(7)
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
NAN, INF = numpy.nan, numpy.inf


def same(ours: object, expected: object, exact: bool = True) -> None:
    assert isinstance(ours, dpnp.ndarray)
    found = dpnp.asnumpy(ours)
    if exact:
        numpy.testing.assert_array_equal(found, expected, strict=True)
    else:
        assert found.dtype == expected.dtype and found.shape == expected.shape
        near = 1e-6 if found.dtype.itemsize == 4 else 1e-13
        numpy.testing.assert_allclose(found, expected, rtol=near, atol=near * abs(expected).max(initial=0))


@pytest.mark.parametrize("length", [1, 7, 100, 1025, 100_000])
@pytest.mark.parametrize("count", [0, 1, 10, 5000, 300_001])
def test_bincount(count: int, length: int) -> None:
    a, w = RANDOM.integers(0, length, count), RANDOM.normal(size=count)
    x = dpnp.asarray(a)
    same(dpnp.bincount(x), numpy.bincount(a))
    same(dpnp.bincount(x, minlength=length + 3), numpy.bincount(a, minlength=length + 3))
    # of no elements, numpy.bincount's sums are int64
    same(dpnp.bincount(x, dpnp.asarray(abs(w))), numpy.bincount(a, abs(w)).astype("f8"), exact=False)
    found = dpnp.asnumpy(dpnp.bincount(x, dpnp.asarray(w)))
    numpy.testing.assert_allclose(found, numpy.bincount(a, w), atol=1e-11)


def test_bincount_of_equal_elements() -> None:
    same(dpnp.bincount(dpnp.full(200_000, 3)), numpy.bincount(numpy.full(200_000, 3)))


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
def test_dtypes_of_bincount(dtype: str) -> None:
    a = RANDOM.integers(0, 100, 5000).astype(dtype)
    same(dpnp.bincount(dpnp.asarray(a)), numpy.bincount(a.astype("int64")))
    same(dpnp.bincount(dpnp.asarray(a)[::-3]), numpy.bincount(a[::-3].astype("int64")))
    w = RANDOM.integers(0, 9, 5000).astype(dtype)
    same(dpnp.bincount(dpnp.asarray(a), dpnp.asarray(w)), numpy.bincount(a.astype("int64"), w))


def test_sums_do_not_depend_on_the_run() -> None:
    x, w = dpnp.asarray(RANDOM.integers(0, 50, 400_000)), dpnp.asarray(RANDOM.normal(size=400_000))
    first = dpnp.asnumpy(dpnp.bincount(x, w))
    for _ in range(5):
        assert numpy.array_equal(dpnp.asnumpy(dpnp.bincount(x, w)), first)


def test_errors_of_bincount() -> None:
    x = dpnp.arange(3)
    with pytest.raises(TypeError, match="bincount: x must be an array of integers, got float64"):
        dpnp.bincount(dpnp.ones(3))
    with pytest.raises(TypeError, match="bincount: An array must be any of supported type"):
        dpnp.bincount([1, 2])
    with pytest.raises(TypeError, match="bincount: use 0 instead of None for minlength"):
        dpnp.bincount(x, minlength=None)
    with pytest.raises(ValueError, match="bincount: minlength must not be negative, got -1"):
        dpnp.bincount(x, minlength=-1)
    with pytest.raises(ValueError, match="bincount: x must have no negative elements, got -1"):
        dpnp.bincount(x - 1)
    with pytest.raises(ValueError, match="bincount: x must have one axis"):
        dpnp.bincount(x[None])
    with pytest.raises(ValueError, match="bincount: weights must have the shape of the elements"):
        dpnp.bincount(x, x[1:])
    with pytest.raises(ValueError, match="bincount: weights must be real, got complex128"):
        dpnp.bincount(x, x * 1j)


EDGES = {
    "int": 7,
    "many": 1000,
    "list": [-1.0, 0.0, 0.25, 0.5, 2.0],
    "empty bins": [0.0, 0.0, 1.0, 1.0],
    "one edge": [0.5],
    "infinite": [-INF, 0.0, INF],
}


@pytest.mark.parametrize("bins", EDGES.values(), ids=EDGES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "uint8", "int64"])
def test_histogram(dtype: str, bins: object) -> None:
    for size in (10, 300_000):
        a = (RANDOM.normal(size=size) * (1 if dtype.startswith("f") else 20)).astype(dtype)
        a[:3] = a[3:6]
        x = dpnp.asarray(a)
        hist, edges = dpnp.histogram(x, bins)
        expected, of_numpy = numpy.histogram(a, bins)
        same(edges, of_numpy)
        same(hist, expected)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_elements_are_in_lexicographic_order(dtype: str) -> None:
    a = (RANDOM.integers(0, 4, 300) + 1j * RANDOM.integers(0, 4, 300)).astype(dtype)
    edges = numpy.array([0, 1 + 1j, 2 - 1j, 3 + 1j], dtype)
    expected = [((a >= low) & (a < high)).sum() for low, high in itertools.pairwise(edges)]
    expected[-1] += (a == edges[-1]).sum()
    same(dpnp.histogram(dpnp.asarray(a), dpnp.asarray(edges))[0], numpy.array(expected))
    hist, edges = dpnp.histogram(dpnp.asarray(a), 5)
    assert edges.dtype == dtype and int(hist.sum()) == a.size


def test_elements_at_edges_are_in_the_bins_of_numpy() -> None:
    for a in (numpy.zeros(5, int), numpy.linspace(-1, 1, 21), numpy.linspace(0, 10, 101, dtype="f4")):
        for bins in (10, 3, 7, 100):
            same(dpnp.histogram(dpnp.asarray(a), bins)[0], numpy.histogram(a, bins)[0])


def test_the_last_edge_belongs_to_the_last_bin() -> None:
    x = dpnp.asarray([0.0, 1.0, 2.0, 2.0, numpy.nextafter(2, 3), NAN, -1.0, INF, -INF])
    same(dpnp.histogram(x, [0.0, 1.0, 2.0])[0], numpy.array([1, 3]))
    same(dpnp.histogram(x, [0.0, INF])[0], numpy.array([6]))
    for dtype in INTEGERS:
        info = numpy.iinfo(dtype)
        a = numpy.array([info.min, 0, 1, info.max - 1, info.max, info.max], dtype)
        for edges in ([0, 1, info.max - 1], [1, info.max], [info.min, 0, info.max]):
            bins = numpy.array(edges, dtype)
            same(dpnp.histogram(dpnp.asarray(a), dpnp.asarray(bins))[0], numpy.histogram(a, bins)[0])


@pytest.mark.parametrize("bounds", [None, (0, 1), (-0.5, 2.5), (1, 1)])
def test_ranges(bounds: tuple[float, float] | None) -> None:
    for a in (RANDOM.normal(size=500), RANDOM.normal(size=500).astype("f4"), RANDOM.integers(0, 9, 50), numpy.ones(0)):
        same(dpnp.histogram_bin_edges(dpnp.asarray(a), 5, bounds), numpy.histogram_bin_edges(a, 5, bounds))
    x = dpnp.asarray([1, 2, 3])
    same(dpnp.histogram(x, 2, (x.min(), x.max()))[0], numpy.array([1, 2]))


@pytest.mark.parametrize("density", [None, False, True])
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "complex64", None])
def test_weights_and_density(dtype: str | None, density: bool | None) -> None:
    a = RANDOM.normal(size=10_000)
    w = None if dtype is None else RANDOM.integers(1, 9, a.size).astype(dtype)
    weights = None if w is None else dpnp.asarray(w)
    hist, _ = dpnp.histogram(dpnp.asarray(a), [-2.0, -1.0, 0.0, 2.0], density=density, weights=weights)
    expected, _ = numpy.histogram(a, [-2.0, -1.0, 0.0, 2.0], density=density, weights=w)
    numpy.testing.assert_allclose(dpnp.asnumpy(hist), expected, rtol=1e-6)
    assert hist.dtype == (expected.dtype if not density else hist.dtype)


def test_several_dimensions() -> None:
    a, w = RANDOM.normal(size=(5000, 3)), RANDOM.random(5000)
    x = dpnp.asarray(a)
    edges = [[-2.0, 0.0, 1.0], [-1.0, 1.0], [-3.0, -1.0, 0.0, 3.0]]
    for bins in (edges, [edges[0], dpnp.asarray(edges[1]), edges[2]]):
        for options in ({}, {"density": True}, {"weights": w}):
            given = {k: dpnp.asarray(v) if k == "weights" else v for k, v in options.items()}
            hist, ours = dpnp.histogramdd(x, bins, **given)
            expected, theirs = numpy.histogramdd(a, edges, **options)
            same(hist, expected, exact=False)
            for e, f in zip(ours, theirs, strict=True):
                same(e, f)
    hist, ours = dpnp.histogramdd(x, (3, 4, 5), range=[(-1, 1), None, (-2, 2)])
    expected, theirs = numpy.histogramdd(a, (3, 4, 5), range=[(-1, 1), None, (-2, 2)])
    same(hist, expected)
    for e, f in zip(ours, theirs, strict=True):
        same(e, f, exact=False)
    same(dpnp.histogramdd(x[:, 0], 4)[0], numpy.histogramdd(a[:, 0], 4)[0])
    same(dpnp.histogramdd(x, weights=dpnp.asarray(w) * 1j)[0], numpy.histogramdd(a, weights=w)[0] * 1j, exact=False)


def test_two_dimensions() -> None:
    a, b = RANDOM.normal(size=(2, 3000))
    x, y = dpnp.asarray(a), dpt.asarray(b)
    edges = numpy.array([-1.0, 0.0, 2.0])
    for bins in (5, [4, 6], edges, [edges, 3], [edges, edges]):
        hist, *ours = dpnp.histogram2d(x, y, bins)
        expected, *theirs = numpy.histogram2d(a, b, bins)
        same(hist, expected)
        for e, f in zip(ours, theirs, strict=True):
            same(e, f, exact=False)


RULES = ["auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"]


@pytest.mark.parametrize("bounds", [None, (0.0, 1.5)])
@pytest.mark.parametrize("rule", RULES)
def test_rules_for_the_number_of_bins(rule: str, bounds: tuple[float, float] | None) -> None:
    rng = numpy.random.default_rng(1)
    for data in (rng.normal(size=1000), rng.integers(0, 20, 500), rng.exponential(size=37), numpy.zeros(5),
                 numpy.arange(3.0), numpy.array([]), numpy.array([2.0]), rng.integers(0, 255, 2000).astype("u1"),
                 rng.normal(size=1000).astype("f4")):  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of NumPy: the number may be suboptimal
            expected = numpy.histogram(data, rule, range=bounds)
        found = dpnp.histogram(dpnp.asarray(data), rule, range=bounds)
        assert numpy.array_equal(dpnp.asnumpy(found[0]), expected[0])
        numpy.testing.assert_allclose(dpnp.asnumpy(found[1]), expected[1], rtol=1e-6, atol=1e-6)


def test_coordinates_in_a_list() -> None:
    rng = numpy.random.default_rng(2)
    parts = [rng.normal(size=50), rng.normal(size=50)]
    H, edges = dpnp.histogramdd([dpnp.asarray(x) for x in parts], bins=(3, 4))
    expected, expected_edges = numpy.histogramdd(parts, bins=(3, 4))
    assert numpy.array_equal(dpnp.asnumpy(H), expected)
    for x, y in zip(edges, expected_edges, strict=True):
        numpy.testing.assert_allclose(dpnp.asnumpy(x), y)


def test_errors() -> None:
    x = dpnp.arange(5.0)
    with pytest.raises(TypeError, match="histogram: An array must be any of supported type"):
        dpnp.histogram([1, 2])
    with pytest.raises(TypeError, match="`bins` must be an integer or an array, got float"):
        dpnp.histogram(x, 2.5)
    with pytest.raises(ValueError, match=r"bins must be one of .*, got 'mad'"):
        dpnp.histogram(x, "mad")
    with pytest.raises(TypeError, match="the rule 'auto' of bins does not take weights"):
        dpnp.histogram(x, "auto", weights=x)
    with pytest.raises(TypeError, match="the rule 'fd' of bins takes real numbers, got complex128"):
        dpnp.histogram(x + 1j, "fd")
    with pytest.raises(ValueError, match="the number of bins must be positive, got 0"):
        dpnp.histogram(x, 0)
    with pytest.raises(ValueError, match="`bins` must be 1d"):
        dpnp.histogram(x, [[1, 2]])
    with pytest.raises(ValueError, match="the edges of bins must increase monotonically"):
        dpnp.histogram(x, [2, 1])
    with pytest.raises(ValueError, match="range must have 2 elements, got 3"):
        dpnp.histogram(x, range=(1, 2, 3))
    with pytest.raises(ValueError, match=r"max must be larger than min in range parameter, got \[2, 1\]"):
        dpnp.histogram(x, range=(2, 1))
    with pytest.raises(ValueError, match=r"autodetected range of \[nan, nan\] is not finite"):
        dpnp.histogram(x / 0)
    with pytest.raises(ValueError, match="weights must have the shape of the elements"):
        dpnp.histogram(x, weights=x[1:])
    with pytest.raises(ValueError, match="sample must have no more than 2 dimensions"):
        dpnp.histogramdd(dpnp.ones((2, 2, 2)))
    with pytest.raises(ValueError, match=r"bins must be an integer or a sequence, got 0\.1"):
        dpnp.histogramdd(x, 0.1)
    with pytest.raises(ValueError, match="expected bins for each of 3 coordinates, got 2"):
        dpnp.histogramdd(dpnp.ones((4, 3)), [2, 3])
    with pytest.raises(ValueError, match="x and y must have one axis of the same length"):
        dpnp.histogram2d(x, x[1:])
