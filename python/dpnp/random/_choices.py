"""Choices, permutations and shuffles, as methods of Generator and RandomState."""

from __future__ import annotations

import math
import operator

import numpy
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, checked_array

import dpnp
from dpnp._support import as_numbers
from dpnp.random._arguments import shape_of
from dpnp.random._distributions import Distributions

__all__ = ["Choices"]


class Choices(Distributions):
    """Distributions, and methods that choose or reorder elements."""

    def _place_of(self, x: dpnp_ndarray | None, place: tuple) -> tuple:
        device, usm_type, queue = place
        if x is not None:
            return None, usm_type, x.sycl_queue
        return (self._place[0], usm_type, self._place[1]) if device is queue is None else place

    def _choice(self, a, size, replace: bool, p, axis: int, shuffle: bool, place: tuple) -> dpnp_ndarray:
        population = None
        if isinstance(a, array_base) and a.ndim == 0 and a.dtype.kind in "iu":
            a = int(a)
        if isinstance(a, array_base):
            population = as_dpnp(a)
        elif not hasattr(a, "__index__"):
            device, usm_type, queue = self._place_of(None, place)
            population = dpnp.asarray(numpy.asarray(a), device=device, usm_type=usm_type, sycl_queue=queue)
        shape = shape_of("choice", size)
        count = math.prod(shape)
        if population is None:
            total = operator.index(a)
            if total <= 0 and count > 0:
                raise ValueError("choice: a must be a positive integer unless no samples are taken")
        else:
            if population.ndim == 0:
                raise ValueError("choice: a must be a sequence or an integer, got an array without axes")
            total = population.shape[axis]
            if total == 0 and count > 0:
                raise ValueError("choice: a cannot be empty unless no samples are taken")
        place = self._place_of(population, place)
        if p is not None:
            p = self._checked_probabilities(p, total, place)
        if not replace and count > total:
            raise ValueError("choice: Cannot take a larger sample than population when replace is False")
        if count == 0:
            index = dpnp.empty(shape, dtype=numpy.int64, device=place[0], usm_type=place[1], sycl_queue=place[2])
        elif replace and p is None:
            index = self._generator.integers("choice", shape, 0, total - 1, numpy.int64, *place)
        elif replace:
            sums = dpnp.cumsum(p)
            uniform = self._generator.random("choice", shape, numpy.float64, *place)
            index = dpnp.searchsorted(sums / sums[-1], uniform, side="right")
        elif p is None:
            index = self._generator.sample(total, count, bool(shuffle), *place).reshape(shape)
        else:
            # The first of exponential clocks with these rates: the order is that of draws one after the other.
            if int(dpnp.count_nonzero(p)) < count:
                raise ValueError("choice: Fewer non-zero entries in p than size")
            clocks = -dpnp.log1p(-self._generator.random("choice", (total,), numpy.float64, *place)) / p
            index = dpnp.argsort(dpnp.where(p > 0, clocks, numpy.inf))[:count].reshape(shape)
        return index if population is None else dpnp.take(population, index, axis=axis)

    @staticmethod
    def _checked_probabilities(p: object, total: int, place: tuple) -> dpnp_ndarray:
        device, usm_type, queue = place
        if not isinstance(p, array_base):
            p = dpnp.asarray(numpy.asarray(p), device=device, usm_type=usm_type, sycl_queue=queue)
        # As in NumPy, the rounding errors of the given numbers are allowed for.
        allowed = float(numpy.sqrt(numpy.finfo(p.dtype).eps)) if p.dtype.kind == "f" else 0.0
        p = as_dpnp(p).astype(numpy.float64, copy=False)
        if p.ndim != 1:
            raise ValueError("choice: p must be 1-dimensional")
        if p.size != total:
            raise ValueError("choice: a and p must have same size")
        sum_of_all, least = float(p.sum()), float(p.min()) if total else 0.0
        if math.isnan(sum_of_all):
            raise ValueError("choice: Probabilities contain NaN")
        if least < 0:
            raise ValueError("choice: Probabilities are not non-negative")
        if abs(sum_of_all - 1) > max(allowed, 1.5e-8):
            raise ValueError("choice: Probabilities do not sum to 1")
        return p

    def _permutation(self, x, axis: int, place: tuple) -> dpnp_ndarray:
        x = as_numbers(x)
        if hasattr(x, "__index__") and not isinstance(x, array_base):
            return self._generator.permutation(operator.index(x), None, *self._place_of(None, place))
        if not isinstance(x, array_base):
            device, usm_type, queue = self._place_of(None, place)
            x = dpnp.asarray(numpy.asarray(x), device=device, usm_type=usm_type, sycl_queue=queue)
        x = as_dpnp(x)
        if x.ndim == 0:
            raise IndexError("permutation: x must be an integer or at least 1-dimensional")
        return self._reordered(x, axis)

    def _reordered(self, x: dpnp_ndarray, axis: int) -> dpnp_ndarray:
        axis = numpy.lib.array_utils.normalize_axis_index(axis, x.ndim)
        order = self._generator.permutation(x.shape[axis], None, *self._place_of(x, (None, x.usm_type, None)))
        return dpnp.take(x, order, axis=axis)

    def _shuffle(self, x, axis: int) -> None:
        x = checked_array("shuffle", x)
        if x.ndim == 0:
            raise TypeError("shuffle: x must have at least one axis")
        x[...] = self._reordered(x, axis)
