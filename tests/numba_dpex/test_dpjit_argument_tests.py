"""Loops of dpjit functions that test parameters: for None, and for strings."""

from __future__ import annotations

import warnings

import dpnp
import numpy as np
import pytest
from numba_dpex import device_func, dpjit, prange
from numba_dpex.core.exceptions import NumbaDpexPerformanceWarning
from test_dpjit import in_numpy, to_host


def weighted_mean(x, weights=None):
    total, norm = 0.0, 0.0
    for i in prange(x.size):
        w = 1.0 if weights is None else weights[i]
        total += w * x[i]
        norm += w
    return total / norm if norm else 0.0


def statements(x, weights=None, limit=None):
    total = 0.0
    for i in range(x.size):
        if limit is not None and x[i] > limit:
            break
        elif weights is None:
            total += x[i]
        else:
            total += weights[i] * x[i]
    return total


def in_blocks(x, weights=None, limit=None):
    result = dpnp.zeros(x.size)
    if x.size > 1:
        for _ in range(2):
            for i in prange(x.size):
                if weights is not None and (limit is None or x[i] < limit):
                    result[i] += weights[i]
                if limit is None:
                    continue
                if weights is None or limit is not None:
                    result[i] += limit
    return result


def replaced(x, weights=None, limit=None):
    if weights is None:
        weights = dpnp.ones(x.size)
    total = 0.0
    i = 0
    while i < x.size and (limit is None or x[i] < limit):
        total += weights[i] if weights is not None else 0.0
        i += 1
    return total, i


def assigned_in_the_loop(x, weights=None, limit=None):
    total = 0.0
    for i in range(x.size):
        total += x[i]
        limit = 2.0 if weights is None else weights[i]
        if weights is None:
            total += limit
    return total, limit


OPTIONAL = [statements, in_blocks, replaced, assigned_in_the_loop]


def run(compiled, function, *given):
    ours = [dpnp.asarray(each) if isinstance(each, np.ndarray) else each for each in given]
    with warnings.catch_warnings():
        warnings.simplefilter("error", NumbaDpexPerformanceWarning)
        result = to_host(compiled(*ours))
    wanted = in_numpy(function)(*given)
    for mine, theirs in zip(np.atleast_1d(result), np.atleast_1d(wanted), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)


@pytest.mark.parametrize("size", [0, 1, 30])
def test_optional_weights(size):
    x = np.random.default_rng(1).random(size)
    compiled = dpjit(weighted_mean)
    for weights in None, x + 1, None, x:
        run(compiled, weighted_mean, x, weights)


@pytest.mark.parametrize("size", [1, 2, 30])
@pytest.mark.parametrize("function", OPTIONAL)
def test_optional_arguments(function, size):
    x = np.random.default_rng(1).random(size)
    compiled = dpjit(function)
    for weights in None, x + 1:
        for limit in None, 0.5, 2.0:
            run(compiled, function, x, weights, limit)


def by_name(x, mode, border="zero"):
    total = 0.0
    for i in prange(x.size):
        if mode == "square":
            total += x[i] ** 2
        elif mode in ("plain", "sum"):
            total += x[i]
        elif border != "zero":
            total += 1
    return total


def filled(x, mode):
    result = dpnp.zeros(x.size)
    if x.size:
        for i in prange(x.size):
            last = 0.0
            for k in range(i + 1):
                last = x[k] if mode == "last" else last + x[k]
            result[i] = last
    return result


def test_strings():
    x = np.random.default_rng(1).random(30)
    compiled = dpjit(by_name)
    for given in [("square",), ("plain",), ("sum",), ("other",), ("other", "nearest")]:
        run(compiled, by_name, x, *given)
    compiled = dpjit(filled)
    for mode in "last", "all":
        run(compiled, filled, x, mode)


@device_func
def weighted_or_not(x, weight=None):
    if weight is None:
        return x
    return x * weight


@device_func
def limited(x, low=None, high=None):
    if low is not None and x < low:
        return low
    if high is None:
        return x
    for _ in range(3):
        if x > high:
            x -= high
    return x


def test_called_functions_return_early_for_none():
    @dpjit
    def calls(x, out):
        for i in prange(x.size):
            out[0, i] = weighted_or_not(x[i]) + weighted_or_not(x[i], 3.0)
            out[1, i] = limited(x[i])
            out[2, i] = limited(x[i], 1.5)
            out[3, i] = limited(x[i], 1.5, 2.5)

    x, out = dpnp.arange(5.0), dpnp.zeros((4, 5))
    calls(x, out)
    expected = [[0, 4, 8, 12, 16], [0, 1, 2, 3, 4], [1.5, 1.5, 2, 3, 4], [1.5, 1.5, 2, 0.5, 1.5]]
    assert out.tolist() == expected
