"""`vectorize`: element functions made from Python functions, compared with numpy.vectorize of the same functions."""

from __future__ import annotations

import math
import os
import pathlib
import subprocess
import sys
import textwrap
from typing import NamedTuple

import dpctl.tensor as dpt
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import float32, float64, int32, int64
from numba_dpex.core.exceptions import TypingError, UnsupportedError, UnsupportedKernelArgumentError


@ndx.device_func
def logistic(x):
    return 1 / (1 + math.exp(-x))


def polynomial(x, y):
    return 3 * x * x - 2 * x * y + y - 1


def branches(x, y):
    if x > y:
        return x - y
    elif x == y:
        return 2 * x
    return y - x / 2


def collatz(n):
    steps = 0
    while n > 1 and steps < 1000:
        if n % 2:
            n = 3 * n + 1
        else:
            n //= 2
        steps += 1
    return steps


def mandelbrot(x, y):
    c = complex(x, y)
    z = 0j
    for i in range(30):
        if z.real * z.real + z.imag * z.imag > 4:
            return i
        z = z * z + c
    return 30


def calls(x):
    return 2 * logistic(x) - 1


def modulus(z):
    return abs(z) + z.real


def rotated(z, angle):
    return z * complex(math.cos(angle), math.sin(angle))


def both(a, b):
    return a and not b


def identity(x):
    return x


def doubled(x):
    return x * 2


def product(x, n):
    return x * n


def halved(x):
    return x / 2


def pair(x):
    return x, x


def nothing(x):
    return None


def matrix_product(x):
    return x @ x


def average(a, b, c, d, e):
    return (a + b + c + d + e) / 5


class Case(NamedTuple):
    function: object
    types: str  # of the operands


CASES = [
    *(Case(polynomial, types) for types in ("dd", "ff", "fd", "ll", "hi", "BL", "ee", "ld", "DD", "fF")),
    *(Case(branches, types) for types in ("dd", "ff", "id")),
    *(Case(collatz, types) for types in ("l", "i", "h")),
    Case(mandelbrot, "dd"),
    *(Case(calls, types) for types in ("d", "f")),
    *(Case(modulus, types) for types in ("D", "F", "d")),
    *(Case(rotated, types) for types in ("Dd", "Ff")),
    Case(both, "??"),
    Case(average, "ddfld"),
]
IDS = [f"{case.function.__name__}-{case.types}" for case in CASES]
TOLERANCE = {"e": 4e-2, "f": 2e-6, "F": 4e-6}


def values(code: str, shape, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    if code == "?":
        return random.random(shape) < 0.5
    if code in "bhilq":
        return random.integers(-20 if code != "B" else 0, 100, shape).astype(code)
    if code in "BHIL":
        return random.integers(0, 100, shape).astype(code)
    real = 4 * random.random(shape) - 2
    return (real + 1j * random.random(shape)).astype(code) if code in "FD" else real.astype(code)


def by_numpy(function, *operands):
    """Apply the function to each element, as NumPy scalars."""
    with np.errstate(all="ignore"):
        plain = getattr(function, "py_func", function)
        results = np.array([plain(*each) for each in zip(*(x.ravel() for x in np.broadcast_arrays(*operands)))])
    return results.reshape(np.broadcast_shapes(*(np.shape(x) for x in operands)))


def expect(result, wanted, code="d"):
    got = dpnp.asnumpy(result)
    assert got.shape == wanted.shape
    tolerance = TOLERANCE.get(got.dtype.char, 1e-12)
    if code in TOLERANCE:
        tolerance = max(tolerance, TOLERANCE[code])
    np.testing.assert_allclose(got.astype("D"), wanted.astype("D"), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_computes_the_same_as_cpython(case):
    f = ndx.vectorize(case.function)
    operands = [values(code, 1001, k) for k, code in enumerate(case.types)]
    result = f(*map(dpnp.asarray, operands))
    expect(result, by_numpy(case.function, *operands), min(case.types, key="efFdD?bhilBHIL".index))


@pytest.mark.parametrize("case", [CASES[0], CASES[4], CASES[8]], ids=lambda case: case.types)
def test_the_result_has_numpys_dtype(case):
    operands = [values(code, 3, k) for k, code in enumerate(case.types)]
    result = ndx.vectorize(case.function)(*map(dpnp.asarray, operands))
    assert result.dtype == np.result_type(*operands)


LAYOUTS = {
    "empty": lambda a: (a[:0], a[:0]),
    "of no dimensions": lambda a: (a[3], a[4]),
    "one beside many": lambda a: (a, a[5]),
    "rows and columns": lambda a: (a[:7], a[:5, None]),
    "strided": lambda a: (a[:99:3], a[1::3]),
    "backwards": lambda a: (a[::-1], a),
    "transposed": lambda a: (a[:96].reshape(8, 12).T, a[:12, None]),
    "four dimensions": lambda a: (a[:96].reshape(2, 3, 4, 4), a[:12].reshape(3, 1, 4)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("package", [dpt, dpnp], ids=["dpctl", "dpnp"])
def test_operands_of_any_layout(package, layout):
    base = values("d", 100, 3)
    ours = LAYOUTS[layout](package.asarray(base)) if package is dpnp else None
    if ours is None:
        whole = dpnp.asarray(base)
        ours = tuple(x.get_array() for x in LAYOUTS[layout](whole))
    theirs = LAYOUTS[layout](base)
    result = ndx.vectorize(branches)(*ours)
    assert isinstance(result, dpnp.ndarray if package is dpnp else dpt.usm_ndarray)
    got = package.asnumpy(result)
    wanted = by_numpy(branches, *theirs) if got.size else np.empty(np.broadcast_shapes(*(x.shape for x in theirs)))
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


def test_python_numbers_take_the_dtype_of_the_other_operand():
    f = ndx.vectorize(polynomial)
    x = dpnp.arange(5, dtype="f4")
    assert f(x, 2).dtype == f(x, 2.5).dtype == np.float32
    assert f(x, np.float64(2.5)).dtype == np.float64
    assert f(dpnp.arange(5, dtype="i2"), 3).dtype == np.int16
    expect(f(x, 2.5), by_numpy(polynomial, np.arange(5.0), 2.5), "f")


def test_numbers_alone_give_a_number():
    result = ndx.vectorize(polynomial)(1.5, 2)
    assert result == polynomial(1.5, 2) and isinstance(result, np.float64)
    assert isinstance(ndx.vectorize([float32(float32)])(identity)(2), np.float32)


def test_signatures_choose_the_dtype():
    f = ndx.vectorize([int32(int32, int32), "float32(float32, float32)", float64(float64, float64)])(polynomial)
    assert f.types == ["ii->i", "ff->f", "dd->d"]
    for given, wanted in {
        "ii": "i",
        "ff": "f",
        "dd": "d",
        "hh": "i",
        "fd": "d",
        "ld": "d",
        "fh": "f",
        "ll": "d",
    }.items():
        operands = [values(code, 50, k) for k, code in enumerate(given)]
        result = f(*map(dpnp.asarray, operands))
        assert result.dtype.char == wanted, given
        expect(result, by_numpy(polynomial, *(x.astype(wanted) for x in operands)), wanted)


def test_a_signature_determines_the_dtype_of_the_result():
    truncated = ndx.vectorize(["int64(float64)"])(doubled)
    assert dpnp.asnumpy(truncated(dpnp.asarray([0.75, -1.75]))).tolist() == [1, -3]
    inferred = ndx.vectorize([(float32, int64)])(product)
    assert inferred.types == ["fl->d"]


def test_options_and_attributes_of_numba_are_accepted():
    @ndx.vectorize([float64(float64)], target="parallel", nopython=True)
    def half(x):
        """Return half of x."""
        return x / 2

    assert (half.__name__, half.__doc__, half.nin, half.nout, half.ntypes) == ("half", "Return half of x.", 1, 1, 1)
    assert half.py_func(3.0) == 1.5
    assert dpnp.asnumpy(half(dpnp.asarray([3.0]))) == 1.5


def test_fastmath_allows_reordered_sums():
    def change(a, b):
        return (a + b) - a

    a, b = dpnp.asarray([1e20, 2.0]), dpnp.asarray([1.0, 3.0])
    assert dpnp.asnumpy(ndx.vectorize(change)(a, b)).tolist() == [0, 3]
    assert dpnp.asnumpy(ndx.vectorize(fastmath=True)(change)(a, b)).tolist() == [1, 3]
    assert dpnp.asnumpy(ndx.vectorize(fastmath={"nnan"})(change)(a, b)).tolist() == [0, 3]


@pytest.mark.parametrize("shapes", [((3,), (4, 2)), ((2, 3), ()), ((), (5,)), ((0,), (2,))])
def test_outer(shapes):
    f = ndx.vectorize(polynomial)
    x, y = (values("d", shape, k) for k, shape in enumerate(shapes))
    wide = x.reshape(x.shape + (1,) * y.ndim)
    expect(f.outer(dpnp.asarray(x), dpnp.asarray(y)), by_numpy(polynomial, wide, y))


def test_out_and_order():
    f = ndx.vectorize(polynomial)
    x, y = values("d", (6, 8), 0), values("d", (6, 8), 1)
    a, b, out = dpnp.asarray(x), dpnp.asarray(y), dpnp.empty((6, 8))
    assert f(a, b, out=out) is out
    expect(out, by_numpy(polynomial, x, y))
    assert f(a, b, order="F").flags.f_contiguous
    f(a, b, out=a)  # an operand is overwritten
    expect(a, by_numpy(polynomial, x, y))
    f(b, b[::-1], out=b)  # an overlapping operand
    expect(b, by_numpy(polynomial, y, y[::-1]))
    with pytest.raises(ValueError, match="float64"):
        f(a, b, out=dpnp.empty((6, 8), dtype="f4"))
    with pytest.raises(ValueError, match="shape"):
        f(a, b, out=dpnp.empty(6))


@pytest.mark.parametrize("n", [1000, 300_000])
def test_is_fused_with_the_expression_around_it(n):
    """Compare with NumPy, for the first evaluation and after the compiled loop has replaced it."""
    f = ndx.vectorize(branches)
    a, b, c = (values("f" if k == 1 else "d", n, k) for k in range(3))
    x, y, z = map(dpnp.asarray, (a, b, c))
    wanted = by_numpy(branches, a + b, c)
    for _ in range(4):
        got = f(x + y, z) * 2 - z
        expect(got, wanted * 2 - c)
        np.testing.assert_allclose(float(dpnp.sum(f(x + y, z))), wanted.sum(), rtol=1e-10)


def test_is_one_pass_over_memory(tmp_path):
    """The dump has one program with one load of each operand and one store."""
    program = tmp_path / "program.py"  # the compiler reads the source
    program.write_text(
        textwrap.dedent("""
            import dpnp, numba_dpex as ndx
            @ndx.vectorize
            def f(x):
                return x * x if x > 0 else -x
            a, b, c = (dpnp.ones(100_000) * k for k in (1, 2, 3))
            for x in (a, b, c):
                x.sycl_queue.wait()
            r = f(a + b) * 2 - c
            print(float(r[0]))
        """)
    )
    environment = os.environ | {"DPEP_DUMP": str(tmp_path)}
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "15.0"
    dumps = [path.read_text() for path in sorted(pathlib.Path(tmp_path).glob("graph-*.dot"))]
    (ours,) = [text for text in dumps if " f " in text]
    listing = ours[ours.index("/*") :]
    assert ours.count("subgraph") == 1
    assert listing.count("load m") == 3 and listing.count("store ") == 1
    assert all(f" {name} " in listing for name in ("add", "f", "multiply", "subtract"))


def test_reductions_and_views_of_results():
    f = ndx.vectorize(polynomial)
    x, y = values("d", (40, 500), 0), values("d", (40, 500), 1)
    result = f(dpnp.asarray(x), dpnp.asarray(y))
    wanted = by_numpy(polynomial, x, y)
    np.testing.assert_allclose(dpnp.asnumpy(result.sum(axis=0)), wanted.sum(axis=0), rtol=1e-11)
    expect(result.T[3:7, ::2], wanted.T[3:7, ::2])
    expect(dpnp.exp(-result), np.exp(-wanted))
    centred = f(dpnp.asarray(x), dpnp.asarray(y)) - dpnp.mean(result, axis=1, keepdims=True)
    np.testing.assert_allclose(dpnp.asnumpy(centred), wanted - wanted.mean(axis=1, keepdims=True), atol=1e-10)


def test_a_result_is_an_operand_of_the_same_function():
    f = ndx.vectorize(branches)
    x = values("d", 20_000, 0)
    expect(f(f(dpnp.asarray(x), 0.5), dpnp.asarray(x)), by_numpy(branches, by_numpy(branches, x, 0.5), x))


def test_kernels_call_it():
    half = ndx.vectorize(halved)

    @ndx.kernel
    def halve(item, x):
        i = item.get_id(0)
        x[i] = half(x[i])

    x = dpnp.arange(4.0)
    ndx.call_kernel(halve, ndx.Range(4), x)
    assert dpnp.asnumpy(x).tolist() == [0, 0.5, 1, 1.5]


def test_an_exception_names_its_line():
    @ndx.vectorize
    def root(x):
        if x < 0:
            raise ValueError("negative")
        return math.sqrt(x)

    assert dpnp.asnumpy(root(dpnp.asarray([4.0, 9.0]))).tolist() == [2, 3]
    x = dpnp.asarray([4.0, -1.0, 9.0])
    with pytest.raises(Exception, match="negative"):
        result = root(x)
        result.sycl_queue.wait()
        dpnp.asnumpy(result)
    assert dpnp.asnumpy(root(dpnp.asarray([16.0]))).tolist() == [4]  # the queue is still usable


def sometimes(x):
    if x > 0:
        return x


def identified(x):
    return x + ndx.get_global_id(0)


LINE = ndx.usm_ndarray(1, "C", float32)


def call(function, *operands):
    return lambda: ndx.vectorize(function)(*operands)


THREE = dpnp.ones(3)
COMPLEX = dpnp.ones(2, dtype="c8")
WRONG = {
    "a path without a return": (call(sometimes, THREE), TypingError, "sometimes"),
    "returns a tuple": (call(pair, THREE), TypingError, "tuple"),
    "returns None": (call(nothing, THREE), TypingError, "None"),
    "uses its id": (call(identified, THREE), UnsupportedError, "work-item"),
    "is of arrays": (call(matrix_product, THREE), TypingError, "@"),
    "a NumPy array": (call(collatz, np.arange(3)), TypeError, "dpnp.asarray"),
    "no signature fits": (lambda: ndx.vectorize(["float32(float32)"])(halved)(COMPLEX), TypingError, "float32"),
    "a number": (lambda: ndx.vectorize(3), TypeError, "int"),
    "unknown type in a signature": (lambda: ndx.vectorize(["float77(float32)"]), TypeError, "float77"),
    "an array's type": (lambda: ndx.vectorize([float32(LINE)])(halved), UnsupportedKernelArgumentError, "number"),
    "fastmath of a number": (lambda: ndx.vectorize(fastmath=3), TypeError, "fastmath"),
    "unknown flag": (lambda: ndx.vectorize(fastmath={"quick"})(halved), ValueError, "quick"),
    "outer of one": (lambda: ndx.vectorize(halved).outer(THREE, THREE), ValueError, "outer"),
    "reduce": (lambda: ndx.vectorize(polynomial).reduce(THREE), NotImplementedError, "dpnp.sum"),
    "accumulate": (lambda: ndx.vectorize(polynomial).accumulate(THREE), NotImplementedError, "cumsum"),
    "unknown option": (lambda: ndx.vectorize(colour="red"), TypeError, "colour"),
}


@pytest.mark.parametrize("what", WRONG)
def test_errors_name_the_problem(what):
    call, exception, message = WRONG[what]
    with pytest.raises(exception, match=message):
        call()


def test_results_are_reduced_along_a_short_axis():
    @ndx.vectorize
    def bent(a, b):
        return a - b if a > b else (b - a) * 2.0

    x = np.random.default_rng(0).random((3, 100_000))
    y = np.array([[0.25], [0.5], [0.75]])
    wanted = np.where(x > y, x - y, (y - x) * 2)
    for _ in range(3):  # the third time, the loop is compiled
        d = bent(dpt.asarray(x), dpt.asarray(y))
        total, largest = dpt.sum(d * d, axis=0), dpt.argmax(d, axis=0)
        np.testing.assert_allclose(dpt.asnumpy(total), np.sum(wanted * wanted, axis=0), rtol=1e-14)
        np.testing.assert_array_equal(dpt.asnumpy(largest), np.argmax(wanted, axis=0))
