"""dpnp.scipy.spatial.distance against scipy.spatial.distance: metrics, weights, dtypes, layouts and errors."""

from __future__ import annotations

import math
import warnings

import dpnp
import numpy as np
import pytest
import scipy.spatial.distance
from reference import values

theirs, ours = scipy.spatial.distance, dpnp.scipy.spatial.distance
OF_BOOLS = {"dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"}
METRICS = sorted(m.canonical_name for m in theirs._METRIC_INFOS)
UNWEIGHTED = {"seuclidean", "mahalanobis", "jensenshannon"}
# Points and components: tails of vectors, more components than a program has terms, and enough for threads.
SIZES = [(7, 5, 3), (1, 40, 8), (33, 70, 40), (600, 520, 6)]


def points(metric: str, code: str, n: int, k: int, seed: int = 0) -> np.ndarray:
    if metric in OF_BOOLS:
        made = values("?", (n, k), seed)
        made[:, 0] = True  # SciPy refuses points without a true component for some metrics
        return made
    made = values(code, (n, k), seed, -40, 40)  # no points of equal integers, which correlate with nothing
    return np.abs(made) if metric == "jensenshannon" else made


def same(found: dpnp.ndarray, expected: np.ndarray) -> None:
    assert type(found) is dpnp.ndarray
    got = found.asnumpy()
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(got, expected, rtol=1e-8, atol=2e-8)  # cancellation in 1 - cosine and entropies


def tables(metric: str, k: int) -> list[dict[str, object]]:
    weights = np.abs(values("d", (k,), 3))
    weights[-1] = 0
    made = [{}] if metric in UNWEIGHTED else [{}, {"w": weights}]
    if metric == "minkowski":
        made += [{"p": 1}, {"p": 3}, {"p": 1.5, "w": weights}, {"p": math.inf}]
    if metric == "mahalanobis":
        made = [{"VI": np.eye(k) + 0.1 * values("d", (k, k))}]
    if metric == "seuclidean":
        made += [{"V": np.abs(values("d", (k,))) + 0.1}]
    return made


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("code", "dfl")
@pytest.mark.parametrize("metric", METRICS)
def test_all_pairs(metric, code, sizes):
    m, n, k = sizes
    if m > 100 and code != "d":
        m, n = 65, 64
    a, b = points(metric, code, m, k), points(metric, code, n, k, 1)
    x, y = dpnp.array(a), dpnp.array(b)
    for options in tables(metric, k):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # divisions by zero
            if not (metric == "seuclidean" and m == 1):
                same(ours.cdist(x, y, metric, **options), theirs.cdist(a, b, metric, **options))
            same(ours.pdist(y, metric, **options), theirs.pdist(b, metric, **options))


@pytest.mark.parametrize("metric", sorted(set(METRICS) - {"seuclidean", "mahalanobis", "minkowski", "jensenshannon"}))
def test_vectors(metric):
    u, v = points(metric, "d", 1, 9)[0], points(metric, "d", 1, 9, 1)[0]
    for options in tables(metric, 9):
        same(getattr(ours, metric)(dpnp.array(u), dpnp.array(v), **options),
             np.asarray(getattr(theirs, metric)(u, v, **options), "d"))  # fmt: skip


def test_vectors_with_parameters():
    u, v, w = (np.abs(values("d", (5,), i)) for i in range(3))
    x, y = dpnp.array(u), dpnp.array(v)
    inverse = np.eye(5) + 0.1 * values("d", (5, 5))
    for p in (1, 2, 2.5, math.inf):
        same(ours.minkowski(x, y, p, w), np.asarray(theirs.minkowski(u, v, p, w)))
    same(ours.seuclidean(x, y, w), np.asarray(theirs.seuclidean(u, v, w)))
    same(ours.mahalanobis(x, y, dpnp.array(inverse)), np.asarray(theirs.mahalanobis(u, v, inverse)))
    same(ours.correlation(x, y, w, centered=False), np.asarray(theirs.correlation(u, v, w, centered=False)))
    p, q = (np.abs(values("d", (4, 3), i)) for i in range(2))
    for options in ({}, {"base": 2, "axis": 1}, {"keepdims": True}):
        same(ours.jensenshannon(dpnp.array(p), dpnp.array(q), **options), theirs.jensenshannon(p, q, **options))


def test_default_covariance_and_variances():
    a, b = values("d", (9, 3)), values("d", (8, 3), 1)
    for metric in ("mahalanobis", "seuclidean"):
        same(ours.cdist(dpnp.array(a), dpnp.array(b), metric), theirs.cdist(a, b, metric))
        same(ours.pdist(dpnp.array(a), metric), theirs.pdist(a, metric))


def test_other_names_layouts_and_out():
    a, b = values("d", (6, 8)), values("d", (8, 5), 1)
    x, y = dpnp.array(a)[::-1, ::2], dpnp.array(b).T[:, ::2]
    for name in ("cb", "cheby", "matching", "SQEUCLID", "cos"):
        same(ours.cdist(x, y, name), theirs.cdist(a[::-1, ::2], b.T[:, ::2], name))
    out = dpnp.empty((6, 5))
    assert ours.cdist(x, y, out=out) is out
    same(out, theirs.cdist(a[::-1, ::2], b.T[:, ::2]))
    assert ours.pdist(x[:1]).shape == (0,) and ours.cdist(x[:0], y).shape == (0, 5)


@pytest.mark.parametrize("code", "?Blfd")
def test_squareform(code):
    for n in (2, 3, 40):
        y = values(code, (n * (n - 1) // 2,))
        matrix = theirs.squareform(y)
        same_bits = ours.squareform(dpnp.array(y))
        np.testing.assert_array_equal(same_bits.asnumpy(), matrix)
        assert same_bits.dtype == matrix.dtype
        np.testing.assert_array_equal(ours.squareform(dpnp.array(matrix)).asnumpy(), y)
    assert ours.num_obs_y(dpnp.array(y)) == ours.num_obs_dm(dpnp.array(matrix)) == 40
    assert ours.squareform(dpnp.zeros(0)).shape == (1, 1)


def test_valid_matrices():
    good, bad = dpnp.array([[0.0, 1.0], [1.0, 0.0]]), dpnp.array([[0.0, 1.0], [2.0, 0.0]])
    assert ours.is_valid_dm(good) and not ours.is_valid_dm(bad) and ours.is_valid_dm(bad, tol=1)
    assert not ours.is_valid_dm(good + 1) and not ours.is_valid_dm(good[0])
    assert ours.is_valid_y(dpnp.ones(3)) and not ours.is_valid_y(dpnp.ones(4))


def test_directed_hausdorff():
    a, b = values("d", (30, 3)), values("d", (20, 3), 1)
    found = [float(x) for x in ours.directed_hausdorff(dpnp.array(a), dpnp.array(b))]
    np.testing.assert_allclose(found, theirs.directed_hausdorff(a, b))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ours.cdist(x, [[1.0]]), TypeError, "cdist"),
        (lambda x: ours.cdist(x, x, "nearest"), ValueError, "unknown metric 'nearest'"),
        (lambda x: ours.cdist(x, x, lambda u, v: 0), TypeError, "name of a metric"),
        (lambda x: ours.cdist(x, x[:, :2]), ValueError, "number of components"),
        (lambda x: ours.cdist(x[0], x), ValueError, "two axes"),
        (lambda x: ours.cdist(1j * x, x), TypeError, "real"),
        (lambda x: ours.cdist(x, x, w=[1, 2]), ValueError, "w must have shape"),
        (lambda x: ours.cdist(x, x, w=[1, -2, 3]), ValueError, "negative"),
        (lambda x: ours.cdist(x, x, p=3), TypeError, "unexpected keywords"),
        (lambda x: ours.cdist(x, x, "minkowski", p=0), ValueError, "p must be greater"),
        (lambda x: ours.pdist(x, "mahalanobis"), ValueError, "2 observations"),
        (lambda x: ours.pdist(x, out=dpnp.zeros(3)), ValueError, "out must be"),
        (lambda x: ours.euclidean(x, x), ValueError, "vector"),
        (lambda x: ours.euclidean(x[0], x[0, :2]), ValueError, "same length"),
        (lambda x: ours.squareform(x), ValueError, "square"),
        (lambda x: ours.squareform(dpnp.ones((2, 2))), ValueError, "diagonal"),
        (lambda x: ours.squareform(dpnp.ones(4)), ValueError, "all pairs"),
        (lambda x: ours.squareform(dpnp.ones(3), "tovector"), ValueError, "forcing"),
        (lambda x: dpnp.scipy.spatial.KDTree, AttributeError, "trees"),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call(dpnp.ones((2, 3)))
