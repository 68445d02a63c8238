"""Loops whose iterations several work-items share, as on GPUs, compared with Python."""

from __future__ import annotations

import ast
import importlib.util
import math
from inspect import getsource

import dpnp
import numpy as np
import pytest
from numba_dpex import device_func, dpjit, prange
from numba_dpex.core.dpjit.rewrite import HostFunction
from numba_dpex.core.exceptions import TypingError
from random_loops import random_program
from shared_loop_simulation import simulate
from test_dpjit import check

M = 70


def matrix(m=M, n=M, dtype="f8"):
    return np.random.default_rng(m + n).integers(1, 90, (m, n)).astype(dtype)


def forms_of(function):
    """For each loop of a function that has no parallel loops in it, the form in which work-items share it, or None."""
    host = HostFunction(function, {"debug": False, "fastmath": frozenset()})
    found = []
    for loop in (each for each in ast.walk(host._tree) if isinstance(each, ast.For | ast.While)):
        nest = host._nest_of(loop) if host.is_parallel(loop) else None
        made = host._shared_tree(loop, nest, [])
        found.append(made and (made["form"] or "Python"))
    return found


# --- which form a loop has


def heat(u, new):
    for i in prange(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            new[i, j] = u[i, j] + 0.1 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])


def scaled_rows(a, out):
    for i in prange(a.shape[0]):
        scale = 1.0 / (1.0 + a[i, 0])
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * scale


def flat_image(image, out, width):
    for i in prange(image.size // width):
        for j in range(width):
            x = image[i * width + j]
            if x > 40:
                continue
            out[i * width + j] = x + j


@device_func
def steps_to_leave(x, y, most):
    n = 0
    a, b = x, y
    while n < most and a * a + b * b < 4.0:
        a, b = a * a - b * b + x, 2 * a * b + y
        n += 1
    return n


def escape_times(out, most):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = steps_to_leave(4.0 * j / out.shape[1] - 2.0, 4.0 * i / out.shape[0] - 2.0, most)


def histogram_of_rows(image, counts):
    for i in prange(image.shape[0]):
        for j in range(image.shape[1]):
            counts[int(image[i, j]) // 10] += 1


def eliminated(a, k):
    for i in prange(k + 1, a.shape[0]):
        a[i, k] /= a[k, k]
        factor = a[i, k]
        for j in range(k + 1, a.shape[1]):
            a[i, j] -= factor * a[k, j]


def shortened(d, k):
    for i in prange(d.shape[0]):
        through = d[i, k]
        for j in range(d.shape[0]):
            if through + d[k, j] < d[i, j]:
                d[i, j] = through + d[k, j]


def two_phases(a, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = 2 * a[i, j]
        for j in range(1, a.shape[1]):
            a[i, j] = out[i, j - 1]


def transposed_sums(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] = a[j, i] + i


def multiples(marks):
    n = marks.size
    i = 2
    while i * i < n:
        if marks[i] == 0:
            for j in range(i * i, n, i):
                marks[j] = 1
        i += 1


def repeated_smoothing(x, y):
    for _ in range(20):
        for i in range(1, x.size - 1):
            y[i] = 0.5 * x[i] + 0.25 * (x[i - 1] + x[i + 1])
        for i in range(1, x.size - 1):
            x[i] = y[i]


def filled(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = i - j


def edit_distance(a, b, table):
    for i in range(1, a.size + 1):
        x = a[i - 1]
        for j in range(1, b.size + 1):
            cost = 0 if x == b[j - 1] else 1
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + cost)


def integral_image(a, total):
    for y in range(1, total.shape[0]):
        for x in range(1, total.shape[1]):
            total[y, x] = a[y - 1, x - 1] + total[y - 1, x] + total[y, x - 1] - total[y - 1, x - 1]


def sweep(u):
    for _ in range(3):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.25 * (u[i - 1, j + 1] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def wrapped_table(t):
    for i in range(t.shape[0]):
        for j in range(t.shape[1]):
            t[i, j] += t[i - 1, j] + t[i, j - 1]


def tables(seeds, t):
    for p in prange(t.shape[0]):
        for i in range(1, t.shape[1]):
            for j in range(1, t.shape[2]):
                if (i + j + seeds[p]) % 3 == 0:
                    continue
                t[p, i, j] = max(t[p, i - 1, j], t[p, i, j - 1]) + (seeds[p] + i * j) % 7


def knapsack(values, weights, best):
    for i in range(1, best.shape[0]):
        w, v = weights[i - 1], values[i - 1]
        for c in range(best.shape[1]):
            best[i, c] = best[i - 1, c]
            if c >= w and best[i - 1, c - w] + v > best[i, c]:
                best[i, c] = best[i - 1, c - w] + v


def sums_of_rows(a, out):
    for i in prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] += a[i, j - 1]
        out[i] = a[i, a.shape[1] - 1]


def last_index(a, out):
    for i in prange(a.shape[0]):
        found = 0
        for j in range(a.shape[1]):
            if a[i, j] > 50:
                found = j
        out[i] = found


def shifted_in_place(a):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1] - 1):
            a[i, j] = a[i, j + 1] + 1


def one_element_twice(a, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j // 2] = a[i, j]


def counter_read_later(a, out):
    for i in prange(a.shape[0]):
        j = 0
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] + 1
        out[i, 0] = j


def left_early(a, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 80:
                break
            out[i, j] = a[i, j]


def changed_rows(a, out):
    for i in prange(a.shape[0]):
        row = out[i]
        for j in range(a.shape[1]):
            row[j] = a[i, j] + 2


@pytest.mark.parametrize(
    ("function", "arguments", "forms"),
    [
        (heat, (matrix(), matrix()), ["grid", "grid"]),
        (scaled_rows, (matrix(), matrix()), ["grid", "grid"]),
        (flat_image, (matrix(1, M * M)[0], matrix(1, M * M)[0], M), ["grid", "grid"]),
        (escape_times, (np.zeros((M, M), "i4"), 50), ["grid", "grid"]),
        (histogram_of_rows, (matrix(), np.zeros(10, "i8")), ["grid", "grid"]),
        (eliminated, (matrix() + 90 * np.eye(M), 3), ["groups", "grid"]),
        (shortened, (matrix(dtype="i8") * (1 - np.eye(M, dtype="i8")), 5), ["groups", "grid"]),
        (two_phases, (matrix(), matrix()), ["groups", "grid", "grid"]),
        (multiples, (np.zeros(5000, "i8"),), ["groups", "grid"]),
        (repeated_smoothing, (matrix(1, 3000)[0], matrix(1, 3000)[0]), ["groups", "grid", "grid"]),
        (filled, (matrix(),), ["grid", "grid"]),
        (edit_distance, (matrix(1, 40, "i8")[0], matrix(1, 61, "i8")[0], np.ones((41, 62), "i8")), ["groups", None]),
        (integral_image, (matrix(), np.zeros((M + 1, M + 1))), ["groups", None]),
        (sweep, (matrix(),), ["groups", "groups", None]),
        (wrapped_table, (matrix(5, 6, "i8"),), ["groups", None]),
        (tables, (matrix(1, 5, "i8")[0], np.zeros((5, 33, 47), "i8")), ["groups", "groups", None]),
        (knapsack, (matrix(1, 30, "i8")[0], matrix(1, 30, "i8")[0], np.zeros((31, 500), "i8")), ["groups", "grid"]),
        (sums_of_rows, (matrix(), np.zeros(M)), [None, None]),
        (last_index, (matrix(), np.zeros(M)), [None, None]),
        (shifted_in_place, (matrix(),), [None, None]),
        (one_element_twice, (matrix(), np.zeros((M, M))), [None, None]),
        (counter_read_later, (matrix(), np.zeros((M, M))), [None, None]),
        (left_early, (matrix(), np.zeros((M, M))), [None, None]),
        (changed_rows, (matrix(), np.zeros((M, M))), [None, "grid"]),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_form(function, arguments, forms):
    assert sorted(map(str, forms_of(function))) == sorted(map(str, forms))
    check(function, *arguments)


def test_outer_loops_have_rows_of_work_items():
    """Two loops that are not parallel, and independent, are shared by rows of work-items."""

    def transposed(a, b):
        for i in range(b.shape[0]):
            x = 2 * i
            for j in range(b.shape[1]):
                b[i, j] = a[j, i] + x

    def diagonals(a, n):
        for i in range(n - 1, -1, -1):
            a[i, i] = 5
            for j in range(i + 1, n):
                a[i, j] = i * j

    host = HostFunction(transposed, {"debug": False, "fastmath": frozenset()})
    (outer,) = (each for each in host._tree.body if isinstance(each, ast.For))
    assert host._shared_tree(outer, None, [])["rows"] == [("b", 0)]
    for m, n in ((1, 1), (3, 50), (50, 3), (130, 257)):
        check(transposed, matrix(m, n), np.zeros((n, m)))
        check(diagonals, matrix(n, n), n)


def extents_of(function):
    host = HostFunction(function, {"debug": False, "fastmath": frozenset()})
    (loop,) = (each for each in host._tree.body if isinstance(each, ast.For))
    return host._shared_tree(loop, host._nest_of(loop), [])["extents"]


def test_numbers_of_work_items_follow_bounds_and_shapes():
    def by_length(x, out):
        for i in prange(x.size):
            for j in range(x.shape[0]):
                out[i, j] = x[i] - x[j]

    def by_rows(out, n):
        for i in prange(out.size // 10):
            for j in range((n + 1) * 2):
                out[i * 10 + j] = i - j

    assert extents_of(by_length) == [("x", 0)]
    assert extents_of(by_rows) == [("out", -3)]
    assert extents_of(flat_image) == [("width", -2)]
    check(by_length, matrix(1, M)[0], matrix())
    check(by_rows, np.zeros(500), 4)


def test_python_executes_outer_loops_of_large_arrays():
    for size, kernels in ((3000, 1), (30000, 2)):
        x, y = matrix(1, size)[0], matrix(1, size)[0]
        ours = dpnp.asarray(x), dpnp.asarray(y)
        function = dpjit(repeated_smoothing)
        as_on_gpus(function, *ours)
        repeated_smoothing(x, y)
        assert (ours[0].asnumpy() == x).all()
        compiled = {each.line for each in function._host.loops if each.line and each.inspect_code()}
        assert len(compiled) == kernels


def relaxed(u, new, steps):
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                new[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, new = new, u
    return u


def test_python_exchanges_arrays():
    assert sorted(map(str, forms_of(relaxed))) == ["Python", "grid", "grid"]
    for size, kernels in ((20, 1), (130, 1)):
        u = matrix(size, size)
        ours = dpnp.asarray(u), dpnp.asarray(u)
        function = dpjit(relaxed)
        result = as_on_gpus(function, *ours, 5)
        np.testing.assert_allclose(result.asnumpy(), relaxed(u.copy(), u.copy(), 5), rtol=1e-12)
        assert len({each.line for each in function._host.loops if each.line and each.inspect_code()}) == kernels


# --- what is found when the loop is called


def as_on_gpus(function, *arguments):
    from dpep import _kernel

    before = _kernel.set_loops_as_on_gpus(True)
    try:
        return function(*arguments)
    finally:
        _kernel.set_loops_as_on_gpus(before)


def shifted(a, out):
    for i in prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            out[i, j] = a[i, j - 1] + 1


@pytest.mark.parametrize("offset", [0, 1, 2])
def test_arrays_that_overlap(offset):
    a = matrix(20, 200)
    wanted = a.copy()
    shifted(wanted[:, : 200 - offset], wanted[:, offset:])
    ours = dpnp.asarray(a)
    as_on_gpus(dpjit(shifted), ours[:, : 200 - offset], ours[:, offset:])
    assert (ours.asnumpy() == wanted).all()


def test_one_array_as_two_arguments():
    a = matrix(20, 200)
    wanted = a.copy()
    shifted(wanted, wanted)
    ours = dpnp.asarray(a)
    as_on_gpus(dpjit(shifted), ours, ours)
    assert (ours.asnumpy() == wanted).all()


def test_elements_that_overlap():
    a = matrix(3, 200)
    memory = np.zeros(300)
    out = np.lib.stride_tricks.as_strided(memory, (3, 200), (800, 0))
    shifted(a, out)
    ours = dpnp.zeros(300)
    as_on_gpus(dpjit(shifted), dpnp.asarray(a), dpnp.lib.stride_tricks.as_strided(ours, (3, 200), (100, 0)))
    assert (ours.asnumpy() == memory).all()


def test_rows_instead_of_elements():
    """`out[i, j]` is a row of a three-dimensional array."""
    a, out = matrix(4, 30), np.zeros((4, 30, 5))
    scaled_rows(a, out)
    ours = dpnp.zeros((4, 30, 5))
    as_on_gpus(dpjit(scaled_rows), dpnp.asarray(a), ours)
    np.testing.assert_allclose(ours.asnumpy(), out)


def by_bounds(x, first, last, step):
    for i in range(first, last, step):
        x[i] = 3 * i + first


@pytest.mark.parametrize(
    "first, last, step", [(-1, 40, 1), (-40, 40, 1), (39, -41, -1), (0, 40, 7), (39, -1, -3), (5, 5, 2)]
)
def test_bounds(first, last, step):
    """Negative indices and others refer to the same elements: the last iteration decides."""
    wanted, ours = np.zeros(40, "i8"), dpnp.zeros(40, "i8")
    by_bounds(wanted, first, last, step)
    as_on_gpus(dpjit(by_bounds), ours, first, last, step)
    assert (ours.asnumpy() == wanted).all()


def test_a_step_of_zero():
    for on_gpus in (as_on_gpus, lambda f, *given: f(*given)):
        with pytest.raises(ValueError, match="must not be zero"):
            on_gpus(dpjit(by_bounds), dpnp.zeros(40, "i8"), 0, 4, 0)


def test_bounds_are_integers():
    def by_a_float(x, n):
        for i in prange(x.shape[0]):
            for j in range(n):
                x[i, j] = 1

    for on_gpus in (as_on_gpus, lambda f, *given: f(*given)):
        with pytest.raises(TypingError, match="range"):
            on_gpus(dpjit(by_a_float), dpnp.zeros((3, 9)), 2.5)


@device_func
def stores_two(x, i):
    x[i] = 2
    return 0


def calls_a_function_that_stores(a, x):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = stores_two(x, i) + math.sqrt(j)


def test_functions_that_store_are_not_shared():
    assert forms_of(calls_a_function_that_stores) == [None, None]
    check(calls_a_function_that_stores, matrix(), np.zeros(M))


# --- random programs


def load(seed, folder):
    path = folder / f"program_{seed}.py"
    path.write_text(random_program(seed))
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.program


def integers(size):
    generator = np.random.default_rng(size)
    return [generator.integers(0, 97, shape) for shape in ((size, size), (size, size), size, size)]


@pytest.mark.parametrize("seed", range(40))
def test_random_program(seed, tmp_path):
    program = load(seed, tmp_path)
    function = dpjit(program)
    for size in (9, 41):
        arrays = integers(size)
        ours = [dpnp.asarray(each) for each in arrays]
        program(*arrays, size, 1, 2)
        as_on_gpus(function, *ours, size, 1, 2)
        for wanted, got in zip(arrays, ours, strict=True):
            assert (wanted == got.asnumpy()).all(), getsource(program)


def test_random_programs_in_random_order(tmp_path):
    """Work-items in random order between barriers: an order in which CPUs do not execute them."""
    shared = 0
    for seed in range(1000, 1400):
        program = load(seed, tmp_path)
        wanted = integers(9)
        program(*wanted, 9, 1, 2)
        for order, lanes in enumerate((2, 3, 5)):
            arrays = integers(9)
            variables = dict(zip("abuv", arrays, strict=True)) | {"m": 9, "p": 1, "q": 2}
            shared += simulate(program, variables, order, lanes)
            for each, other in zip(wanted, arrays, strict=True):
                assert (each == other).all(), getsource(program)
    assert shared > 400


def test_programs_in_random_order():
    for function, arguments in (
        (edit_distance, (matrix(1, 9, "i8")[0] % 3, matrix(1, 7, "i8")[0] % 3, np.ones((10, 8), "i8"))),
        (sweep, (matrix(8, 9),)),
        (knapsack, (matrix(1, 5, "i8")[0], matrix(1, 5, "i8")[0] % 20, np.zeros((6, 50), "i8"))),
        (two_divisions, (np.zeros(30), np.zeros(10))),
        (bound_that_is_stored, (matrix(4, 9, "i8") % 5,)),
        (bounds_that_differ, (np.array([2]), matrix(1, 20, "i8")[0])),
        (rows_with_counts, (matrix(6, 6, "i8"), np.zeros((6, 3), "i8"))),
        (repeated_smoothing, (matrix(1, 20)[0], matrix(1, 20)[0])),
        (transposed_sums, (matrix(7, 5), np.zeros((5, 7)))),
    ):
        for order, lanes in enumerate((2, 3, 5, 16)):
            wanted, ours = ([x.copy() if isinstance(x, np.ndarray) else x for x in arguments] for _ in range(2))
            function(*wanted)
            names = function.__code__.co_varnames[: function.__code__.co_argcount]
            assert simulate(function, dict(zip(names, ours, strict=True)), order, lanes)
            assert all(np.array_equal(x, y) for x, y in zip(wanted, ours, strict=True)), function


# --- results that depend on the order of additions


def counted(x, counts, rows):
    for i in range(x.size):
        k = x[i] % counts.size
        counts[k] += 1
        for j in range(rows.shape[1]):
            rows[k, j] -= i * j


def summed(x, sums):
    for i in range(x.size):
        sums[int(x[i]) % sums.size] += x[i] / 3


def rows_with_sums(a, out):
    for i in prange(a.shape[0]):
        total = 0.5
        most = a[i, 0]
        for j in range(a.shape[1]):
            total += a[i, j]
            most = max(most, a[i, j])
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / total + most


def rows_with_counts(a, out):
    for i in prange(a.shape[0]):
        n = 0
        bits = 0
        product = 1
        for j in range(a.shape[0]):
            if a[i, 0] < a[j, 1]:
                n -= 1
            bits ^= j * i
            product *= 2 if j < 20 else 1
        out[i, 0] = n
        out[i, 1] = bits
        out[i, 2] = product


def test_integers_are_added_in_any_order():
    for size in (10, 5000):
        x, counts, rows = matrix(1, size, "i8")[0], np.zeros(7, "i8"), np.zeros((7, 5), "i8")
        check(counted, x, counts, rows)
    check(rows_with_counts, matrix(300, 300, "i8"), np.zeros((300, 3), "i8"))
    made = HostFunction(counted, {"debug": False, "fastmath": frozenset()})
    (loop,) = (each for each in made._tree.body if isinstance(each, ast.For))
    assert made._shared_tree(loop, None, [])["integers"] == ["counts", "rows"]


def exact(function, *arguments):
    copies = [each.copy() for each in arguments]
    ours = [dpnp.asarray(each) for each in arguments]
    function(*copies)
    as_on_gpus(dpjit(function), *ours)
    assert all((mine.asnumpy() == theirs).all() for mine, theirs in zip(ours, copies, strict=True))


def test_floats_are_added_in_order():
    """They are, to the last bit; also if an array of integers is updated by floats."""
    exact(summed, np.random.default_rng(1).random(4000) * 100, np.zeros(5))
    exact(summed, np.random.default_rng(2).normal(size=4000) * 100, np.zeros(5, "i8"))
    exact(rows_with_sums, np.random.default_rng(3).random((20, 700)), np.zeros((20, 700)))


def test_floats_with_fastmath():
    check(summed, np.random.default_rng(1).random(4000) * 100, np.zeros(5), compiled=dpjit(fastmath=True)(summed))
    a = np.random.default_rng(3).random((20, 700))
    check(rows_with_sums, a, np.zeros((20, 700)), compiled=dpjit(fastmath=True)(rows_with_sums))
    assert forms_of(rows_with_sums) == ["groups", "groups", "grid"]


# --- dependences that are easily overlooked


def two_divisions(a, b):
    for _ in prange(1):
        for j in range(a.size):
            a[j] = j
        for j in range(a.size):
            a[j] *= 2
            if j < b.size:
                b[j] = a[j]


def bound_that_is_stored(a):
    for i in prange(a.shape[0]):
        for j in range(a[i, 0], a.shape[1]):
            a[i, j] = 7


def bound_of_one_vector(u, n):
    for j in range(u[0], n):
        u[j] = 5


def bounds_that_differ(u, a):
    for _ in range(3):
        for j in range(u[0], a.size):
            a[j] = a[j] * 2 + 1
        u[0] += 1
        for j in range(u[0], a.size):
            a[j] += 3


def mixed_updates(x, n):
    for _ in prange(1):
        for j in range(n):
            x[0] += j
            x[0] *= 2
        for j in range(n):
            x[1] |= j
            x[1] &= 3 * j
        for j in range(n):
            x[2 + j % 3] **= j % 3


def size_that_changes(a, b, c, n):
    for j in range(n):
        v = c if j % 2 == 0 else b
        a[j + v.size] = j


def narrow_bounds(s, e, out):
    for i in prange(s.shape[0]):
        for j in range(s[i], e[i]):
            out[i, j] = i + j


def narrow_step(s, out):
    for i in prange(s.shape[0]):
        for j in range(0, out.shape[1], s[i]):
            out[i, j] = i + 1


def flags(a, found, out):
    for i in prange(a.shape[0]):
        if found[0] == 0:
            for j in range(a.shape[1]):
                out[i, j] = a[i, j]
            if a[i, 0] > 1000:
                found[0] = 1


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (two_divisions, (np.zeros(300), np.zeros(10))),
        (bound_that_is_stored, (matrix(9, 500, "i8") % 5,)),
        (bound_of_one_vector, (matrix(1, 900, "i8")[0] % 3, 900)),
        (bounds_that_differ, (np.array([2]), matrix(1, 700, "i8")[0])),
        (mixed_updates, (np.ones(5, "i8"), 40)),
        (size_that_changes, (np.zeros(3000, "i8"), np.zeros(1), np.zeros(0), 2990)),
        (narrow_bounds, (np.array([0, 3, 100], "i1"), np.array([127, 50, 120], "i1"), np.zeros((3, 1000), "i8"))),
        (narrow_bounds, (np.array([0, 30000], "i2"), np.array([127, 32767], "i2"), np.zeros((2, 32767), "i8"))),
        (narrow_step, (np.array([1, 200, 7], "u1"), np.zeros((3, 5000), "i8"))),
        (narrow_step, (np.array([1, 1 << 20, 7], "i4"), np.zeros((3, 5000), "i8"))),
        (flags, (matrix(), np.zeros(1, "i8"), np.zeros((M, M)))),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_overlooked_dependences(function, arguments):
    check(function, *arguments)


def test_work_items_read_one_value_of_what_others_store():
    assert forms_of(flags)[0] is None


@device_func
def in_place(rows):
    for r in rows:
        r += 1
    return 0


@device_func
def in_place_by_a_tuple(rows):
    r, s = rows, rows
    r += 1
    return s.shape[0]


@device_func
def in_place_by_a_method(rows):
    r = rows.T
    r += 1
    return 0


@device_func
def counting(x):
    n = 0
    while x > 1:
        x = x / 2
        n += 1
    return n


def with_in_place(a, rows):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = in_place(rows)


def with_a_tuple(a, rows):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = in_place_by_a_tuple(rows)


def with_a_method(a, rows):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = in_place_by_a_method(rows)


def with_counting(a):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = counting(a[i, j])


def test_functions_that_change_arrays_in_place_are_not_shared():
    for function in (with_in_place, with_a_tuple, with_a_method):
        assert forms_of(function) == [None, None]
    assert forms_of(with_counting) == ["grid", "grid"]
    check(with_counting, matrix())


@pytest.mark.parametrize("first, last", [(2**63 - 1, 40), (-(2**63), -(2**63) + 2), (2**62, 2**62)])
def test_large_bounds(first, last):
    def counted_from(x, first, last):
        for i in range(first, last):
            x[0] += i

    wanted, ours = np.zeros(4, "i8"), dpnp.zeros(4, "i8")
    with np.errstate(all="ignore"):
        counted_from(wanted, first, last)
    as_on_gpus(dpjit(counted_from), ours, first, last)
    assert (ours.asnumpy() == wanted).all()


def sums(x, y):
    total = 1.0
    most = x[0]
    for i in range(x.size):
        t = x[i] - y[i]
        total += t * t
        most = max(most, t)
    count = 0
    for i in range(1, x.size, 3):
        if x[i] > y[i]:
            count += 1
    return total, most, count


def sum_of_squares(a, k):
    s = a[k, k]
    for j in range(k):
        s -= a[k, j] * a[k, j]
    return s


def changed_in_place(a):
    s = 0.0
    for i in range(a.shape[0]):
        row = a[i // 2]
        row += 1
        s += a[i, 0]
    return s


def test_sums_of_sequential_loops():
    """With fastmath, GPUs add up in parallel; without, in order."""
    for size in (1, 5, 3000):
        x, y = np.random.default_rng(size).random((2, size))
        check(sums, x, y, compiled=dpjit(fastmath=True)(sums))
        copies = dpnp.asarray(x), dpnp.asarray(y)
        assert as_on_gpus(dpjit(sums), *copies)[0] == pytest.approx(sums(x, y)[0], rel=1e-15)
    check(sum_of_squares, matrix(), 60, compiled=dpjit(fastmath=True)(sum_of_squares))
    check(changed_in_place, matrix(40, 6), compiled=dpjit(fastmath=True)(changed_in_place))


def test_sequential_sums_run_in_parallel():
    function = dpjit(fastmath=True)(sum_of_squares)
    as_on_gpus(function, dpnp.asarray(matrix()), 60)
    made = [each for each in function._host.loops if each.inspect_code()]
    assert len(made) == 1 and made[0].is_parallel
    function(dpnp.asarray(matrix()), 60)
    assert sum(bool(each.inspect_code()) for each in function._host.loops) == 2
