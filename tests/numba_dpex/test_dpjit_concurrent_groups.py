"""Sequential loops that work-groups share which run at once, and rows that sub-groups share."""

from __future__ import annotations

import math

import dpnp
import numpy as np
import pytest
import random_marks
from numba_dpex import device_func, dpjit, prange
from shared_loop_simulation import simulate
from shared_loops import as_on_gpus


def cholesky(a):
    n = a.shape[0]
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s -= a[j, k] * a[j, k]
        root = math.sqrt(s)
        a[j, j] = root
        for i in prange(j + 1, n):
            t = a[i, j]
            for k in range(j):
                t -= a[i, k] * a[j, k]
            a[i, j] = t / root


def cholesky_by_range(a):
    n = a.shape[0]
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s -= a[j, k] ** 2
        a[j, j] = math.sqrt(s)
        for i in range(j + 1, n):
            t = a[i, j]
            for k in range(j):
                t -= a[i, k] * a[j, k]
            a[i, j] = t / a[j, j]


def solved_forwards(a, b):
    """The unknowns of a lower triangle, each of which is a sum over those before it."""
    for i in range(b.size):
        s = b[i]
        for k in range(i):
            s -= a[i, k] * b[k]
        b[i] = s / a[i, i]


def orthogonalised(a):
    """Gram-Schmidt: rows are made orthogonal to each of the rows before."""
    for i in range(a.shape[0]):
        length = 0.0
        for k in range(a.shape[1]):
            length += a[i, k] * a[i, k]
        length = math.sqrt(length)
        for k in range(a.shape[1]):
            a[i, k] /= length
        for j in range(i + 1, a.shape[0]):
            product = 0.0
            for k in range(a.shape[1]):
                product += a[i, k] * a[j, k]
            for k in range(a.shape[1]):
                a[j, k] -= product * a[i, k]


def relaxed(a, steps, changes):
    """Each step's largest change is read by Python between the loops, or by the kernel."""
    for step in range(steps):
        most = 0.0
        for i in prange(1, a.shape[0] - 1):
            for j in range(a.shape[1]):
                most = max(most, abs(a[i, j] - a[0, j]))
        changes[step] = most
        for i in prange(1, a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = 0.5 * (a[i, j] + a[0, j] + most)


def power_iteration(a, x, y, steps):
    for _ in range(steps):
        for i in prange(y.size):
            total = 0.0
            for k in range(x.size):
                total += a[i, k] * x[k]
            y[i] = total
        norm = 0.0
        for i in range(y.size):
            norm += y[i] * y[i]
        norm = math.sqrt(norm)
        for i in prange(x.size):
            x[i] = y[i] / norm


def spd(n):
    r = np.random.default_rng(n).random((n, n))
    return r @ r.T + n * np.eye(n)


PROGRAMS = [
    (cholesky, lambda n: (spd(n),)),
    (cholesky_by_range, lambda n: (spd(n),)),
    (solved_forwards, lambda n: (np.tril(spd(n)), np.random.default_rng(n).random(n))),
    (orthogonalised, lambda n: (np.random.default_rng(n).random((n, n + 40)),)),
    (relaxed, lambda n: (np.random.default_rng(n).random((n, 50)), 4, np.zeros(4))),
    (power_iteration, lambda n: (spd(n), np.ones(n), np.zeros(n), 5)),
]


def run_as_on_gpus(compiled, arguments):
    ours = [dpnp.asarray(x) if isinstance(x, np.ndarray) else x for x in arguments]
    as_on_gpus(compiled, *ours)
    return [x.asnumpy() if isinstance(x, dpnp.ndarray) else x for x in ours]


@pytest.mark.parametrize("function, make", PROGRAMS, ids=[function.__name__ for function, _ in PROGRAMS])
@pytest.mark.parametrize("n", [1, 2, 31, 129])
def test_program(function, make, n):
    compiled = dpjit(fastmath=True)(function)
    for options in (compiled, dpjit(function)):
        wanted = make(n)
        ours = run_as_on_gpus(options, make(n))
        function(*wanted)
        for theirs, mine in zip(wanted, ours, strict=True):
            if isinstance(theirs, np.ndarray):
                assert np.allclose(mine, theirs, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("lanes", [1, 4, 5])
@pytest.mark.parametrize("function, make", PROGRAMS, ids=[function.__name__ for function, _ in PROGRAMS])
def test_program_in_random_order(function, make, lanes):
    """Each step of the statements that work-items get, in Python."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for seed in range(2):
        wanted, ours = make(20), make(20)
        function(*wanted)
        assert simulate(function, dict(zip(names, ours, strict=True)), seed, lanes)
        for theirs, mine in zip(wanted, ours, strict=True):
            if isinstance(theirs, np.ndarray):
                assert np.allclose(mine, theirs, rtol=1e-9, atol=1e-11)


def shares_launch(compiled, line=None):
    """Whether a loop of the function ran on work-groups that wait for each other."""
    found = [dict(variables) for each in compiled._host.loops for variables in each.inspect_types()]
    return any("#counter" in each for each in found)


def test_work_groups_share_loops():
    for function, make in PROGRAMS[:2]:
        compiled = dpjit(fastmath=True)(function)
        run_as_on_gpus(compiled, make(200))
        assert shares_launch(compiled)
    small = dpjit(fastmath=True)(cholesky)
    run_as_on_gpus(small, (spd(20),))
    assert not shares_launch(small)
    assert sum(len(each.inspect_types()) for each in small._host.loops) == 1  # one group executes all


def sieve(flags):
    n = flags.size
    for i in range(n):
        flags[i] = i > 1
    i = 2
    while i * i < n:
        if flags[i]:
            for j in range(i * i, n, i):
                flags[j] = False
        i += 1


def sieve_by_multiples(flags):
    for i in range(flags.size):
        flags[i] = True
    for i in range(2, flags.size):
        if flags[i]:
            for j in range(2 * i, flags.size, i):
                flags[j] = False


def composite_numbers(marks):
    for p in range(2, marks.size):
        if marks[p] == 0:
            for q in range(p * p, marks.size, p):
                marks[q] = 7


def moved_stores(marks):
    """Each mark is one before or behind the counter."""
    for p in range(1, marks.size - 1):
        if marks[p] == 0 or marks[p - 1] == 3:
            for q in range(2 * p, marks.size - 1, p):
                marks[q - 1] = 3
                marks[q + 1] = 3


def downwards(marks):
    for p in range(marks.size - 1, 0, -1):
        if marks[p] != 1:
            for q in range(p - 1, -1, -p):
                marks[q] = 1


def from_the_end(marks):
    """Negative indices refer to elements at the end."""
    for p in range(1, marks.size):
        if marks[p] == 0 and marks[-p] == 0:
            for q in range(-p, 0, p + 3):
                marks[q] = 5


def two_constants(marks):
    """The order of stores matters."""
    for p in range(1, marks.size):
        if marks[p] == 0:
            for q in range(p, marks.size, 2 * p):
                marks[q] = 1
        else:
            for q in range(p, marks.size, 3 * p):
                marks[q] = 0


def neighbours(marks, other):
    """Another array is computed from the marks."""
    for p in range(1, marks.size - 1):
        if marks[p - 1] == marks[p + 1]:
            for q in range(p + 2, marks.size, 5):
                marks[q] = 2
            for q in range(other.size):
                other[q] += p


def also_counted(marks, other):
    """One work-item alone reads the marks, too."""
    for p in range(2, marks.size):
        other[p % 30] += marks[p] + 1
        if marks[p] == 0:
            for q in range(p * p, marks.size, p):
                marks[q] = 1
        other[0] = marks[p]


def read_by_loops(marks, other):
    """A shared loop reads the marks, and a sum."""
    for p in range(2, marks.size):
        if marks[p] == 0:
            for q in range(p * p, marks.size, p):
                marks[q] = 1
        total = 0
        for q in range(30):
            total += marks[q]
        for q in range(30):
            other[q] += marks[q + 1 if q + 1 < marks.size else 0] + total


def in_bounds(marks, other):
    """The marks are bounds of loops, and conditions of loops."""
    p = 2
    while p < marks.size and marks[p] < 7:
        for q in range(p * p, marks.size, p + marks[p]):
            marks[q] = 3
        for q in range(marks[p - 1], 30):
            other[q] += 1
        p += 1


def in_branches(marks, other):
    for p in range(2, marks.size):
        if p % 3 == 0 and marks[p - 1] == 0:
            for q in range(p + 5, marks.size, p):
                marks[q] = 1
        elif marks[p // 2] == marks[p - 2]:
            for q in range(p, marks.size, 7):
                marks[q] = 1
            for q in range(30):
                other[q] = p
        else:
            last = marks[p]
            if last == 1:
                for q in range(marks.size - p, marks.size):
                    marks[q] = 1


MARKS = [
    sieve,
    sieve_by_multiples,
    composite_numbers,
    moved_stores,
    downwards,
    from_the_end,
    two_constants,
]


def marks_of(function, n):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return {"flags": np.zeros(n, bool), "marks": np.zeros(n, "i4"), "other": np.zeros(30, "i8")}, names


WITH_OTHERS = [neighbours, also_counted, read_by_loops, in_bounds, in_branches]


@pytest.mark.parametrize("function", [*MARKS, *WITH_OTHERS])
def test_marks(function):
    for n in (3, 50, 1000, 5000) if function in MARKS else (31, 50, 1000):
        arrays, names = marks_of(function, n)
        wanted = [arrays[each].copy() for each in names]
        function(*wanted)
        ours = run_as_on_gpus(dpjit(function), [arrays[each] for each in names])
        assert all((x == y).all() for x, y in zip(wanted, ours, strict=True)), n


@pytest.mark.parametrize("function", [*MARKS, *WITH_OTHERS])
def test_marks_in_random_order(function):
    for seed, lanes in enumerate((1, 2, 3, 8, 2, 4)):
        arrays, names = marks_of(function, 60)
        wanted = [arrays[each].copy() for each in names]
        function(*wanted)
        simulate(function, {each: arrays[each] for each in names}, seed, lanes)
        assert all((x == arrays[each]).all() for x, each in zip(wanted, names, strict=True)), (seed, lanes)


def test_sieves_share_the_launch():
    for function in (sieve, sieve_by_multiples, composite_numbers):
        compiled = dpjit(function)
        arrays, names = marks_of(function, 20_000)
        run_as_on_gpus(compiled, [arrays[each] for each in names])
        assert shares_launch(compiled), function


def marks_by_steps(marks, factor):
    for p in range(2, marks.size):
        if marks[p] == 0:
            for q in range(p * p, marks.size, p * factor):
                marks[q] = 1


def test_steps_of_zero():
    compiled = dpjit(marks_by_steps)
    marks = dpnp.zeros(20_000, dtype="i4")
    as_on_gpus(compiled, marks, 2)
    assert shares_launch(compiled)
    with pytest.raises(ValueError, match="arg 3 must not be zero"):
        as_on_gpus(compiled, dpnp.zeros(20_000, dtype="i4"), 0)


@device_func
def small(x):
    if x > 5:
        raise ValueError("too large")
    return x


def with_errors(marks):
    for p in range(2, 9):
        if marks[p] == 0:
            for q in range(marks.size):
                marks[q] += small(p + q)


def test_work_items_that_may_end_share_no_launch():
    """Others would wait for them forever."""
    compiled = dpjit(with_errors)
    with pytest.raises(ValueError, match="too large"):
        as_on_gpus(compiled, dpnp.zeros(20_000, dtype="i4"))
    assert not shares_launch(compiled)


def loaded(seed, folder):
    path = folder / f"marks_{seed}.py"
    path.write_text(random_marks.program(seed))
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope["f"]


def test_random_marks(tmp_path):
    """Programs in random order of work-items, and each fifth one as compiled, at a larger size."""
    programs = shared = 0
    for seed in range(300):
        function = loaded(seed, tmp_path)
        wanted = np.zeros(40, "i4"), np.zeros(7, "i8")
        try:
            function(*wanted)
        except IndexError:
            continue
        programs += 1
        for order, lanes in enumerate((2, 3)):
            ours = np.zeros(40, "i4"), np.zeros(7, "i8")
            shared += simulate(function, dict(zip("mo", ours, strict=True)), seed + order, lanes)
            assert all((x == y).all() for x, y in zip(wanted, ours, strict=True)), seed
        if seed % 5 == 0:
            wanted = np.zeros(3000, "i4"), np.zeros(7, "i8")
            function(*wanted)
            ours = run_as_on_gpus(dpjit(function), (np.zeros(3000, "i4"), np.zeros(7, "i8")))
            assert all((x == y).all() for x, y in zip(wanted, ours, strict=True)), seed
    assert programs > 150 and shared > 200
