"""Metrics: distances as sums over the components of two points, for vectors and for all pairs of two sets.

A metric is a function of `sums`, which adds, or compares, a term over the components: of two vectors along their last
axis, of two sets of points component by component, so that no array has more elements than there are pairs. Sums of
products of all pairs are products of matrices.
"""

from __future__ import annotations

from collections.abc import Callable

import dpnp
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp

from dpnp.scipy.special import rel_entr

__all__ = ["ALIASES", "METRICS", "OF_BOOLS", "Pairs", "Vectors"]

_Term = Callable[..., dpnp_ndarray]
_FEW = 32  # components: one program has a term for each of them


class Vectors:
    """Two vectors, or two arrays of vectors along the last axis, and weights of their components."""

    def __init__(self, u: dpnp_ndarray, v: dpnp_ndarray, w: dpnp_ndarray | None) -> None:
        self.u, self.v, self.w, self.size = u, v, w, u.shape[-1]

    def terms(self, term: _Term, *others: dpnp_ndarray) -> dpnp_ndarray:
        """The term of all components; `others` are further numbers for each component."""
        return term(self.u, self.v, *others)

    def sum(self, term: _Term, *others: dpnp_ndarray) -> dpnp_ndarray:
        """The sum of terms times weights."""
        values = self.terms(term, *others)
        return bound.sum(values if self.w is None else values * self.w, axis=-1)

    def max(self, term: _Term) -> dpnp_ndarray:
        """The largest term whose weight is positive."""
        values = self.terms(term)
        return bound.max(values if self.w is None else dpnp.where(self.w > 0, values, 0.0), axis=-1)

    def products(self, of_u: _Term, of_v: _Term) -> dpnp_ndarray:
        """The sum of products of a number of u, a number of v and the weight."""
        return self.sum(lambda u, v: of_u(u) * of_v(v))

    def of_u(self, f: _Term) -> dpnp_ndarray:
        """The sum of a number of u times the weight."""
        return self.sum(lambda u, v: f(u))

    def of_v(self, f: _Term) -> dpnp_ndarray:
        """The sum of a number of v times the weight."""
        return self.sum(lambda u, v: f(v))

    def weight(self) -> object:
        """The sum of weights."""
        return self.size if self.w is None else bound.sum(self.w)

    def changed(self, f: Callable[[dpnp_ndarray], dpnp_ndarray]) -> Vectors:
        """The same with f(u) and f(v) for the vectors."""
        return type(self)(f(self.u), f(self.v), self.w)

    def weighted(self, w: dpnp_ndarray) -> Vectors:
        """The same with other weights."""
        return type(self)(self.u, self.v, w)


class Pairs(Vectors):
    """All pairs of a point of one set and a point of another, along the first axes. Points are rows."""

    def _combined(self, term: _Term, combine: _Term, others: tuple[dpnp_ndarray, ...]) -> dpnp_ndarray:
        columns, rows = self.u.T, self.v.T
        made = None
        for k in range(self.size):
            part = term(columns[k][:, None], rows[k][None, :], *(o[k] for o in others))
            if self.w is not None:
                part = part * self.w[k] if combine is bound.add else dpnp.where(self.w[k] > 0, part, 0.0)
            made = part if made is None else combine(made, part)
        return made

    def _all(self) -> Vectors:
        return Vectors(self.u[:, None, :], self.v[None, :, :], self.w)

    def sum(self, term: _Term, *others: dpnp_ndarray) -> dpnp_ndarray:
        if 0 < self.size <= _FEW:
            return self._combined(term, bound.add, others)
        return self._all().sum(term, *others)

    def max(self, term: _Term) -> dpnp_ndarray:
        if 0 < self.size <= _FEW:
            return self._combined(term, bound.maximum, ())
        return self._all().max(term)

    def products(self, of_u: _Term, of_v: _Term) -> dpnp_ndarray:
        left = of_u(self.u)
        return as_dpnp(dpt.matmul(left if self.w is None else left * self.w, dpt.matrix_transpose(of_v(self.v))))

    def of_u(self, f: _Term) -> dpnp_ndarray:
        values = f(self.u)
        return bound.sum(values if self.w is None else values * self.w, axis=-1)[:, None]

    def of_v(self, f: _Term) -> dpnp_ndarray:
        values = f(self.v)
        return bound.sum(values if self.w is None else values * self.w, axis=-1)[None, :]


def _square(u: dpnp_ndarray, v: dpnp_ndarray) -> dpnp_ndarray:
    difference = u - v
    return difference * difference


def _distance(u: dpnp_ndarray, v: dpnp_ndarray) -> dpnp_ndarray:
    return bound.abs(u - v)


def _sqeuclidean(x: Vectors) -> dpnp_ndarray:
    return x.sum(_square)


def _euclidean(x: Vectors) -> dpnp_ndarray:
    return bound.sqrt(x.sum(_square))


def _cityblock(x: Vectors) -> dpnp_ndarray:
    return x.sum(_distance)


def _chebyshev(x: Vectors) -> dpnp_ndarray:
    return x.max(_distance)


def _minkowski(x: Vectors, p: float = 2) -> dpnp_ndarray:
    if not p > 0:
        raise ValueError(f"minkowski: p must be greater than 0, got {p}")
    if p == 1:
        return _cityblock(x)
    if p == 2:
        return _euclidean(x)
    if p == float("inf"):
        return _chebyshev(x)
    return x.sum(lambda u, v: _distance(u, v) ** p) ** (1 / p)


def _cosine(x: Vectors) -> dpnp_ndarray:
    same = lambda u: u  # noqa: E731
    norms = bound.sqrt(x.of_u(bound.square) * x.of_v(bound.square))
    return bound.maximum(1 - x.products(same, same) / norms, 0.0)


def _correlation(x: Vectors, centered: bool = True) -> dpnp_ndarray:
    def centred(u: dpnp_ndarray) -> dpnp_ndarray:
        total = bound.sum(u if x.w is None else u * x.w, axis=-1, keepdims=True)
        return u - total / x.weight()

    same = lambda u: u  # noqa: E731
    y = x.changed(centred) if centered else x
    norms = bound.sqrt(y.of_u(bound.square) * y.of_v(bound.square))
    return bound.minimum(bound.maximum(1 - y.products(same, same) / norms, 0.0), 2.0)


def _canberra(x: Vectors) -> dpnp_ndarray:
    def term(u: dpnp_ndarray, v: dpnp_ndarray) -> dpnp_ndarray:
        size = bound.abs(u) + bound.abs(v)
        return dpnp.where(size == 0, 0.0, _distance(u, v) / size)

    return x.sum(term)


def _braycurtis(x: Vectors) -> dpnp_ndarray:
    return x.sum(_distance) / x.sum(lambda u, v: bound.abs(u + v))


def _hamming(x: Vectors) -> dpnp_ndarray:
    return x.sum(lambda u, v: dpnp.astype(u != v, x.u.dtype)) / x.weight()


def _jensenshannon(x: Vectors, base: float | None = None) -> dpnp_ndarray:
    y = x.changed(lambda u: u / bound.sum(u, axis=-1, keepdims=True))

    def term(p: dpnp_ndarray, q: dpnp_ndarray) -> dpnp_ndarray:
        m = (p + q) / 2
        return rel_entr(p, m) + rel_entr(q, m)

    total = bound.maximum(y.sum(term), 0.0) / 2
    return bound.sqrt(total if base is None else total / float(dpnp.log(base)))


def _seuclidean(x: Vectors, V: dpnp_ndarray) -> dpnp_ndarray:
    return bound.sqrt(x.sum(lambda u, v, s: _square(u, v) / s, V))


def _mahalanobis(x: Vectors, VI: dpnp_ndarray) -> dpnp_ndarray:
    """A sum of squares in the basis of eigenvectors of the symmetric part: the other part adds nothing."""
    values, vectors = dpnp.linalg.eigh((VI + VI.T) / 2)
    return bound.sqrt(x.changed(lambda u: as_dpnp(dpt.matmul(u, vectors))).weighted(values).sum(_square))


def _counts(x: Vectors) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray, object]:
    """The weights of components that are true in both vectors, in u, and in v, and of all."""
    same = lambda u: u  # noqa: E731
    return x.products(same, same), x.of_u(same), x.of_v(same), x.weight()


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
