"""Distances between vectors and between all pairs of points, with the functions and keywords of scipy.spatial.distance.

Distances are computed in the device's default floats, float64 if it has them.

>>> import dpnp as np
>>> from dpnp.scipy.spatial import distance
>>> distance.pdist(np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]), "cityblock")
array([7., 1., 6.])
"""

from __future__ import annotations

import inspect
import math

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_arrays, placement_of, store_result

import dpnp
from dpnp._support import common_kind, default_float_type, named
from dpnp.scipy.spatial._metrics import ALIASES, METRICS, OF_BOOLS, Pairs, Vectors

__all__ = [
    "braycurtis", "canberra", "cdist", "chebyshev", "cityblock", "correlation", "cosine", "dice", "directed_hausdorff",
    "euclidean", "hamming", "is_valid_dm", "is_valid_y", "jaccard", "jensenshannon", "mahalanobis", "minkowski",
    "num_obs_dm", "num_obs_y", "pdist", "rogerstanimoto", "russellrao", "seuclidean", "sokalsneath", "sqeuclidean",
    "squareform", "yule",
]  # fmt: skip


def _metric_of(name: str, metric: object) -> str:
    if not isinstance(metric, str):
        raise TypeError(f"{name}: metric must be the name of a metric; functions of Python are not called for each "
                        f"pair, got {type(metric).__name__}")  # fmt: skip
    found = ALIASES.get(metric.lower(), metric.lower())
    if found not in METRICS:
        raise ValueError(f"{name}: unknown metric {metric!r}; the metrics are {', '.join(METRICS)}")
    return found


def _converted(x: dpnp_ndarray, metric: str) -> dpnp_ndarray:
    """Components as floating-point numbers; of metrics of bools, 0 or 1."""
    if x.dtype.kind == "c":
        raise TypeError(f"{metric}: expected real numbers, got {x.dtype}")
    if metric in OF_BOOLS and x.dtype.kind != "b":
        x = x != 0
    return as_dpnp(dpt.astype(x, default_float_type(sycl_queue=x.sycl_queue), copy=False))


def _parameter(name: str, x: dpnp_ndarray, given: object, shape: tuple[int, ...], what: str) -> dpnp_ndarray:
    """A parameter of the metric, such as weights, on the device of the points."""
    made = as_dpnp(given) if isinstance(given, array_base) else as_dpnp(
        dpt.asarray(numpy.asarray(given), usm_type=x.usm_type, sycl_queue=x.sycl_queue))  # fmt: skip
    placement_of(name, x, made)
    if made.shape != shape:
        raise ValueError(f"{name}: {what} must have shape {shape}, got {made.shape}")
    return as_dpnp(dpt.astype(made, x.dtype, copy=False))


def _weights(name: str, x: dpnp_ndarray, w: object, size: int) -> dpnp_ndarray | None:
    if w is None:
        return None
    made = _parameter(name, x, w, (size,), "w")
    if size and bool(bound.any(made < 0)):
        raise ValueError(f"{name}: weights must not be negative")
    return made


def _options(
    name: str, metric: str, a: dpnp_ndarray, b: dpnp_ndarray | None, given: dict[str, object]
) -> tuple[dpnp_ndarray | None, dict[str, object]]:
    """The weights, and the other keywords of the metric."""
    size, options = a.shape[1], dict(given)
    w = _weights(name, a, options.pop("w", None), size) if metric not in ("seuclidean", "mahalanobis") else None
    if metric in ("seuclidean", "mahalanobis"):
        what = "V" if metric == "seuclidean" else "VI"
        wanted = options.get(what)
        if wanted is None:
            both = a if b is None else dpnp.concatenate((a, b))
            if metric == "seuclidean":
                wanted = bound.var(both, axis=0, ddof=1) if hasattr(bound, "var") else dpnp.var(both, axis=0, ddof=1)
            else:
                if both.shape[0] <= size:
                    raise ValueError(f"{name}: {both.shape[0]} observations of {size} components have no covariance "
                                     "matrix with an inverse; more of them are needed")  # fmt: skip
                wanted = dpnp.linalg.inv(dpnp.atleast_2d(dpnp.cov(both.T))).T
        options[what] = _parameter(name, a, wanted, (size,) if metric == "seuclidean" else (size, size), what)
    known = set(inspect.signature(METRICS[metric]).parameters) - {"x"}
    if unknown := set(options) - known:
        raise TypeError(f"{name}: unexpected keywords of the metric {metric}: {', '.join(sorted(unknown))}")
    return w, options


def _points(name: str, what: str, x: dpnp_ndarray) -> dpnp_ndarray:
    if x.ndim != 2:
        raise ValueError(f"{name}: {what} must have two axes, points and components, got shape {x.shape}")
    return x


def _delivered(name: str, made: dpnp_ndarray, out: object) -> dpnp_ndarray:
    if out is None:
        return made
    if not isinstance(out, array_base) or out.shape != made.shape or out.dtype != made.dtype:
        raise ValueError(f"{name}: out must be an array of shape {made.shape} and dtype {made.dtype}")
    return store_result(name, made, out, "same_kind")


def cdist(
    XA: object, XB: object, metric: str = "euclidean", *, out: object = None, **kwargs: object
) -> dpnp_ndarray:  # fmt: skip
    """Return the distances between all pairs of points of two sets.

    Parameters
    ----------
    XA, XB : ndarray
        The points, m x k and n x k real numbers.
    metric : str, optional
        The metric: 'braycurtis', 'canberra', 'chebyshev', 'cityblock', 'correlation', 'cosine', 'dice', 'euclidean',
        'hamming', 'jaccard', 'jensenshannon', 'mahalanobis', 'minkowski', 'rogerstanimoto', 'russellrao', 'seuclidean',
        'sokalsneath', 'sqeuclidean' or 'yule'.
    out : ndarray, optional
        An array for the result.
    p : float, optional
        The exponent of 'minkowski', by default 2.
    w : ndarray or array_like, optional
        The weights of the components; not for 'mahalanobis' and 'seuclidean'.
    V : ndarray or array_like, optional
        The variances of the components, for 'seuclidean'; by default those of all points.
    VI : ndarray or array_like, optional
        The inverse of the covariance matrix, for 'mahalanobis'; by default that of all points.
    base : float, optional
        The base of logarithms, for 'jensenshannon'.

    Returns
    -------
    ndarray
        The distances, m x n floating-point numbers.

    Raises
    ------
    ValueError
        For an unknown metric, and for points with other axes or other numbers of components.
    TypeError
        When an argument is not an array, for complex numbers, and for a metric that is not a str.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy.spatial import distance
    >>> a, b = np.array([[0, 0], [1, 1]]), np.array([[3, 4], [1, 0]])
    >>> distance.cdist(a, b, "sqeuclidean")
    array([[25.,  1.],
           [13.,  1.]])
    """
    name = "cdist"
    check_arrays(name, XA, XB)
    metric = _metric_of(name, metric)
    a, b = common_kind(name, XA, XB), common_kind(name, XB, XA)
    a, b = _converted(_points(name, "XA", a), metric), _converted(_points(name, "XB", b), metric)
    if a.shape[1] != b.shape[1]:
        raise ValueError(f"{name}: points must have the same number of components, got {a.shape[1]} and {b.shape[1]}")
    w, options = _options(name, metric, a, b, kwargs)
    return _delivered(name, METRICS[metric](Pairs(a, b, w), **options), out)


def _upper(x: dpnp_ndarray) -> dpnp_ndarray:
    """The elements above the diagonal of a matrix, row by row."""
    rows, columns = (dpnp.arange(n, usm_type=x.usm_type, sycl_queue=x.sycl_queue) for n in x.shape)
    return as_dpnp(dpt.extract(columns[None, :] > rows[:, None], x))


# Metrics that the engine computes for the pairs of one set.
_CONDENSED = frozenset({"braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "euclidean",
                        "hamming", "mahalanobis", "seuclidean", "sqeuclidean"})  # fmt: skip
_BLOCKS = 8  # of rows, for other metrics: they compute few pairs i >= j


def _pairs(x: dpnp_ndarray, metric: str, w: dpnp_ndarray | None, options: dict[str, object]) -> dpnp_ndarray:
    """The distances of the pairs i < j of rows."""
    if metric in _CONDENSED:
        return METRICS[metric](Pairs(x, None, w), **options)
    n = x.shape[0]
    step = n if n < 512 else -(-n // _BLOCKS)
    parts = [
        _upper(METRICS[metric](Pairs(x[i : i + step], x[i:], w), **options)) for i in range(0, max(n, 1), max(step, 1))
    ]
    return parts[0] if len(parts) == 1 else dpnp.concatenate(parts)


def pdist(X: object, metric: str = "euclidean", *, out: object = None, **kwargs: object) -> dpnp_ndarray:
    """Return the distances between all pairs of points of one set.

    Parameters
    ----------
    X : ndarray
        The points, m x k real numbers.
    metric, out, **kwargs : optional
        As of `cdist`.

    Returns
    -------
    ndarray
        The distances of the pairs (0, 1), (0, 2), …, (1, 2), …, m (m - 1) / 2 of them. `squareform` makes a matrix of
        them.

    Raises
    ------
    ValueError, TypeError
        As of `cdist`.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy.spatial import distance
    >>> distance.pdist(np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    array([5.        , 1.        , 4.24264069])
    """
    name = "pdist"
    check_arrays(name, X)
    metric = _metric_of(name, metric)
    x = _converted(_points(name, "X", as_dpnp(X)), metric)
    w, options = _options(name, metric, x, None, kwargs)
    return _delivered(name, _pairs(x, metric, w, options), out)


def num_obs_y(Y: object) -> int:
    """Return the number of points that distances of all pairs belong to.

    Raises ValueError when there is no such number.

    >>> import dpnp as np
    >>> np.scipy.spatial.distance.num_obs_y(np.ones(6))
    4
    """
    check_arrays("num_obs_y", Y)
    k = Y.size
    if k == 0:
        raise ValueError("num_obs_y: there are no distances, and so no number of points")
    n = math.isqrt(2 * k) + 1
    if Y.ndim != 1 or n * (n - 1) != 2 * k:
        raise ValueError(f"num_obs_y: shape {Y.shape} is not that of the distances of all pairs of points")
    return n


def num_obs_dm(d: object) -> int:
    """Return the number of points that a matrix of distances belongs to.

    Raises ValueError when it is no matrix of distances.

    >>> import dpnp as np
    >>> np.scipy.spatial.distance.num_obs_dm(np.zeros((4, 4)))
    4
    """
    is_valid_dm(d, tol=math.inf, throw=True, name="d")
    return d.shape[0]


def is_valid_y(y: object, warning: bool = False, throw: bool = False, name: str | None = None) -> bool:
    """Return whether an array has the shape of distances of all pairs of points; with `throw`, raise ValueError.

    `warning` has no effect.

    >>> import dpnp as np
    >>> np.scipy.spatial.distance.is_valid_y(np.ones(5))
    False
    """
    try:
        num_obs_y(y)
    except ValueError:
        if throw:
            raise
        return False
    return True


def is_valid_dm(
    D: object, tol: float = 0.0, throw: bool = False, name: str = "D", warning: bool = False
) -> bool:  # fmt: skip
    """Return whether an array is a symmetric matrix with zeros on its diagonal; with `throw`, raise ValueError.

    Elements may differ by `tol` from each other and from zero. `warning` has no effect.

    >>> import dpnp as np
    >>> np.scipy.spatial.distance.is_valid_dm(np.array([[0.0, 1.0], [1.0, 0.0]]))
    True
    """
    check_arrays("is_valid_dm", D)
    if D.dtype.kind == "b":
        D = dpnp.astype(D, "i1")
    if D.ndim != 2 or D.shape[0] != D.shape[1]:
        problem = f"has shape {D.shape}, not that of a square matrix"
    elif tol != math.inf and not bool(bound.all(bound.abs(D - D.T) <= tol)):
        problem = "is not symmetric"
    elif tol != math.inf and not bool(bound.all(bound.abs(dpnp.diagonal(D)) <= tol)):
        problem = "has elements on its diagonal that are not zero"
    else:
        return True
    if throw:
        raise ValueError(f"is_valid_dm: {name} {problem}")
    return False


def squareform(X: object, force: str = "no", checks: bool = True) -> dpnp_ndarray:
    """Return the symmetric matrix of the distances of all pairs, or those distances of a matrix.

    Parameters
    ----------
    X : ndarray
        The distances, along one axis as of `pdist`, or a matrix.
    force : {'no', 'tomatrix', 'tovector'}, optional
        What to return; by default the form that `X` has not.
    checks : bool, optional
        Whether a matrix that is not symmetric, or has other numbers than zero on its diagonal, is an error. That waits
        for it.

    Raises
    ------
    ValueError
        For arrays of other shapes and matrices that are no matrices of distances.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.spatial.distance.squareform(np.array([5.0, 1.0, 2.0]))
    array([[0., 5., 1.],
           [5., 0., 2.],
           [1., 2., 0.]])
    """
    name = "squareform"
    check_arrays(name, X)
    x = as_dpnp(X)
    if x.ndim not in (1, 2):
        raise ValueError(f"{name}: expected an array with one or two axes, got shape {x.shape}")
    wanted = {"tomatrix": 1, "tovector": 2}.get(force.lower(), x.ndim)
    if wanted != x.ndim:
        raise ValueError(f"{name}: forcing {force!r}, expected an array with {wanted} axes, got shape {x.shape}")
    place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
    if x.ndim == 2:
        if x.shape[0] != x.shape[1]:
            raise ValueError(f"{name}: the matrix must be square, got shape {x.shape}")
        if checks:
            is_valid_dm(x, throw=True, name="X")
        return _upper(x)
    if x.size == 0:
        return dpnp.zeros((1, 1), dtype=x.dtype, **place)
    n = math.isqrt(2 * x.size) + 1
    if n * (n - 1) != 2 * x.size:
        raise ValueError(f"{name}: {x.size} is not the number of all pairs of some points")
    ramp = dpnp.arange(n, **place)
    rows, columns = ramp[:, None], ramp[None, :]
    i, j = bound.minimum(rows, columns), bound.maximum(rows, columns)
    at = i * (2 * n - 3 - i) // 2 + j - 1
    return dpnp.where(rows == columns, dpnp.zeros((), dtype=x.dtype, **place), as_dpnp(dpt.take(x, at, mode="clip")))


def directed_hausdorff(u: object, v: object, rng: object = 0) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return the largest distance of a point of one set to the nearest point of another, and the points' indices.

    `u` and `v` have points as rows. `rng` has no effect: the result does not depend on an order.

    >>> import dpnp as np
    >>> u, v = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 2.0]])
    >>> np.scipy.spatial.distance.directed_hausdorff(u, v)
    (array(1.), array(0), array(0))
    """
    apart = cdist(u, v, "sqeuclidean")
    nearest = bound.argmin(apart, axis=1)
    least = bound.min(apart, axis=1)
    i = bound.argmax(least)
    return bound.sqrt(bound.max(least)), i, as_dpnp(dpt.take(nearest, i))


def _vectors(name: str, u: object, v: object, w: object = None) -> Vectors:
    check_arrays(name, u, v)
    a, b = common_kind(name, u, v), common_kind(name, v, u)
    for x in (a, b):
        if x.ndim != 1:
            raise ValueError(f"{name}: expected a vector, got shape {x.shape}")
    if a.shape != b.shape:
        raise ValueError(f"{name}: vectors must have the same length, got {a.shape[0]} and {b.shape[0]}")
    a, b = _converted(a, name), _converted(b, name)
    return Vectors(a, b, _weights(name, a, w, a.shape[0]))


_TEXT = """Return {text} of two vectors.

    Parameters
    ----------
    u, v : ndarray
        The vectors{more}.
    w : ndarray or array_like, optional
        The weights of their components.

    Returns
    -------
    ndarray
        The distance, an array without axes.

    Raises
    ------
    ValueError
        For arrays that are no vectors of the same length, and for negative weights.
    TypeError
        When an argument is not an array, and for complex numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.spatial.distance.{name}(np.array([1, 0, 2]), np.array([0, 1, 2]))
    {result}
    """


def _make(name: str, text: str, result: str) -> object:
    def function(u: object, v: object, w: object = None) -> dpnp_ndarray:
        return METRICS[name](_vectors(name, u, v, w))

    more = "; elements are true unless they are zero" if name in OF_BOOLS else ", of real numbers"
    return named(function, name, _TEXT.format(name=name, text=text, result=result, more=more))


braycurtis = _make("braycurtis", "the Bray-Curtis distance", "array(0.33333333)")
canberra = _make("canberra", "the Canberra distance", "array(2.)")
chebyshev = _make("chebyshev", "the largest difference", "array(1.)")
cityblock = _make("cityblock", "the sum of differences", "array(2.)")
cosine = _make("cosine", "1 minus the cosine of the angle", "array(0.2)")
dice = _make("dice", "the Dice dissimilarity", "array(0.5)")
euclidean = _make("euclidean", "the Euclidean distance", "array(1.41421356)")
hamming = _make("hamming", "the part of components that differ", "array(0.66666667)")
jaccard = _make("jaccard", "the Jaccard dissimilarity", "array(0.66666667)")
rogerstanimoto = _make("rogerstanimoto", "the Rogers-Tanimoto dissimilarity", "array(0.8)")
russellrao = _make("russellrao", "the Russell-Rao dissimilarity", "array(0.66666667)")
sokalsneath = _make("sokalsneath", "the Sokal-Sneath dissimilarity", "array(0.8)")
sqeuclidean = _make("sqeuclidean", "the square of the Euclidean distance", "array(2.)")
yule = _make("yule", "the Yule dissimilarity", "array(2.)")


def correlation(u: object, v: object, w: object = None, centered: bool = True) -> dpnp_ndarray:
    """Return 1 minus the correlation coefficient of two vectors; without `centered`, their cosine distance.

    The other arguments are those of `euclidean`.

    >>> import dpnp as np
    >>> np.scipy.spatial.distance.correlation(np.array([1, 0, 1]), np.array([1, 1, 0]))
    array(1.5)
    """
    return METRICS["correlation"](_vectors("correlation", u, v, w), centered)


def minkowski(u: object, v: object, p: float = 2, w: object = None) -> dpnp_ndarray:
    """Return the p-th root of the sum of differences to the power of p.

    The other arguments are those of `euclidean`. Raises ValueError for p <= 0.

    >>> import dpnp as np
    >>> np.scipy.spatial.distance.minkowski(np.array([1, 0, 0]), np.array([0, 1, 0]), 1)
    array(2.)
    """
    return METRICS["minkowski"](_vectors("minkowski", u, v, w), p)


def seuclidean(u: object, v: object, V: object) -> dpnp_ndarray:
    """Return the Euclidean distance of two vectors whose components have the variances V.

    >>> import dpnp as np
    >>> np.scipy.spatial.distance.seuclidean(np.array([1, 0]), np.array([0, 1]), [0.25, 0.25])
    array(2.82842712)
    """
    x = _vectors("seuclidean", u, v)
    return METRICS["seuclidean"](x, _parameter("seuclidean", x.u, V, x.u.shape, "V"))


def mahalanobis(u: object, v: object, VI: object) -> dpnp_ndarray:
    """Return the Mahalanobis distance of two vectors, where VI is the inverse of the covariance matrix.

    >>> import dpnp as np
    >>> np.scipy.spatial.distance.mahalanobis(np.array([1, 0]), np.array([0, 1]), [[1, 0.5], [0.5, 1]])
    array(1.)
    """
    x = _vectors("mahalanobis", u, v)
    return METRICS["mahalanobis"](x, _parameter("mahalanobis", x.u, VI, (x.size, x.size), "VI"))


def jensenshannon(
    p: object, q: object, base: float | None = None, *, axis: int = 0, keepdims: bool = False
) -> dpnp_ndarray:  # fmt: skip
    """Return the Jensen-Shannon distance of probabilities along an axis, which are normalised.

    Parameters
    ----------
    p, q : ndarray
        The probabilities.
    base : float, optional
        The base of logarithms; by default e.
    axis : int, optional
        The axis.
    keepdims : bool, optional
        Whether the axis stays, with length 1.

    Raises
    ------
    TypeError
        When an argument is not an array, and for complex numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.spatial.distance.jensenshannon(np.array([1.0, 0.0]), np.array([0.5, 0.5])).round(6)
    array(0.464501)
    """
    name = "jensenshannon"
    check_arrays(name, p, q)
    a, b = (_converted(common_kind(name, x, y), name) for x, y in ((p, q), (q, p)))
    made = METRICS[name](Vectors(as_dpnp(dpt.moveaxis(a, axis, -1)), as_dpnp(dpt.moveaxis(b, axis, -1)), None), base)
    return dpnp.expand_dims(made, axis) if keepdims else made
