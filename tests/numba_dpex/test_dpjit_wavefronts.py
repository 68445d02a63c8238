"""Nested loops whose iterations depend on those above and to the left, as GPUs execute them, compared with Python."""

from __future__ import annotations

import ast
import importlib.util
import random
from inspect import getsource

import dpnp
import numpy as np
import pytest
import wavefront_programs as programs
from numba_dpex import dpjit
from numba_dpex.core.dpjit import strips
from numba_dpex.core.dpjit.rewrite import HostFunction
from shared_loop_simulation import simulate
from shared_loops import as_on_gpus, form_of
from wavefront_programs import PROGRAMS

# Of rows and columns. Strips have as many rows as there are work-items, or blocks of columns, or 32 in these tests.
SIZES = [(1, 1), (1, 9), (9, 1), (4, 5), (33, 31), (100, 20), (70, 150)]


@pytest.fixture(params=["iterations", "blocks"])
def steps(request, monkeypatch):
    """Steps have one iteration of a work-item, or blocks of several wherever that is possible."""
    monkeypatch.setattr(strips, "_MANY", 1 << 60 if request.param == "iterations" else 0)
    monkeypatch.setattr(strips, "_LONG", 0)
    monkeypatch.setattr(strips, "_LEAST_WIDTH", 32)
    return request.param


def arguments(rows, columns, dtype="i8"):
    generator = np.random.default_rng(1000 * rows + columns)
    table = generator.integers(0, 40, (rows + 1, columns + 1)).astype(dtype)
    return generator.integers(0, 5, rows).astype(dtype), generator.integers(0, 5, columns).astype(dtype), table


def check(function, *given):
    """Compare with Python, and with the form for CPUs where Python is slow."""
    wanted, ours = ([x.copy() if isinstance(x, np.ndarray) else x for x in given] for _ in range(2))
    function(*wanted)
    on_device = [dpnp.asarray(x) if isinstance(x, np.ndarray) else x for x in ours]
    compiled = dpjit(function)
    as_on_gpus(compiled, *on_device)
    assert not any(loop.refusal for loop in compiled._host.loops)
    for x, y in zip(wanted, on_device, strict=True):
        if isinstance(x, np.ndarray):
            np.testing.assert_array_equal(dpnp.asnumpy(y), x)


def elements_of_local_arrays(function) -> list[int]:
    """The sizes of the arrays in local memory of a function's first loop, if elements have 8 bytes."""
    host = HostFunction(function, {"debug": False, "fastmath": frozenset()})
    loop = next(each for each in host._tree.body if isinstance(each, ast.For))
    form = form_of(host, loop, host._nest_of(loop) if host.is_parallel(loop) else None)
    calls = (each for each in ast.walk(form["tree"][0]) if isinstance(each, ast.Call)) if form else ()
    return [each.args[1].left.value for each in calls if isinstance(each.func, ast.Name) and each.func.id == "#local"]


@pytest.mark.parametrize(
    ("function", "number"),
    [
        (programs.edit_distance, 1),
        (programs.longest_common_subsequence, 1),
        (programs.cheapest_path_in_place, 1),
        (programs.stored_twice, 1),
        (programs.above_to_the_right, 1),
        (programs.sweep, 1),
        (programs.two_rows_above, 1),
        (programs.two_tables, 1),
        (programs.two_tables_several_times, 2),
        (programs.three_parts_several_times, 2),
        (programs.affine_gaps, 3),
        (programs.affine_gaps_and_variables, 2),
        (programs.steps_of_alignment, 3),
        (programs.batch, 1),
        (programs.maximum_above_by_a_condition, 0),
        (programs.some_elements_are_stored, 0),
        (programs.with_continue, 0),
        (programs.carried_without_a_table, 0),
    ],
)
def test_arrays_of_which_elements_are_kept(function, number):
    sizes = elements_of_local_arrays(function)
    assert len(sizes) == number
    assert sum(sizes) * 8 <= 48 << 10


@pytest.mark.parametrize("function", PROGRAMS)
def test_agrees_with_python(function, steps):
    for rows, columns in SIZES:
        check(function, *arguments(rows, columns))


@pytest.mark.parametrize("function", PROGRAMS)
def test_work_items_in_random_order(function, steps):
    for seed, (lanes, rows, columns) in enumerate([(2, 7, 9), (5, 13, 30), (8, 30, 13), (16, 20, 60), (40, 50, 40)]):
        wanted, ours = (dict(zip("abt", arguments(rows, columns), strict=True)) for _ in range(2))
        function(**wanted)
        if function is not programs.maximum_above_by_a_condition:  # which is not only loops
            assert simulate(function, ours, seed, lanes)
            np.testing.assert_array_equal(ours["t"], wanted["t"])


def test_full_strips():
    """Tables with as many rows as a group has work-items, with more, and with more than local memory has."""

    def ways(t):
        for i in range(1, t.shape[0]):
            for j in range(1, t.shape[1]):
                t[i, j] = (t[i - 1, j] + t[i, j - 1] + t[i - 1, j - 1]) & 1023

    for rows, columns in [(1023, 40), (1024, 1030), (1025, 9), (2050, 70), (1600, 3500), (3, 6000)]:
        table = np.ones((rows + 1, columns + 1), "i8")
        ours = dpnp.asarray(table)
        as_on_gpus(dpjit(ways), ours)
        wanted = table[0]
        for i in range(1, rows + 1):  # the prefix sums of a row's terms
            wanted = np.cumsum(np.concatenate([[1], wanted[1:] + wanted[:-1]])) & 1023
            np.testing.assert_array_equal(dpnp.asnumpy(ours[i]), wanted)


def test_two_variables_along_a_row():
    def carried(a, t):
        for i in range(1, t.shape[0]):
            x, y = 0, a[i]
            for j in range(1, t.shape[1]):
                x, y = y, x + a[j] % 3
                t[i, j] = t[i - 1, j] % 7 + t[i, j - 1] % 5 + x

    check(carried, np.arange(60), np.ones((50, 60), "i8"))


def test_a_counter_of_the_row_before():
    def last_column(a, t):
        j = 3
        for i in range(1, t.shape[0]):
            x = j
            for j in range(1, t.shape[1]):
                t[i, j] = t[i - 1, j] % 7 + t[i, j - 1] % 5 + x

    check(last_column, np.arange(60), np.ones((50, 60), "i8"))


# --- types of elements


def scaled(a, b, t):
    """Values are converted to the type of the table."""
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = t[i - 1, j] * 0.5 + t[i, j - 1] * 0.25 + (t[i - 1, j - 1] > 3) * 1.75 + a[i - 1] * 0.375


def any_of_three(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = (t[i - 1, j] and a[i - 1] == b[j - 1]) or (t[i, j - 1] and not t[i - 1, j - 1])


def numbers_as_truth_values(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = a[i - 1] * t[i - 1, j] + b[j - 1] * (1 - t[i, j - 1])


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "u4", "i8", "f4", "f8"])
def test_values_are_converted(dtype, steps):
    for rows, columns in [(40, 70), (70, 40)]:
        a, b, table = arguments(rows, columns)
        check(scaled, a, b, table.astype(dtype))


def test_truth_values(steps):
    for function in (any_of_three, numbers_as_truth_values):
        for rows, columns in [(40, 70), (70, 40)]:
            a, b, table = arguments(rows, columns)
            check(function, a, b, table % 2 == 1)


def test_complex_numbers(steps):
    def rotated(t):
        for i in range(1, t.shape[0]):
            for j in range(1, t.shape[1]):
                t[i, j] = 0.5 * t[i - 1, j] + 0.5j * t[i, j - 1] - 0.25 * t[i - 1, j - 1]

    for rows, columns in [(40, 70), (1030, 5)]:
        table = arguments(rows, columns)[2] * (1 + 2j)
        ours = dpnp.asarray(table)
        as_on_gpus(dpjit(rotated), ours)
        rotated(table)
        np.testing.assert_allclose(dpnp.asnumpy(ours), table, rtol=1e-12)


def test_not_a_number(steps):
    def smoothed(t):
        for i in range(1, t.shape[0]):
            for j in range(1, t.shape[1]):
                t[i, j] = 0.5 * t[i - 1, j] + 0.25 * t[i, j - 1] if t[i - 1, j - 1] > 0 else t[i, j - 1] - 1

    table = arguments(60, 50, "f8")[2]
    table[0, 20] = table[40, 0] = np.nan
    table[7, 0] = np.inf
    check(smoothed, table)


# --- other arguments


def test_several_tables(steps):
    for function in (programs.affine_gaps, programs.affine_gaps_and_variables, programs.steps_of_alignment):
        for rows, columns in SIZES:
            a, b, _ = arguments(rows, columns)
            check(function, a, b, *(np.zeros((rows + 1, columns + 1), "i8") for _ in range(3)))


def test_several_tables_in_random_order(steps):
    for function in (programs.affine_gaps, programs.affine_gaps_and_variables, programs.steps_of_alignment):
        names = function.__code__.co_varnames[:5]
        for seed, (lanes, rows, columns) in enumerate([(5, 13, 30), (8, 30, 13), (16, 20, 60)]):
            a, b, _ = arguments(rows, columns)
            given = [a, b, *(np.zeros((rows + 1, columns + 1), "i8") for _ in range(3))]
            wanted, ours = (dict(zip(names, [x.copy() for x in given], strict=True)) for _ in range(2))
            function(**wanted)
            assert simulate(function, ours, seed, lanes)
            for each in names:
                np.testing.assert_array_equal(ours[each], wanted[each])


@pytest.mark.parametrize("number", [1, 3, 40])
def test_batch(number, steps):
    for rows, columns in [(9, 7), (40, 33), (20, 100)]:
        a, b, _ = arguments(rows, columns)
        check(programs.batch, a, b, np.ones((number, rows + 1, columns + 1), "i8"))


@pytest.mark.parametrize(
    "bounds",
    [
        *[(1, 60, 1, 70), (0, 60, 1, 70), (1, 60, 0, 70), (5, 5, 1, 9), (5, 3, 1, 9), (5, 9, 3, 3), (7, 60, 20, 21)],
        *[(-3, 20, 1, 70), (1, 60, -5, 30), (59, 60, 1, 70)],
    ],
)
def test_bounds(bounds, steps):
    check(programs.between, np.arange(3), arguments(60, 70)[2], *bounds)


@pytest.mark.parametrize("view", [np.s_[::-1, ::2], np.s_[::2, ::-1], np.s_[:, 3:60]])
def test_views(view, steps):
    base = arguments(90, 119)[2]
    wanted, ours = base.copy(), dpnp.asarray(base)
    a, b, _ = arguments(90, 119)
    rows, columns = wanted[view].shape
    programs.edit_distance(a[: rows - 1], b[: columns - 1], wanted[view])
    as_on_gpus(dpjit(programs.edit_distance), dpnp.asarray(a[: rows - 1]), dpnp.asarray(b[: columns - 1]), ours[view])
    np.testing.assert_array_equal(dpnp.asnumpy(ours), wanted)


def test_transposed_table(steps):
    a, b, table = arguments(50, 50)
    wanted, ours = table.copy(), dpnp.asarray(table)
    programs.edit_distance(a, b, wanted.T)
    as_on_gpus(dpjit(programs.edit_distance), dpnp.asarray(a), dpnp.asarray(b), ours.T)
    np.testing.assert_array_equal(dpnp.asnumpy(ours), wanted)


def test_tables_that_overlap(steps):
    """One is stored, and another view of its memory is read."""
    base = arguments(70, 90)[2]
    compiled = dpjit(programs.two_arrays)
    for first, second in [(np.s_[:50, :60], np.s_[3:53, 5:65]), (np.s_[2:50, 1:], np.s_[:48, :-1])]:
        wanted, ours = base.copy(), dpnp.asarray(base)
        programs.two_arrays(wanted[first], wanted[second])
        as_on_gpus(compiled, ours[first], ours[second])
        np.testing.assert_array_equal(dpnp.asnumpy(ours), wanted)


# --- random programs


def random_program(seed: int) -> str:
    """A function of two nested loops that store to tables, which they read at random distances."""
    choose = random.Random(seed)
    tables = ["t", "u"][: choose.choice([1, 1, 2])]
    stores = {each: (choose.randint(0, 2), choose.randint(0, 2)) for each in tables}
    loads = []
    for each in tables:
        down, right = stores[each]
        for _ in range(choose.randint(1, 4)):
            d = choose.choice([0, 0, 1, 1, 1, 2])
            r = choose.randint(1, 3) if d == 0 else choose.choice([-1, 0, 0, 1, 1, 2])
            if choose.random() < 0.1:
                d, r = -d, -r  # before it is stored
            loads.append(f"{each}[i + {down - d + 2}, j + {right - r + 3}]".replace("+ -", "- "))
    index = {each: f"[i + {down + 2}, j + {right + 3}]" for each, (down, right) in stores.items()}
    value = " + ".join(loads)
    lines = ["def program(a, b, t, u):", "    for i in range(a.size):"]
    carries = choose.random() < 0.3
    lines += ["        x = a[i]"] if carries else []
    lines += ["        for j in range(b.size):"]
    lines += ["            x = (x * 3 + b[j]) % 11"] if carries else []
    if choose.random() < 0.4:
        lines += [f"            if (a[i] + b[j]) % {choose.randint(2, 3)} == 0:"]
        for each in tables:
            lines.append(f"                {each}{index[each]} = {choose.choice(loads)} % 7 + b[j]")
        lines.append("            else:")
        lines += [f"                {each}{index[each]} = ({value}) % 101" for each in tables]
    else:
        lines += [f"            {each}{index[each]} = ({value} + {'x' if carries else 'a[i]'}) % 97" for each in tables]
    if choose.random() < 0.3:
        lines.append(f"            {tables[0]}{index[tables[0]]} += b[j]")
    return "\n".join(lines) + "\n"


def load(seed, folder):
    path = folder / f"program_{seed}.py"
    path.write_text(random_program(seed))
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.program


def random_arguments(rows, columns):
    generator = np.random.default_rng(1000 * rows + columns)
    tables = (generator.integers(0, 40, (rows + 7, columns + 10)) for _ in range(2))
    return [generator.integers(0, 5, rows), generator.integers(0, 5, columns), *tables]


@pytest.mark.parametrize("seed", range(20))
def test_random_program(seed, steps, tmp_path):
    program = load(seed, tmp_path)
    for rows, columns in [(7, 3), (40, 75), (75, 40)]:
        check(program, *random_arguments(rows, columns))


def test_random_programs_in_random_order(steps, tmp_path):
    kept = 0
    for seed in range(100, 180):
        program = load(seed, tmp_path)
        simulate_all(program, seed)
        kept += len(elements_of_local_arrays(program)) > 0
    assert kept > 40


def simulate_all(program, seed) -> None:
    for lanes, rows, columns in [(8, 11, 19), (16, 21, 9)]:
        wanted, ours = (dict(zip("abtu", random_arguments(rows, columns), strict=True)) for _ in range(2))
        program(**wanted)
        assert simulate(program, ours, seed, lanes)
        for each in "tu":
            assert np.array_equal(ours[each], wanted[each]), getsource(program)
