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
from shared_loops import M, as_on_gpus, form_of, forms_of, matrix
from test_dpjit import check
from test_dpjit_shared_dependences import bound_that_is_stored, bounds_that_differ, two_divisions
from test_dpjit_shared_sums import rows_with_counts

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
    assert form_of(host, outer, None)["rows"] == [("b", 0)]
    for m, n in ((1, 1), (3, 50), (50, 3), (130, 257)):
        check(transposed, matrix(m, n), np.zeros((n, m)))
        check(diagonals, matrix(n, n), n)


def extents_of(function):
    host = HostFunction(function, {"debug": False, "fastmath": frozenset()})
    (loop,) = (each for each in host._tree.body if isinstance(each, ast.For))
    return form_of(host, loop, host._nest_of(loop))["extents"]


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
