"""Loops that compare with what they found before, of which sub-groups of GPUs execute batches."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from shared_loops import as_on_gpus


def nearest(train, test, found, distance):
    for i in prange(test.shape[0]):
        best = 1e300
        at = -1
        for j in range(train.shape[0]):
            d = 0.0
            for k in range(train.shape[1]):
                t = test[i, k] - train[j, k]
                d += t * t
            if d < best:
                best = d
                at = j
        found[i] = at
        distance[i] = best


def last_largest(a, out):
    for i in prange(a.shape[0]):
        best = a[i, 0]
        at = 0
        for j in range(1, a.shape[1]):
            if a[i, j] >= best:
                best = a[i, j]
                at = j
        out[i] = at


def nearest_other(x, out):
    n = x.size
    for i in prange(n):
        best = 1e9
        for j in range(n):
            distance = abs(x[i] - x[j])
            if distance < best and j != i:
                best = distance
        out[i] = best


def five_nearest(train, labels, test, votes):
    k = 5
    for i in prange(test.shape[0]):
        distances = np.empty(5)
        known = np.empty(5, dtype=np.int64)
        for n in range(k):
            distances[n] = 1e300
            known[n] = -1
        for j in range(train.shape[0]):
            d = abs(test[i, 0] - train[j, 0]) + abs(test[i, 1] - train[j, 1])
            if d < distances[k - 1]:
                n = k - 1
                while n > 0 and distances[n - 1] > d:
                    distances[n] = distances[n - 1]
                    known[n] = known[n - 1]
                    n -= 1
                distances[n] = d
                known[n] = labels[j]
        total = 0
        for n in range(k):
            total += known[n]
        votes[i] = total


def largest_of_parts(starts, values, out, last):
    for i in prange(starts.size - 1):
        most = -1
        changes = 0
        for q in range(starts[i], starts[i + 1], 2):
            v = values[q] % 1000
            if v > most:
                most = v
                changes += 1
                last[i] = q
        out[i] = most * 100 + changes


def resets(a, out):
    for i in prange(a.shape[0]):
        if i % 3 == 0:
            continue
        m = 0
        for j in range(3, a.shape[1] - 2, 3):
            v = a[i, j] % 7
            if v > m:
                m = v
                if m == 6:
                    m = 0
        out[i] = m


def records(a, limits, out):
    for i in prange(a.shape[0]):
        m = limits[i]
        n = 0
        for j in range(a.shape[1]):
            x = a[i, j]
            y = x * 2
            if y > m:
                m = y
                n += 1
                for q in range(3):
                    n += q * (x > 5)
        out[i] = n


def read_back(a, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > out[i]:
                out[i] = a[i, j]


def first_found(a, out):
    for i in prange(a.shape[0]):
        best = 40
        for j in range(a.shape[1]):
            if a[i, j] > best:
                out[i] = j
                best = a[i, j]
                break


def value_after_the_loop(a, out):
    for i in prange(a.shape[0]):
        best = -1
        x = 0
        for j in range(a.shape[1]):
            x = a[i, j] * 3
            if x > best:
                best = x
        out[i] = best * 1000 + x


def smallest(x):
    best = x[0]
    at = 0
    for i in range(1, x.size):
        if x[i] < best:
            best = x[i]
            at = i
    return best, at


def nearest_point(points, to):
    best = 1e300
    at = -1
    for i in range(points.shape[0]):
        d = 0.0
        for k in range(points.shape[1]):
            t = points[i, k] - to[k]
            d += t * t
        if d < best:
            best = d
            at = i
    return at, best


def records_of_one(x, out):
    m, n, s = -1.0, 0, 0.0
    for i in range(0, x.size, 3):
        y = x[i] * 2
        is_large = x[i] > 0.5
        if y > m:
            m = y
            n += 1 + is_large
            s += y
            out[n % 7] = i
    return m, n, s


def found_backwards(x):
    best = -1.0
    at = -1
    for i in range(x.size - 1, -1, -1):
        if x[i] > best:
            best = x[i]
            at = i
    return best, at


def numbers(seed, *shape, below=1000):
    return np.random.default_rng(seed).integers(0, below, shape)


def check(function, *arguments, uses=True):
    ours = [dpnp.asarray(each) for each in arguments]
    mine = dpjit(function)
    as_on_gpus(mine, *ours)
    function(*arguments)
    for found, wanted in zip(ours, arguments, strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-12)
    forms = [str(types) for loop in mine._host.loops for types in loop.inspect_types()]
    assert any("#count" in types and "#chunk" not in types and "#lanes" not in types for types in forms) == uses


@pytest.mark.parametrize(("n", "m"), [(7, 70), (33, 100), (100, 65), (60, 64), (257, 333), (3, 1000)])
def test_searches(n, m):
    random = np.random.default_rng(n)
    check(nearest, random.random((m, 3)), random.random((n, 3)), np.zeros(n, "i8"), np.zeros(n))
    check(last_largest, numbers(n, n, m, below=50), np.zeros(n, "i8"))
    check(last_largest, random.random((n, m)).astype("f4"), np.zeros(n, "i8"))
    check(nearest_other, random.random(m), np.zeros(m))
    check(five_nearest, random.random((m, 2)), numbers(m, m, below=2), random.random((n, 2)), np.zeros(n, "i8"))
    check(resets, numbers(m, n, m), np.zeros(n, "i8"))
    check(records, random.random((n, m)) * 10, random.random(n), np.zeros(n, "i8"))


@pytest.mark.parametrize(("n", "m"), [(3, 5000), (17, 4097), (256, 4200)])
def test_few_long_rows_have_a_work_group_each(n, m):
    random = np.random.default_rng(n)
    arguments = numbers(n, n, m, below=50), np.zeros(n, "i8")
    ours = [dpnp.asarray(each) for each in arguments]
    mine = dpjit(last_largest)
    as_on_gpus(mine, *ours)
    last_largest(*arguments)
    assert ours[1].tolist() == arguments[1].tolist()
    assert "#count" not in str([loop.inspect_types() for loop in mine._host.loops])
    check(nearest, random.random((m, 3)), random.random((n, 3)), np.zeros(n, "i8"), np.zeros(n), uses=False)
    check(five_nearest, random.random((m, 2)), numbers(m, m), random.random((3, 2)), np.zeros(3, "i8"), uses=False)


@pytest.mark.parametrize("n", [1, 5, 400])
def test_parts_of_different_lengths(n):
    starts = np.concatenate([[0], np.cumsum(numbers(n, n, below=300))])
    values = numbers(n, starts[-1] + 1, below=100_000)
    check(largest_of_parts, starts, values, np.zeros(n, "i8"), np.zeros(n, "i8"))


def test_short_rows_and_other_loops_have_a_work_item_for_each_iteration():
    check(last_largest, numbers(1, 50, 20), np.zeros(50, "i8"), uses=False)
    check(read_back, numbers(1, 50, 200), np.zeros(50, "i8"), uses=False)
    check(first_found, numbers(1, 50, 200, below=50), np.zeros(50, "i8"), uses=False)
    check(value_after_the_loop, numbers(1, 50, 200), np.zeros(50, "i8"), uses=False)


@pytest.mark.parametrize("n", [1, 5, 200, 1023, 1024, 1025, 5000, 100_001])
def test_searches_that_are_not_parallel(n):
    random = np.random.default_rng(n)
    for function, arguments in (
        (smallest, (random.random(n),)),
        (smallest, (numbers(n, n, below=50).astype("i4"),)),
        (smallest, (-np.arange(float(n)),)),
        (nearest_point, (random.random((n, 3)), random.random(3))),
        (records_of_one, (random.random(n), np.zeros(7, "i8"))),
        (found_backwards, (random.random(n),)),
    ):
        ours = [dpnp.asarray(each) for each in arguments]
        mine = dpjit(function)
        np.testing.assert_allclose(as_on_gpus(mine, *ours), function(*arguments), rtol=1e-12)
        for found, wanted in zip(ours, arguments, strict=True):
            np.testing.assert_array_equal(found.asnumpy(), wanted)
        by_group = any("#item" in str(types) for loop in mine._host.loops for types in loop.inspect_types())
        assert by_group == (n > 150 and function is not found_backwards)
