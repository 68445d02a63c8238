"""Math functions in vectorised loops: ns per element compared with glibc's libmvec and NumPy, for ranges of inputs.

    python benchmarks/math/run.py [FUNCTION…]

The last column is a range's time relative to the function's cheapest range: branch-free code costs the same for all.
"""

from __future__ import annotations

import ctypes
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COUNT = 8192  # operands and result fit the second-level cache
COMPILERS = ("clang++-22", "clang++")
FUNCTIONS = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "cbrt", "erf", "erfc"]
FUNCTIONS += ["sinh", "cosh", "tanh", "asinh", "acosh", "atanh"]
FUNCTIONS += ["sin", "cos", "tan", "asin", "acos", "atan", "atan2"]
FUNCTIONS += ["tgamma", "lgamma", "logaddexp", "fmod", "floored_remainder"]
FUNCTIONS += [f"complex_{name}" for name in ("exp", "log", "sqrt", "sin", "tanh", "asin", "acosh", "atanh")]
NUMPY_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}
NUMPY_NAMES |= {
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
    "pow": "power",
    "floored_remainder": "remainder",
}
TWO_ARGUMENTS = ("pow", "atan2", "logaddexp", "fmod", "floored_remainder")


def spread_exponents(random, low: int, high: int, count: int) -> np.ndarray:
    """Numbers with uniformly distributed exponents in [low, high) and both signs."""
    return np.ldexp(random.uniform(1, 2, count), random.integers(low, high, count)) * random.choice([-1, 1], count)


def ranges(function: str, dtype: np.dtype, random) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Inputs (x, y), by the name of their range."""
    info = np.finfo(dtype)
    least, largest = info.minexp, info.maxexp
    uniform = lambda low, high: random.uniform(low, high, COUNT)  # noqa: E731
    exponents = lambda low, high: spread_exponents(random, low, high, COUNT)  # noqa: E731
    if function in ("exp", "exp2", "expm1"):
        unit = 1 if function == "exp2" else np.log(2)
        x = {
            "moderate": uniform(-10, 10),
            "denormal results": uniform((least - info.nmant) * unit, least * unit),
            "overflow and zero": exponents(12, largest),
            "every exponent": exponents(least, largest),
        }
    elif function in ("log", "log2", "log10", "log1p"):
        x = {
            "moderate": uniform(0.1, 100),
            "near 1": 1 + uniform(-0.01, 0.01),
            "denormal": np.abs(exponents(least - 10, least)),
            "every exponent": np.abs(exponents(least, largest)),
        }
    elif function in ("asin", "acos", "atanh"):
        x = {
            "moderate": uniform(-1, 1),
            "near 1": 1 - np.abs(exponents(-20, -5)),
            "every exponent": exponents(least, 0),
        }
    elif function in ("sinh", "cosh"):
        x = {
            "moderate": uniform(-5, 5),
            "overflow": exponents(12, largest),
            "every exponent": exponents(least, largest),
        }
    elif function == "acosh":
        x = {"moderate": uniform(1, 10), "huge": np.abs(exponents(20, largest))}
    elif function == "erfc":
        zero = 10 if dtype == np.float32 else 27
        x = {"moderate": uniform(-3, 3), "denormal results": uniform(0.96 * zero, zero)}
        x |= {"every exponent": exponents(least, largest)}
    elif function in ("atan", "tanh", "asinh", "cbrt", "erf"):
        x = {"moderate": uniform(-4, 4), "huge": exponents(20, largest), "every exponent": exponents(least, largest)}
    elif function in ("tgamma", "lgamma"):
        x = {"moderate": uniform(-5, 20), "every exponent": exponents(least, largest)}
    elif function.startswith("complex"):
        real, imaginary = uniform(-3, 3), uniform(-3, 3)
        x = {"moderate": real + 1j * imaginary}
        x["every exponent"] = exponents(least, largest) + 1j * exponents(least, largest)
    elif function in ("atan2", "logaddexp", "fmod", "floored_remainder"):
        return {
            "moderate": (uniform(-10, 10), uniform(-10, 10)),
            "every exponent": (exponents(least, largest), exponents(least, largest)),
        }
    elif function in ("sin", "cos", "tan"):
        x = {
            "below 1": uniform(-1, 1),
            "up to 100": uniform(-100, 100),
            "up to 1e6": uniform(-1e6, 1e6),
            "huge": exponents(largest - 20, largest),
            "denormal": exponents(least - 10, least),
            "every exponent": exponents(least, largest),
        }
    else:
        base = uniform(0.01, 10)
        whole = random.integers(-8, 9, COUNT).astype(float)
        denormal = -(largest + uniform(0, info.nmant)) / np.abs(np.log2(base) + 1e-3) * np.sign(np.log2(base) + 1e-3)
        return {
            "moderate": (base, uniform(-10, 10)),
            "whole powers": (exponents(-8, 8), whole),
            "denormal results": (base, denormal),
            "overflow and zero": (base, exponents(20, largest - 1)),
            "every exponent": (np.abs(exponents(least, largest)), exponents(-8, 8)),
        }
    return {name: (values, np.ones(COUNT)) for name, values in x.items()}


def build(folder: pathlib.Path) -> ctypes.CDLL:
    compiler = next((found for name in COMPILERS if (found := shutil.which(name))), None)
    if compiler is None:
        sys.exit(f"math: needs {' or '.join(COMPILERS)} to compile its loops; `make setup` installs it")
    library = folder / "loops.so"
    flags = "-std=c++20 -O3 -march=native -mprefer-vector-width=512 -fno-math-errno -shared -fPIC -lmvec -lm"
    command = [compiler, str(HERE / "loops.cpp"), f"-I{ROOT / 'src'}", *flags.split(), "-o", str(library)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def nanoseconds(candidates: dict[str, object], repetitions: int = 25, inner: int = 4) -> dict[str, float]:
    """Median nanoseconds per element of candidates that run in turns."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(repetitions):
        for name, run in candidates.items():
            run()
            start = time.perf_counter_ns()
            for _ in range(inner):
                run()
            times[name].append((time.perf_counter_ns() - start) / inner / COUNT)
    return {name: float(np.median(t)) for name, t in times.items()}


def loop(library: ctypes.CDLL, name: str, arrays: tuple[np.ndarray, ...]):
    """A function that calls the library's loop over (x, y, result)."""
    run = getattr(library, name)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in arrays]
    return lambda: run(*pointers, ctypes.c_long(COUNT))


def compare(library: ctypes.CDLL, function: str, dtype: np.dtype, x: np.ndarray, y: np.ndarray) -> dict[str, float]:
    is_complex = function.startswith("complex")
    x = x.astype(np.result_type(dtype, np.complex64) if is_complex else dtype)
    y, theirs = y.astype(dtype), np.empty_like(x)
    arrays = (x, y, np.empty_like(x))
    c_type = "float" if dtype == np.float32 else "double"
    name = function.removeprefix("complex_")
    ufunc = getattr(np, NUMPY_NAMES.get(name, name), None)
    inputs = (x, y) if function in TWO_ARGUMENTS else (x,)
    candidates = {"dpep": loop(library, f"dpep_{function}_{c_type}", arrays)}
    if hasattr(library, f"libmvec_{function}_{c_type}"):
        candidates["libmvec"] = loop(library, f"libmvec_{function}_{c_type}", arrays)
    if ufunc is not None:
        candidates["numpy"] = lambda: ufunc(*inputs, out=theirs)
    return {"libmvec": np.nan, "numpy": np.nan} | nanoseconds(candidates)  # NaN for functions that they do not have


def main() -> None:
    functions = sys.argv[1:] or FUNCTIONS
    random = np.random.default_rng(0)
    np.seterr(all="ignore")
    columns = ("dpep", "libmvec", "numpy", "/libmvec", "/numpy", "/cheapest range")
    with tempfile.TemporaryDirectory() as folder:
        library = build(pathlib.Path(folder))
        print(f"{'ns per element':32}" + "".join(f"{name:>{max(9, len(name) + 2)}}" for name in columns))
        for function in functions:
            for dtype in (np.dtype(np.float32), np.dtype(np.float64)):
                measured = {
                    name: compare(library, function, dtype, x, y)
                    for name, (x, y) in ranges(function, dtype, random).items()
                }
                cheapest = min(times["dpep"] for times in measured.values())
                for name, t in measured.items():
                    ratios = (t["dpep"] / t["libmvec"], t["dpep"] / t["numpy"], t["dpep"] / cheapest)
                    row = (*(t[name_of] for name_of in ("dpep", "libmvec", "numpy")), *ratios)
                    cells = (f"{v:{max(9, len(column) + 2)}.2f}" for v, column in zip(row, columns, strict=True))
                    print(f"{function} {dtype.name}, {name}".ljust(32) + "".join(cells))


if __name__ == "__main__":
    main()
