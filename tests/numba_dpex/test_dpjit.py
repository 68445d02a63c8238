"""dpjit: constructs of the language, compared with the same functions in Python on NumPy's arrays."""

from __future__ import annotations

import math
import types
import warnings

import dpctl
import dpctl.tensor as dpt
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from dpep import _kernel
from numba_dpex import Range, call_kernel, dpjit, prange
from numba_dpex.core.dpjit import rewrite
from numba_dpex.core.exceptions import ExecutionQueueInferenceError, NumbaDpexPerformanceWarning

SIZES = [0, 1, 7, 300, 100_003]


def in_numpy(function):
    """The function with NumPy in place of dpnp."""
    made = types.FunctionType(
        function.__code__,
        {**function.__globals__, "dpnp": np},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def to_device(x):
    return dpnp.asarray(x) if isinstance(x, np.ndarray) else x


def to_host(x):
    if isinstance(x, tuple):
        return tuple(map(to_host, x))
    return dpnp.asnumpy(x) if isinstance(x, dpnp.ndarray | dpt.usm_ndarray) else x


def check(function, *given, rtol=1e-9, compiled=None, warns=False):
    """Compare results and changed arguments of the dpjit function with those of the Python function.

    `warns`: Python executes one of its parallel loops.
    """
    for as_on_gpus in (False, True):
        before = _kernel.set_loops_as_on_gpus(as_on_gpus)
        try:
            _check(function, compiled or dpjit(function), given, rtol, warns)
        finally:
            _kernel.set_loops_as_on_gpus(before)


def _check(function, compiled, given, rtol, warns):
    copies = [each.copy() if isinstance(each, np.ndarray) else each for each in given]
    ours = [to_device(each) for each in given]
    with np.errstate(all="ignore"):
        wanted = in_numpy(function)(*copies)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if warns else "error", NumbaDpexPerformanceWarning)
        result = compiled(*ours)
    assert_same(to_host(result), wanted, rtol)
    for mine, theirs in zip(ours, copies, strict=True):
        assert_same(to_host(mine), theirs, rtol)


def assert_same(mine, wanted, rtol):
    if isinstance(wanted, tuple):
        assert isinstance(mine, tuple) and len(mine) == len(wanted)
        for each, other in zip(mine, wanted, strict=True):
            assert_same(each, other, rtol)
    elif wanted is None:
        assert mine is None
    else:
        if isinstance(wanted, np.ndarray):
            assert mine.dtype == wanted.dtype
        np.testing.assert_allclose(mine, wanted, rtol=rtol, atol=1e-9 if rtol < 1e-7 else 0.1 * rtol)


def values(size, dtype="f8"):
    random = np.random.default_rng(size + 5)
    if np.dtype(dtype).kind in "iu":
        return random.integers(1, 100, size).astype(dtype)
    x = random.normal(size=size)
    return (x + 1j * random.normal(size=size) if np.dtype(dtype).kind == "c" else x).astype(dtype)


# --- parallel loops


def scale(x, y, factor):
    for i in prange(x.size):
        y[i] = factor * x[i] + 1


@pytest.mark.parametrize("dtype", ["i1", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("size", SIZES)
def test_parallel_loops(size, dtype):
    check(scale, values(size, dtype), np.zeros(size, dtype), 3, rtol=1e-2 if dtype == "f2" else 1e-5)


def steps(y, start, stop, step):
    for i in prange(start, stop, step):
        y[i] = i + 1


@pytest.mark.parametrize(
    "bounds", [(0, 10, 1), (2, 10, 3), (9, -1, -1), (9, 0, -4), (5, 5, 1), (5, 2, 1), (0, 3, -1), (-3, 3, 2)]
)
def test_bounds_of_parallel_loops(bounds):
    check(steps, np.zeros(10, "i8"), *bounds)


def grid(x, y, z):
    for i in prange(x.shape[0]):
        for j in prange(1, x.shape[1]):
            for k in prange(0, x.shape[2], 2):
                y[i, j, k] = 2 * x[i, j, k] + i * 100 + j * 10 + k
    for i in prange(x.shape[0]):
        base = 10 * i
        for j in prange(x.shape[1]):
            z[i, j] = base + j


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 7), (20, 33, 40), (0, 4, 4)])
def test_nested_parallel_loops(shape):
    check(grid, values(math.prod(shape)).reshape(shape), np.zeros(shape), np.zeros(shape[:2]))


def triangle(y):
    for i in prange(y.shape[0]):
        for j in prange(i, y.shape[1]):
            y[i, j] = i + j


def test_bounds_that_depend_on_the_outer_loop():
    check(triangle, np.zeros((40, 50)))


def leaves_iterations(x, y):
    for i in prange(x.size):
        if x[i] < 0:
            continue
        for j in range(10):
            if j > x[i]:
                break
            if j == 1:
                continue
            y[i] += j + 1


@pytest.mark.parametrize("size", SIZES)
def test_continue_and_break(size):
    check(leaves_iterations, values(size), np.zeros(size))


def histogram(x, counts, weights):
    for i in prange(x.size):
        b = int(abs(x[i]) * 3) % counts.size
        counts[b] += 1
        weights[b, 0] -= x[i]


@pytest.mark.parametrize("size", SIZES)
def test_iterations_that_change_the_same_element(size):
    check(histogram, values(size), np.zeros(8, "i8"), np.zeros((8, 2)))


def gathers_and_adds(labels, sums):
    for i in prange(labels.size):
        sums[labels[i]] += i
        sums[i // 1000] += 1


def test_an_index_that_reads_an_array_belongs_to_no_iteration():
    check(gathers_and_adds, np.arange(50_000) % 7, np.zeros(60, "i8"))


# --- reductions


def all_reductions(x, first):
    total = first
    product = 1.0
    least = x[0]
    most = x[0]
    smaller = x[0]
    larger = x[0]
    for i in prange(x.size):
        total += 2 * x[i]
        total -= x[i]
        product *= 1 + x[i] / 10000000
        least = min(least, x[i])
        most = max(x[i], most)
        if x[i] < smaller:
            smaller = x[i]
        if larger <= x[i]:
            larger = x[i]
    return total, product, least, most, smaller, larger


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1"])
@pytest.mark.parametrize("size", SIZES[1:])
def test_reductions_of_numbers(size, dtype):
    x = values(size, dtype)
    mine = dpjit(all_reductions)(dpnp.asarray(x), 0.5)
    wide = x.astype("f8")
    wanted = 0.5 + wide.sum(), np.prod(1 + wide / 10000000), x.min(), x.max(), x.min(), x.max()
    np.testing.assert_allclose(mine, wanted, rtol=1e-3 if dtype == "f4" else 1e-9)
    assert all(isinstance(each, int | float) for each in mine)


def bit_reductions(x):
    everything = -1
    anything = 0
    parity = 0
    for i in prange(x.size):
        everything &= x[i]
        anything |= x[i]
        parity = parity ^ x[i]
    return everything, anything, parity


def truth_reductions(x):
    every = True
    some = False
    count = 0
    for i in prange(x.size):
        every = every and x[i] > 1
        some = some or x[i] > 98
        count += x[i] > 50
    return every, some, count


@pytest.mark.parametrize("function", [bit_reductions, truth_reductions])
@pytest.mark.parametrize("size", SIZES)
def test_reductions_of_bits_and_truths(size, function):
    check(function, values(size, "i8"))


def complex_reductions(z):
    total = 0j
    product = 1 + 0j
    for i in prange(z.size):
        total += z[i]
        product *= z[i] / abs(z[i])
    return total, product


@pytest.mark.parametrize("size", SIZES)
def test_reductions_of_complex_numbers(size):
    check(complex_reductions, values(size, "c16"), rtol=1e-8)


def sum_in_parts(x):
    s = 0.0
    for i in prange(x.shape[0]):
        t = 0.0
        for j in range(x.shape[1]):
            t += x[i, j]
            s += x[i, j] * 0.5
        s = s + t + 1
    return s


def test_reductions_in_inner_loops():
    check(sum_in_parts, values(999 * 13).reshape(999, 13))


def test_reductions_do_not_depend_on_threads():
    x = dpnp.asarray(values(100_003, "f4"))
    total = dpjit(sum_of)
    assert len({total(x) for _ in range(20)}) == 1


def repeated_sums(x, rounds):
    s = x.dtype.type(0)
    for _ in range(rounds):
        for i in prange(x.size):
            s += x[i]
    return s


def test_repeated_reductions_give_the_same_in_every_call():
    x = dpnp.asarray(values(400_003, "f4"))
    sums = dpjit(repeated_sums)
    assert len({sums(x, 3) for _ in range(8)}) == 1


def sum_of(x):
    s = x.dtype.type(0)
    for i in prange(x.size):
        s += x[i]
    return s


# --- sequential code


def first_above(x, limit):
    for i in range(x.size):
        if x[i] > limit:
            return i, x[i]
    else:
        i = -2
    return i, 0.0


def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a


def last_values(x):
    for i in range(x.size):
        y = x[i] * 2
        if y > 0:
            z = y
    return i, y, z


def prefix_sums(x, y):
    s = 0.0
    for i in range(x.size):
        s += x[i]
        y[i] = s
    return s / x.size if x.size else -1.0


def counts_down(n):
    steps = []
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        if n == 16:
            steps.append(n)
    return len(steps)


def tuples(x):
    rows, columns = x.shape
    best = (0, 0)
    for i in range(rows):
        for j in range(columns):
            if x[i, j] > x[best[0], best[1]]:
                best = (i, j)
    return best


def enumerates(x):
    s = 0.0
    for i, each in enumerate(x):
        s += i * each
    for each in x:
        s -= each
    for a, b in ((1, 2), (3, 4)):
        s += a * b
    return s


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (first_above, (values(100), 1.5)),
        (first_above, (values(100), 99.0)),
        (fibonacci, (50,)),
        (last_values, (values(30),)),
        (prefix_sums, (values(1000), np.zeros(1000))),
        (prefix_sums, (values(0), np.zeros(0))),
        (tuples, (values(60).reshape(6, 10),)),
        (enumerates, (values(50),)),
    ],
)
def test_sequential_loops(function, given):
    check(function, *given)


def test_a_loop_over_objects_is_executed_by_python():
    with pytest.warns(NumbaDpexPerformanceWarning, match="Python executes this loop"):
        assert dpjit(counts_down)(27) == counts_down(27)


def sorted_rows(x):
    for i in prange(x.shape[0]):
        x[i] = dpnp.sort(x[i])


def test_the_warning_of_a_loop_is_shown_once():
    compiled = dpjit(sorted_rows)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        for _ in range(3):
            compiled(dpnp.ones((2, 3)))
    assert [each.category for each in found] == [NumbaDpexPerformanceWarning]


def unassigned(x):
    for i in range(x.size):
        if x[i] > 1e9:
            found = i
    return found


def repeated(x, rounds):
    total = 0.0
    for _ in range(rounds):
        y = dpnp.sqrt(dpnp.abs(x))
        for i in range(x.size):
            value = y[i] - 1
            total += value
        x = x + value
    return total, x


def swaps(u, v, rounds):
    for _ in range(rounds):
        for i in prange(1, u.size - 1):
            v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3
        u, v = v, u
    return u


def test_loops_of_array_operations_contain_compiled_loops():
    check(repeated, values(40), 5)
    check(swaps, values(400), np.zeros(400), 7)


# --- arrays


def array_code(a, b):
    c = a + 2 * b
    c[1:3] = 7
    c *= 2
    d = dpnp.sum(dpnp.square(c), axis=1)
    e = dpnp.dot(c, c.T)
    return c, d.reshape(2, -1), e, dpnp.where(a > b, a, b), a.shape, dpnp.max(a) - dpnp.min(b)


def test_array_expressions():
    check(array_code, values(24).reshape(4, 6), values(24)[::-1].reshape(4, 6).copy())


def elements(x):
    first = x[0, 0]
    last = x[-1, -1] if x.size else 0.0
    x[0, 1] = first + last
    x[1, 1] += 2
    return math.sqrt(abs(first)) + dpnp.sqrt(abs(last)) + dpnp.maximum(first, 2.0), x[0].size


def test_elements_are_numbers():
    check(elements, values(12).reshape(3, 4))
    first = dpjit(lambda_like)(dpnp.asarray(np.array([1.5, 2], "f4")))
    assert type(first) is float and first == 1.5


def lambda_like(x):
    return x[0]


def strides(x):
    return x.strides, x.T.strides


def test_strides_are_in_bytes():
    assert dpjit(strides)(dpnp.zeros((4, 16), "f4")) == ((64, 4), (4, 64))


def rows(a, b, c):
    for i in prange(a.shape[0]):
        c[i, :] = a[i, :] + b[i]


def test_whole_rows_in_a_parallel_loop():
    check(rows, values(30).reshape(5, 6), values(30).reshape(5, 6), np.zeros((5, 6)))


@pytest.mark.parametrize("package", [dpnp, dpt])
def test_arrays_of_both_packages(package):
    x = package.arange(10, dtype="f4")
    y = package.zeros(10, dtype="f4")
    dpjit(scale)(x, y, 2)
    np.testing.assert_array_equal(package.asnumpy(y), np.arange(10) * 2 + 1)
    assert dpjit(identity)(x) is x


def identity(x):
    return x


def test_strided_arrays():
    x = dpnp.asarray(values(60).reshape(6, 10))
    y = dpnp.zeros(6)
    dpjit(scale)(x[:, 3], y[::-1], 1)
    np.testing.assert_allclose(y.asnumpy()[::-1], x.asnumpy()[:, 3] + 1)


# --- functions and names

SCALE = 3
TABLE = dpnp.asarray([1.0, 10.0, 100.0])


@dpjit
def cube(x):
    return x * x * x


@ndx.device_func
def square(x):
    return x * x


@ndx.kernel
def add_kernel(item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] + b[i]


@dpjit
def calls_functions(x, y, offset=2, *, power=1):
    for i in prange(x.size):
        y[i] = SCALE * cube(x[i]) + square(x[i]) + TABLE[i % 3] * offset**power
    return cube(offset) + square(2)


def test_functions_globals_and_defaults():
    x = values(30)
    for more in ((), (5,)):
        for keywords in ({}, {"power": 2}):
            y = dpnp.zeros(30)
            assert calls_functions(dpnp.asarray(x), y, *more, **keywords) == (more or (2,))[0] ** 3 + 4
            offset = (more or (2,))[0] ** keywords.get("power", 1)
            wanted = 3 * x**3 + x**2 + np.array([1.0, 10, 100])[np.arange(30) % 3] * offset
            np.testing.assert_allclose(y.asnumpy(), wanted)


def test_closures():
    factor = 4
    shift = dpnp.asarray([0.5])

    @dpjit
    def moved(x, y):
        for i in prange(x.size):
            y[i] = factor * x[i] + shift[0]

    x, y = dpnp.arange(5.0), dpnp.zeros(5)
    moved(x, y)
    np.testing.assert_array_equal(y.asnumpy(), 4 * np.arange(5) + 0.5)


@dpjit
def launches(a, b, c, rounds):
    for _ in range(rounds):
        call_kernel(add_kernel, Range(a.size), a, b, c)
        a, c = c, a
    return a


def test_launches_of_kernels():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = launches(dpnp.ones(4), dpnp.ones(4), dpnp.zeros(4), 3)
    np.testing.assert_array_equal(result.asnumpy(), 4)


def test_methods_and_attributes():
    class Model:
        def __init__(self, factor):
            self.factor = factor

        @dpjit
        def apply(self, x):
            return self.factor * x

    np.testing.assert_array_equal(Model(3).apply(dpnp.arange(3)).asnumpy(), [0, 3, 6])
    assert cube.__name__ == "cube" and cube.py_func(2) == 8 and cube(3) == 27
    assert isinstance(cube.inspect_llvm(), list)
    calls_functions(dpnp.zeros(3), dpnp.zeros(3))
    assert any("define" in text for text in calls_functions.inspect_llvm())


def test_options():
    assert dpjit(parallel=True, nopython=True, fastmath={"reassoc"})(sum_of)(dpnp.ones(1000)) == 1000
    with pytest.raises(NotImplementedError, match="forceobj"):
        dpjit(forceobj=True)
    with pytest.raises(TypeError, match="unknown options colour"):
        dpjit(colour=True)
    with pytest.raises(TypeError, match="expected a function"):
        dpjit(3)


def test_prange_elsewhere_is_range():
    assert list(prange(2, 8, 3)) == [2, 5]


def test_debug():
    x, y = dpnp.arange(5.0), dpnp.zeros(5)
    dpjit(debug=True)(scale)(x, y, 2)
    np.testing.assert_array_equal(y.asnumpy(), 2 * np.arange(5) + 1)


def test_queues():
    x = dpnp.ones(4, sycl_queue=dpctl.SyclQueue())
    y = dpnp.ones(4, sycl_queue=dpctl.SyclQueue())
    with pytest.raises(ExecutionQueueInferenceError):
        dpjit(scale)(x, y, 2)
    with pytest.raises(ExecutionQueueInferenceError):
        dpjit(prefix_sums)(x, y)
    result = dpjit(scale_new)(x)
    assert result.sycl_queue == x.sycl_queue


def scale_new(x):
    y = dpnp.empty_like(x)
    for i in prange(x.size):
        y[i] = 2 * x[i]
    return y


# --- the form of reductions on GPUs


@pytest.fixture
def as_on_gpus(monkeypatch):
    """Parallel loops as work-groups, which GPUs use."""
    trees = rewrite.HostFunction._trees

    def without_chunks(self, *arguments):
        found = trees(self, *arguments)
        found.pop("chunks", None)
        return found

    monkeypatch.setattr(rewrite.HostFunction, "_trees", without_chunks)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1", "i8"])
@pytest.mark.parametrize("size", [1, 255, 5000, 300_001])
def test_reductions_by_work_groups(as_on_gpus, size, dtype):
    x = values(size, dtype)
    mine = dpjit(all_reductions)(dpnp.asarray(x), 0.5)
    wide = x.astype("f8")
    wanted = 0.5 + wide.sum(), np.prod(1 + wide / 10000000), x.min(), x.max(), x.min(), x.max()
    np.testing.assert_allclose(mine, wanted, rtol=1e-3 if dtype == "f4" else 1e-9, atol=0.1 if dtype == "f4" else 1e-9)


@pytest.mark.parametrize("function", [bit_reductions, truth_reductions])
@pytest.mark.parametrize("size", [1, 5000, 300_001])
def test_bits_and_truths_by_work_groups(as_on_gpus, size, function):
    check(function, values(size, "i8"))


def test_complex_numbers_by_work_groups(as_on_gpus):
    check(complex_reductions, values(70_001, "c16"), rtol=1e-8)
    check(sum_in_parts, values(999 * 13).reshape(999, 13))


@dpjit
def fibonacci_by_recursion(n):
    return n if n < 2 else fibonacci_by_recursion(n - 1) + fibonacci_by_recursion(n - 2)


def test_a_function_that_names_itself():
    assert fibonacci_by_recursion(10) == 55
    with pytest.raises(TypeError, match=r"fibonacci_by_recursion.. missing"):
        fibonacci_by_recursion()
