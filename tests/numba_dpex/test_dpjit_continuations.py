"""Functions with loops that Python executes: the rest of the function is rewritten when that is known."""

from __future__ import annotations

import warnings
import weakref

import dpnp
import numpy as np
import pytest
from numba_dpex import device_func, dpjit, prange
from test_dpjit import check


def whole_arrays(x, out):
    total = 0.0
    for k in range(3):
        part = dpnp.sum(x[k:])
        total += float(part)
    for i in range(x.size):
        out[i] = x[i] * total
    for k in range(2):
        out += dpnp.sort(x)[k]
    return total, part


def returns_within(x, limit):
    found = -1
    for k in range(5):
        s = float(dpnp.sum(dpnp.sort(x)[: k + 1]))
        if s > limit:
            return k, s
    for i in range(x.size):
        if x[i] > limit:
            found = i
    return found, s


def may_be_unset(x, n):
    if n > 5:
        late = n * 2
    for k in range(n):
        sorted_x = dpnp.sort(x)
        late = k
    if n > 0:
        return late + float(sorted_x[0])
    return -1


def several_kinds(x, out):
    names = {"a": 1, "b": 2}
    scale = 2
    for key in names:
        scale += names[key]
    for i in prange(x.size):
        out[i] = x[i] * scale
    for _ in range(2):
        out[:] = dpnp.flip(out)
        scale, other = scale + 1, scale
    for i in prange(x.size):
        out[i] += other
    return scale


def with_defaults(x, a=2, *rest, k=3, **others):
    for _ in range(2):
        x = dpnp.flip(x) * a
    for i in range(x.size):
        x[i] += k + len(rest)
    return x, len(others)


@device_func
def by_keywords(x, y=2, *, by=3, minus=1):
    return (x + y) * by - minus


def choices(x):
    least, most, smallest, largest = x[0], x[0], x[0], x[0]
    for i in prange(x.size):
        least = x[i] if x[i] < least else least
        most = most if most >= x[i] else x[i]
        smallest, largest = min(smallest, x[i]), max(largest, x[i])
    return least, most, smallest, largest


def numbers(n):
    return np.random.default_rng(n).integers(0, 100, n).astype("f8")


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("n", [6, 1000])
def test_the_rest_of_the_function_runs(n):
    x = numbers(n)
    compiled = dpjit(whole_arrays)
    for _ in range(3):
        mine = dpnp.zeros(n)
        total, part = compiled(dpnp.asarray(x), mine)
        expected = sum(x[k:].sum() for k in range(3))
        ordered = np.sort(x)
        assert total == expected and float(part) == x[2:].sum()
        np.testing.assert_allclose(mine.asnumpy(), x * expected + ordered[0] + ordered[1])


def test_returns_and_unset_variables():
    x = numbers(50)
    sums = np.cumsum(np.sort(x))
    compiled = dpjit(returns_within)
    assert compiled(dpnp.asarray(x), sums[2] - 0.5) == (2, sums[2])
    large = compiled(dpnp.asarray(x), 1e9)
    assert large == (-1, sums[4])
    compiled = dpjit(may_be_unset)
    assert [compiled(dpnp.asarray(x), n) for n in (0, 3, 9)] == [-1, 2 + x.min(), 8 + x.min()]


def test_other_variables_and_parameters():
    x = numbers(33)
    out = dpnp.zeros(33)
    assert dpjit(several_kinds)(dpnp.asarray(x), out) == 7
    np.testing.assert_allclose(out.asnumpy(), x * 5 + 6)
    compiled = dpjit(with_defaults)
    for arguments, keywords in (((), {}), ((5,), {"k": 4}), ((1, 7, 7), {"z": 0})):
        found, others = compiled(dpnp.asarray(x), *arguments, **keywords)
        a = arguments[0] if arguments else 2
        np.testing.assert_allclose(found.asnumpy(), x * a * a + keywords.get("k", 3) + max(len(arguments) - 1, 0))
        assert others == ("z" in keywords)


def test_defaults_of_keywords_in_called_functions():
    @dpjit
    def calls(out):
        for i in prange(1):
            out[i] = by_keywords(1)
            out[1] = by_keywords(1, by=5)
            out[2] = by_keywords(1, 4, minus=7)
            out[3] = by_keywords(y=0, x=2)

    out = dpnp.zeros(4, dtype="i8")
    calls(out)
    assert out.tolist() == [8, 14, 8, 5]


def test_extrema_as_choices_and_tuples():
    for n in (1, 7, 100_000):
        check(choices, numbers(n))


def test_arrays_are_freed_when_they_are_used_last():
    references = []

    @dpjit
    def replaced(x):
        t = x + 1
        references.append(weakref.ref(t))
        for _ in range(3):
            t = dpnp.sort(t)
            references.append(weakref.ref(t))
            alive = [each() is not None for each in references[:-1]]
        return t, alive

    found, alive = replaced(dpnp.asarray(numbers(20)))
    assert alive == [False, False, False]
    np.testing.assert_allclose(found.asnumpy(), np.sort(numbers(20)) + 1)


def assigns_in_else(x):
    for i in range(x.size):
        x[i] += 1
    else:
        last = 0
        while last < 5:
            last += 1
    for i in range(x.size):
        x = x * 2 + i
    return x


def test_variables_that_are_not_read_later():
    check(assigns_in_else, np.ones(3))
