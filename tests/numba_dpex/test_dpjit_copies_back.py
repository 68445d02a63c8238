"""Steps that compute new elements and copy them back, compared with Python: whether arrays take turns, and results."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.dpjit import exchanged_arrays


def all_elements(u, new, steps):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = u[(i + 1) % n, j] - 0.5 * u[i, (j + 2) % m]
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]


def inner_elements(u, new, steps):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in prange(1, m - 1):
                new[i, j] = u[i, j] + 0.1 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
        for i in prange(1, n - 1):
            for j in prange(1, m - 1):
                u[i, j] = new[i, j]


def all_are_copied(u, new, steps):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u[:] = new


def slices(u, new, steps):
    for _ in range(steps):
        for i in prange(1, u.shape[0] - 1):
            for j in range(2, u.shape[1]):
                new[i, j] = 0.5 * (u[i - 1, j] + u[i + 1, j - 2])
        u[1:-1, 2:] = new[1:-1, 2:]


def until_it_converges(u, new, steps):
    n, m = u.shape
    error = 1.0
    rounds = 0
    while error > 1e-3 and rounds < steps:
        error = 0.0
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                error = max(error, abs(new[i, j] - u[i, j]))
                u[i, j] = new[i, j]
        rounds += 1
    return error, rounds


def left_after_the_copy(u, new, steps):
    n, m = u.shape
    rounds = 0
    for _ in range(steps):
        rounds += 1
        for i in prange(n):
            for j in range(m):
                new[i, j] = 0.5 * (u[i, j] + u[(i + 3) % n, j])
        change = 0.0
        for i in prange(n):
            for j in range(m):
                change += abs(new[i, j] - u[i, j])
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]
        if change < 1.0:
            break
    return rounds


def two_pairs(u, new, steps, v, other):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                reaction = u[i, j] * v[i, j] * v[i, j]
                new[i, j] = u[i, j] + 0.1 * (u[i - 1, j] + u[i + 1, j] - 2 * u[i, j]) - 0.2 * reaction
                other[i, j] = v[i, j] + 0.05 * (v[i, j - 1] + v[i, j + 1] - 2 * v[i, j]) + 0.2 * reaction
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = new[i, j]
                v[i, j] = other[i, j]


def two_copies(u, new, steps, v, other):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = v[i, j] * 0.5 + u[i, (j + 1) % m]
        for i in prange(1, n):
            for j in range(m):
                other[i, j] = u[i - 1, j] - 0.5
        u[:, :] = new
        v[1:, :] = other[1:, :]


def branches(u, new, steps):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                if u[i, j] > 0.5:
                    new[i, j] = u[i, j] * 0.9
                    continue
                elif j == 0:
                    new[i, j] = 0.75
                else:
                    new[i, j] = u[i, j - 1]
                new[i, j] += 0.01
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]


def sums(u, new, steps, v):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = 0.0
                for k in range(m):
                    new[i, j] += u[i, k] * v[k % 3, j] * 0.1
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]


def within_other_statements(u, new, steps):
    n, m = u.shape
    if n > 1:
        for t in range(steps):
            factor = 0.5 + 0.1 * t
            for i in prange(n):
                for j in range(m):
                    new[i, j] = factor * u[n - 1 - i, j]
            for i in prange(n):
                for j in range(m):
                    u[i, j] = new[i, j]
    for i in prange(n):
        u[i, 0] = 1.0


EXCHANGED = [
    all_elements, inner_elements, all_are_copied, slices, until_it_converges, left_after_the_copy, two_pairs,
    two_copies, branches, sums, within_other_statements,
]  # fmt: skip


def within_another_loop(u, new, steps):
    n, m = u.shape
    for _ in range(2):
        for t in range(steps):
            factor = 0.5 + 0.1 * t
            for i in prange(n):
                for j in range(m):
                    new[i, j] = factor * u[n - 1 - i, j]
            for i in prange(n):
                for j in range(m):
                    u[i, j] = new[i, j]
        for i in prange(n):
            u[i, 0] = 1.0


def conditional_store(u, new, steps):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                if u[i, j] > 0.5:
                    new[i, j] = u[i, j] * 0.5
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]


def conditional_copy(u, new, steps):
    n, m = u.shape
    for t in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = u[i, j] * 0.5
        if t % 2 == 0:
            for i in prange(n):
                for j in range(m):
                    u[i, j] = new[i, j]


def sets_borders(u, new, steps):
    n, m = u.shape
    for t in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = 0.5 * (u[i - 1, j] + u[i, j + 1])
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = new[i, j]
        for j in prange(m):
            u[0, j] = u[1, j] + t


def reads_neighbours(u, new, steps):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = 0.5 * (u[i - 1, j] + u[i, j + 1])
        most = 0.0
        for i in prange(n):
            for j in range(m):
                most = max(most, new[i, j])
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = new[i, j] / most


def left_before_the_copy(u, new, steps):
    n, m = u.shape
    for t in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = 0.5 * u[i, j]
        if t == 3:
            break
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]


def other_elements(u, new, steps):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = 0.5 * u[i, j] + u[i, 0]
        for i in prange(1, n):
            for j in range(m):
                u[i, j] = new[i, j]


def stores_through_rows(u, new, steps):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(n):
            row = u[i]
            for j in range(m):
                new[i, j] = 0.5 * row[j]
            row[0] = 3.0
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]


def keeps_the_new_elements(u, new, steps):
    n, m = u.shape
    total = 0.0
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = 0.5 * u[i, j]
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]
        for i in prange(n):
            for j in range(m):
                total += new[i, j]
                new[i, j] = 0.0
    return total


def one_row(u, new, steps):
    for _ in range(steps):
        for j in prange(u.shape[1]):
            new[0, j] = 0.5 * u[0, j] + u[1, j]
        for j in prange(u.shape[1]):
            u[0, j] = new[0, j]


def changes_counters(u, new, steps):
    n = u.shape[0] - 1
    for _ in range(steps):
        for i in prange(n):
            for j in range(4):
                j = j + 1
                new[i, j] = 0.5 * u[i, j]
        for i in prange(n):
            for j in range(4):
                u[i, j] = new[i, j]


def reads_a_copied_array(u, new, steps, v, other):
    """The second copy's statement reads elements that the first one has copied."""
    n, m = u.shape
    change = 0.0
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = 0.5 * u[i, j]
                other[i, j] = 0.25 * v[i, j]
        u[:] = new
        for i in prange(n):
            for j in range(m):
                change += abs(new[i, j] - u[i, j])
                v[i, j] = other[i, j]
    return change


def uses_whole_arrays(u, new, steps):
    n, m = u.shape
    totals = []
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = 0.5 * u[i, j]
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]
        totals.append(u)
    return len(totals)


NOT_EXCHANGED = [
    within_another_loop, conditional_store, conditional_copy, sets_borders, reads_neighbours, left_before_the_copy,
    other_elements, stores_through_rows, keeps_the_new_elements, one_row, changes_counters,
    reads_a_copied_array, uses_whole_arrays,
]  # fmt: skip


@pytest.fixture
def exchanges(monkeypatch):
    """The exchanges of a test. Arrays of all sizes take turns."""
    begun = []

    class Recorded(exchanged_arrays.Exchange):
        def finish(self):
            begun.append(self)
            super().finish()

    monkeypatch.setattr(exchanged_arrays, "Exchange", Recorded)
    monkeypatch.setattr(exchanged_arrays, "_LEAST_BYTES", 0)
    return begun


def arguments(function, shape, dtype):
    rng = np.random.default_rng(5)
    count = function.__code__.co_argcount - 1
    made = [rng.random(shape).astype(dtype) for _ in range(count)]
    return made[:2], made[2:]


def compare(function, steps, shape=(9, 11), dtype="f8"):
    arrays, more = arguments(function, shape, dtype)
    on_device = [dpnp.asarray(each) for each in [*arrays, *more]]
    found = dpjit(function)(*on_device[:2], steps, *on_device[2:])
    expected = function(*arrays, steps, *more)
    tolerance = 1e-5 if dtype == "f4" else 1e-12
    for mine, other in zip(on_device, [*arrays, *more], strict=True):
        np.testing.assert_allclose(mine.asnumpy(), other, rtol=tolerance, atol=tolerance)
    if expected is not None:
        np.testing.assert_allclose(found, expected, rtol=tolerance)


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 7, 8])
@pytest.mark.parametrize("function", EXCHANGED, ids=lambda each: each.__name__)
def test_exchanged(function, steps, exchanges):
    compare(function, steps)
    least = {all_elements: 2, all_are_copied: 4}.get(function, 6)
    if steps >= least:
        assert exchanges
    if steps == 0:
        assert not any(each._turns for each in exchanges)


@pytest.mark.parametrize("steps", [0, 1, 6, 7])
@pytest.mark.parametrize("function", NOT_EXCHANGED, ids=lambda each: each.__name__)
def test_not_exchanged(function, steps, exchanges):
    compare(function, steps)
    assert not exchanges


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("function", [all_elements, inner_elements, all_are_copied, two_pairs])
def test_large_arrays(function, dtype):
    """Arrays of these sizes take turns without the fixture."""
    compare(function, 7, (210, 190), dtype)


def test_arrays_that_share_memory(exchanges):
    for of_old, of_new in [((0, 9), (0, 9)), ((0, 9), (3, 12))]:
        base = np.random.default_rng(1).random((12, 11))
        copy = dpnp.asarray(base)
        dpjit(inner_elements)(copy[slice(*of_old)], copy[slice(*of_new)], 8)
    assert not exchanges


def reads_a_third_array(u, new, steps, v):
    n, m = u.shape
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                new[i, j] = 0.5 * u[i, j] + v[0, 0]
        for i in prange(n):
            for j in range(m):
                u[i, j] = new[i, j]


def test_views_of_the_arrays(exchanges):
    a, b = (np.random.default_rng(each).random((9, 11)) for each in (1, 2))
    u, new = dpnp.asarray(a), dpnp.asarray(b)
    dpjit(reads_a_third_array)(u, new, 8, u[2:4])
    assert not exchanges
    expected = a.copy()
    reads_a_third_array(expected, b, 8, expected[2:4])
    np.testing.assert_allclose(u.asnumpy(), expected, rtol=1e-12)
    dpjit(reads_a_third_array)(u, new, 8, dpnp.ones((1, 1)))
    assert exchanges


def test_read_only_arrays_and_other_types(exchanges):
    for first, second in [("f8", "f4"), ("i8", "f8")]:
        a = np.arange(30).reshape(5, 6)
        u, new = dpnp.asarray(a, dtype=first), dpnp.asarray(a, dtype=second)
        dpjit(all_elements)(u, new, 4)
        x, y = a.astype(first), a.astype(second)
        all_elements(x, y, 4)
        np.testing.assert_allclose(u.asnumpy(), x, rtol=1e-5)
    assert not exchanges
