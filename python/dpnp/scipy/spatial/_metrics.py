"""Metrics: distances as sums over the components of two points, for vectors and for all pairs of two sets.

A metric is a function of sums of terms over the components: of two vectors along their last axis, of two sets of points
by the engine (dpep/array_distances.hpp), or component by component. Sums of products of all pairs are products of
matrices.
"""

from __future__ import annotations

from collections.abc import Callable

from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, distances

import dpnp
from dpnp.scipy.special import rel_entr

__all__ = ["ALIASES", "METRICS", "OF_BOOLS", "Pairs", "Vectors"]

_Term = Callable[..., dpnp_ndarray]
_FEW = 32  # components: one program has a term for each of them


def _square(u: dpnp_ndarray, v: dpnp_ndarray) -> dpnp_ndarray:
    difference = u - v
    return difference * difference


def _difference(u: dpnp_ndarray, v: dpnp_ndarray) -> dpnp_ndarray:
    return bound.abs(u - v)


def _relative(u: dpnp_ndarray, v: dpnp_ndarray) -> dpnp_ndarray:
    size = bound.abs(u) + bound.abs(v)
    return dpnp.where(size == 0, 0.0, bound.abs(u - v) / size)


# The terms that the engine computes for all pairs, by its names of them.
_TERMS = {
    "squares": _square, "differences": _difference, "relative": _relative,
    "unequal": lambda u, v: dpnp.astype(u != v, u.dtype), "sums": lambda u, v: bound.abs(u + v),
    "products": lambda u, v: u * v,
}  # fmt: skip


class Vectors:
    """Two vectors, or two arrays of vectors along the last axis, and weights of their components."""

    def __init__(self, u: dpnp_ndarray, v: dpnp_ndarray, w: dpnp_ndarray | None) -> None:
        self.u, self.v, self.w, self.size = u, v, w, u.shape[-1]

    def sum(self, term: str | _Term) -> dpnp_ndarray:
        """The sum of terms times weights."""
        values = (_TERMS[term] if isinstance(term, str) else term)(self.u, self.v)
        return bound.sum(values if self.w is None else values * self.w, axis=-1)

    def greatest(self) -> dpnp_ndarray:
        """The largest difference of components whose weight is positive."""
        values = _difference(self.u, self.v)
        return bound.max(values if self.w is None else dpnp.where(self.w > 0, values, 0.0), axis=-1)

    def inner(self) -> dpnp_ndarray:
        """The sum of products of components times weights."""
        return self.sum("products")

    def of_u(self) -> dpnp_ndarray:
        """The sum of components of u times weights."""
        return self.sum(lambda u, v: u)

    def of_v(self) -> dpnp_ndarray:
        """The sum of components of v times weights."""
        return self.sum(lambda u, v: v)

    def weight(self) -> object:
        """The sum of weights."""
        return self.size if self.w is None else bound.sum(self.w)

    def changed(self, f: Callable[[dpnp_ndarray], dpnp_ndarray]) -> Vectors:
        """The same with f(u) and f(v) for the vectors."""
        return Vectors(f(self.u), f(self.v), self.w)

    def weighted(self, w: dpnp_ndarray) -> Vectors:
        """The same with other weights."""
        return Vectors(self.u, self.v, w)


class Pairs(Vectors):
    """All pairs of a point of one set and a point of another, along the first axes. Points are rows.

    Without the other set, those of one set: numbers that the engine computes for pairs i < j have one axis.
    """

    def __init__(self, u: dpnp_ndarray, v: dpnp_ndarray | None, w: dpnp_ndarray | None) -> None:
        super().__init__(u, u if v is None else v, w)
        self.others = v

    def sum(self, term: str | _Term) -> dpnp_ndarray:
        if isinstance(term, str):
            return distances(term, self.u, self.others, self.w)
        if not 0 < self.size <= _FEW:
            return Vectors(self.u[:, None, :], self.v[None, :, :], self.w).sum(term)
        columns, rows, made = self.u.T, self.v.T, None
        for k in range(self.size):
            part = term(columns[k][:, None], rows[k][None, :])
            part = part if self.w is None else part * self.w[k]
            made = part if made is None else made + part
        return made

    def greatest(self) -> dpnp_ndarray:
        return distances("greatest", self.u, self.others, self.w)

    def inner(self) -> dpnp_ndarray:
        if self.others is None:
            return self.sum("products")
        left = self.u if self.w is None else self.u * self.w
        return as_dpnp(dpt.matmul(left, dpt.matrix_transpose(self.v)))

    def _sums(self, values: dpnp_ndarray) -> dpnp_ndarray:
        return bound.sum(values if self.w is None else values * self.w, axis=-1)

    def of_u(self) -> dpnp_ndarray:
        return self._sums(self.u)[:, None]

    def of_v(self) -> dpnp_ndarray:
        return self._sums(self.v)[None, :]

    def changed(self, f: Callable[[dpnp_ndarray], dpnp_ndarray]) -> Pairs:
        return Pairs(f(self.u), None if self.others is None else f(self.v), self.w)

    def weighted(self, w: dpnp_ndarray) -> Pairs:
        return Pairs(self.u, self.others, w)


def _root(x: dpnp_ndarray) -> dpnp_ndarray:
    """The square roots, in the same memory."""
    return bound.sqrt(x, out=x)


def _sqeuclidean(x: Vectors) -> dpnp_ndarray:
    return x.sum("squares")


def _euclidean(x: Vectors) -> dpnp_ndarray:
    return _root(x.sum("squares"))


def _cityblock(x: Vectors) -> dpnp_ndarray:
    return x.sum("differences")


def _chebyshev(x: Vectors) -> dpnp_ndarray:
    return x.greatest()


def _minkowski(x: Vectors, p: float = 2) -> dpnp_ndarray:
    if not p > 0:
        raise ValueError(f"minkowski: p must be greater than 0, got {p}")
    if p == 1:
        return _cityblock(x)
    if p == 2:
        return _euclidean(x)
    if p == float("inf"):
        return _chebyshev(x)
    return x.sum(lambda u, v: _difference(u, v) ** p) ** (1 / p)


def _angle(x: Vectors) -> dpnp_ndarray:
    """1 minus the cosine of the angle."""

    def unit(u: dpnp_ndarray) -> dpnp_ndarray:
        squares = u * u if x.w is None else u * u * x.w
        return u / bound.sqrt(bound.sum(squares, axis=-1, keepdims=True))

    return 1 - x.changed(unit).inner()


def _cosine(x: Vectors) -> dpnp_ndarray:
    return bound.maximum(_angle(x), 0.0)


def _correlation(x: Vectors, centered: bool = True) -> dpnp_ndarray:
    def centred(u: dpnp_ndarray) -> dpnp_ndarray:
        total = bound.sum(u if x.w is None else u * x.w, axis=-1, keepdims=True)
        return u - total / x.weight()

    return bound.minimum(bound.maximum(_angle(x.changed(centred) if centered else x), 0.0), 2.0)


def _canberra(x: Vectors) -> dpnp_ndarray:
    return x.sum("relative")


def _braycurtis(x: Vectors) -> dpnp_ndarray:
    return x.sum("differences") / x.sum("sums")


def _hamming(x: Vectors) -> dpnp_ndarray:
    return x.sum("unequal") / x.weight()


def _jensenshannon(x: Vectors, base: float | None = None) -> dpnp_ndarray:
    y = x.changed(lambda u: u / bound.sum(u, axis=-1, keepdims=True))

    def term(p: dpnp_ndarray, q: dpnp_ndarray) -> dpnp_ndarray:
        m = (p + q) / 2
        return rel_entr(p, m) + rel_entr(q, m)

    total = bound.maximum(y.sum(term), 0.0) / 2
    return bound.sqrt(total if base is None else total / float(dpnp.log(base)))


def _seuclidean(x: Vectors, V: dpnp_ndarray) -> dpnp_ndarray:
    return _root(x.weighted(1 / V).sum("squares"))


def _mahalanobis(x: Vectors, VI: dpnp_ndarray) -> dpnp_ndarray:
    """A sum of squares in the basis of eigenvectors of the symmetric part: the other part adds nothing."""
    values, vectors = dpnp.linalg.eigh((VI + VI.T) / 2)
    return _root(x.changed(lambda u: as_dpnp(dpt.matmul(u, vectors))).weighted(values).sum("squares"))


def _counts(x: Vectors) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray, object]:
    """The weights of components that are true in both vectors, in u, and in v, and of all."""
    return x.inner(), x.of_u(), x.of_v(), x.weight()


def _ratio(x: dpnp_ndarray, y: dpnp_ndarray) -> dpnp_ndarray:
    """x / y, 0 where x is 0."""
    return dpnp.where(x == 0, 0.0, x / y)


def _jaccard(x: Vectors) -> dpnp_ndarray:
    both, u, v, _ = _counts(x)
    return _ratio(u + v - 2 * both, u + v - both)


def _dice(x: Vectors) -> dpnp_ndarray:
    both, u, v, _ = _counts(x)
    return (u + v - 2 * both) / (u + v)


def _rogerstanimoto(x: Vectors) -> dpnp_ndarray:
    both, u, v, n = _counts(x)
    differ = u + v - 2 * both
    return 2 * differ / (n + differ)


def _russellrao(x: Vectors) -> dpnp_ndarray:
    both, _, _, n = _counts(x)
    return (n - both) / n


def _sokalsneath(x: Vectors) -> dpnp_ndarray:
    both, u, v, _ = _counts(x)
    differ = u + v - 2 * both
    return _ratio(2 * differ, both + 2 * differ)


def _yule(x: Vectors) -> dpnp_ndarray:
    both, u, v, n = _counts(x)
    half = (u - both) * (v - both)
    return _ratio(2 * half, both * (n - u - v + both) + half)


METRICS = {
    "braycurtis": _braycurtis, "canberra": _canberra, "chebyshev": _chebyshev, "cityblock": _cityblock,
    "correlation": _correlation, "cosine": _cosine, "dice": _dice, "euclidean": _euclidean, "hamming": _hamming,
    "jaccard": _jaccard, "jensenshannon": _jensenshannon, "mahalanobis": _mahalanobis, "minkowski": _minkowski,
    "rogerstanimoto": _rogerstanimoto, "russellrao": _russellrao, "seuclidean": _seuclidean,
    "sokalsneath": _sokalsneath, "sqeuclidean": _sqeuclidean, "yule": _yule,
}  # fmt: skip
# Metrics of points whose components are true or false.
OF_BOOLS = frozenset({"dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"})
# SciPy's other names of metrics.
ALIASES = {
    "ch": "chebyshev", "cheb": "chebyshev", "cheby": "chebyshev", "chebychev": "chebyshev", "c": "cityblock",
    "cb": "cityblock", "cblock": "cityblock", "co": "correlation", "cos": "cosine", "e": "euclidean",
    "eu": "euclidean", "euclid": "euclidean", "h": "hamming", "ha": "hamming", "hamm": "hamming",
    "matching": "hamming", "j": "jaccard", "ja": "jaccard", "jacc": "jaccard", "js": "jensenshannon",
    "mah": "mahalanobis", "mahal": "mahalanobis", "m": "minkowski", "mi": "minkowski", "pnorm": "minkowski",
    "s": "seuclidean", "se": "seuclidean", "sqe": "sqeuclidean", "sqeuclid": "sqeuclidean",
}  # fmt: skip
