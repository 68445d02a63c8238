"""Plain array code on 10,000,000 float64 elements: dpctl.tensor compared with NumPy, numexpr, JAX, PyTorch and C++.

    python benchmarks/expressions/run.py [--only WORD] [--repetitions N]

Each expression is written once, in NumPy's style, and runs with every library's module; results are compared with
NumPy's. numexpr, JAX (jit) and PyTorch (torch.compile) are left out if they are not installed. The reference time is
that of native.cpp, compiled here. Below each table: the first five calls in a fresh process with an empty cache.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import interleave, record, table  # noqa: E402

RATE, VOLATILITY = 0.02, 0.3
ELEMENTS = 10_000_000


def softmax(xp, x):
    e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return e / xp.sum(e, axis=-1, keepdims=True)


def layer_norm(xp, x, gain, bias):
    d = x - xp.mean(x, axis=-1, keepdims=True)
    return d / xp.sqrt(xp.mean(d * d, axis=-1, keepdims=True) + 1e-5) * gain + bias


def standardise(xp, x):
    d = x - xp.mean(x, axis=0)
    return d / xp.sqrt(xp.mean(d * d, axis=0))


def pairwise(xp, x, y):
    return xp.sqrt(xp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1))


def normal(xp, x):
    """The normal distribution, approximately: erf is not in the Array API standard."""
    return 0.5 + 0.5 * xp.tanh(0.7978845608 * x * (1 + 0.044715 * x * x))


def black_scholes(xp, price, strike, time):
    deviation = VOLATILITY * xp.sqrt(time)
    d1 = (xp.log(price / strike) + (RATE + 0.5 * VOLATILITY**2) * time) / deviation
    return price * normal(xp, d1) - strike * xp.exp(-RATE * time) * normal(xp, d1 - deviation)


def polynomial(xp, x):
    p = x * 0.1 + 0.2
    for coefficient in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        p = p * x + coefficient
    return p


def moments(xp, x):
    mean = xp.mean(x)
    d = x - mean
    s = d * d
    variance = xp.mean(s)
    return xp.stack([mean, variance, xp.mean(s * d) / variance**1.5])


@dataclass
class Expression:
    name: str
    code: Callable  # (module, *arrays)
    arrays: Callable[[np.random.Generator], tuple[np.ndarray, ...]]
    shape: tuple[int, ...]  # of the result
    arguments: Callable  # of the function in native.cpp, from (arrays, result)
    element_wise: bool = False

    @property
    def native(self) -> str:
        return self.code.__name__


EXPRESSIONS = [
    Expression("softmax of rows, 100,000 x 100", softmax, lambda r: (r.standard_normal((100_000, 100)),),
               (100_000, 100), lambda a, y: (*a, y, 100_000, 100)),
    Expression("layer norm of rows, 100,000 x 100", layer_norm,
               lambda r: (r.standard_normal((100_000, 100)), r.random(100), r.random(100)),
               (100_000, 100), lambda a, y: (*a, y, 100_000, 100)),
    Expression("standardise columns, 1,000,000 x 10", standardise, lambda r: (r.standard_normal((1_000_000, 10)),),
               (1_000_000, 10), lambda a, y: (*a, y, 1_000_000, 10)),
    Expression("distances of 2,000 x 5,000 points", pairwise, lambda r: (r.random((2000, 3)), r.random((5000, 3))),
               (2000, 5000), lambda a, y: (*a, y, 2000, 5000)),
    Expression("Black-Scholes", black_scholes,
               lambda r: tuple(r.uniform(low, high, ELEMENTS) for low, high in ((50, 150), (50, 150), (0.1, 2))),
               (ELEMENTS,), lambda a, y: (*a, y, RATE, VOLATILITY, ELEMENTS), element_wise=True),
    Expression("polynomial of 20 operations", polynomial, lambda r: (r.random(ELEMENTS),), (ELEMENTS,),
               lambda a, y: (*a, y, ELEMENTS), element_wise=True),
    Expression("mean, variance, skewness", moments, lambda r: (r.standard_normal(ELEMENTS),), (3,),
               lambda a, y: (*a, y, ELEMENTS)),
]  # fmt: skip


class Formula(str):
    """The text of an expression for numexpr, built by running its code with names instead of arrays."""

    def _binary(operator):
        def of(self, other):
            return Formula(f"({self} {operator} {other!s})")

        def reflected(self, other):
            return Formula(f"({other!s} {operator} {self})")

        return of, reflected

    __add__, __radd__ = _binary("+")
    __sub__, __rsub__ = _binary("-")
    __mul__, __rmul__ = _binary("*")
    __truediv__, __rtruediv__ = _binary("/")


class FormulaModule:
    def __getattr__(self, function: str) -> Callable:
        return lambda x: Formula(f"{function}({x})")


def c_argument(x):
    if isinstance(x, np.ndarray):
        return ctypes.c_void_p(x.ctypes.data)
    return ctypes.c_int64(x) if isinstance(x, int) else ctypes.c_double(x)


def installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def candidates(e: Expression, arrays: tuple[np.ndarray, ...], library: ctypes.CDLL) -> dict[str, Callable]:
    """Functions that compute the expression, by library; each returns when the result is complete."""
    import dpctl.tensor as dpt

    ours = [dpt.asarray(a) for a in arrays]

    def dpep():
        result = e.code(dpt, *ours)
        result.sycl_queue.wait()
        return result

    result = np.empty(e.shape)
    function, arguments = getattr(library, e.native), [c_argument(a) for a in e.arguments(arrays, result)]

    def native():
        function(*arguments)
        return result

    runs = {"dpctl.tensor": dpep, "C++ by hand": native, "NumPy": lambda: e.code(np, *arrays)}
    if e.element_wise and installed("numexpr"):
        import numexpr

        names = {f"a{i}": a for i, a in enumerate(arrays)}
        formula = str(e.code(FormulaModule(), *map(Formula, names)))
        runs["numexpr"] = lambda: numexpr.evaluate(formula, names)
    if installed("jax"):
        import jax

        jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp

        jitted, theirs = jax.jit(lambda *a: e.code(jnp, *a)), [jnp.asarray(a) for a in arrays]
        runs["jax.jit"] = lambda: jitted(*theirs).block_until_ready()
    if installed("torch"):
        import torch

        compiled, tensors = (
            torch.compile(lambda *a: e.code(TorchModule(torch), *a)),
            list(map(torch.from_numpy, arrays)),
        )
        runs["torch.compile"] = lambda: compiled(*tensors)
    return runs


class TorchModule:
    """torch with the names and keywords of the Array API standard."""

    def __init__(self, torch) -> None:
        self._torch = torch

    def __getattr__(self, name: str):
        return getattr(self._torch, name)

    def _reduce(self, name, x, axis=None, keepdims=False):
        function = getattr(self._torch, name)
        return function(x) if axis is None else function(x, dim=axis, keepdim=keepdims)

    def sum(self, x, **options):
        return self._reduce("sum", x, **options)

    def mean(self, x, **options):
        return self._reduce("mean", x, **options)

    def max(self, x, **options):
        return self._reduce("amax", x, **options)


def host(result) -> np.ndarray:
    if hasattr(result, "usm_data"):
        import dpctl.tensor as dpt

        return dpt.asnumpy(result)
    return np.asarray(result)


def first_calls(e: Expression) -> list[float]:
    """Milliseconds of the first five calls of dpctl.tensor in this process."""
    import dpctl.tensor as dpt

    ours = [dpt.asarray(a) for a in e.arrays(np.random.default_rng(0))]
    times = []
    for _ in range(5):
        start = time.perf_counter()
        result = e.code(dpt, *ours)  # kept alive: an unreachable result is not computed
        result.sycl_queue.wait()
        times.append(1e3 * (time.perf_counter() - start))
    return times


def compile_native(folder: str) -> ctypes.CDLL:
    library = pathlib.Path(folder) / "native.so"
    flags = "-O3 -march=native -mprefer-vector-width=512 -ffast-math -fopenmp -shared -fPIC"
    subprocess.run(["g++", *flags.split(), HERE / "native.cpp", "-o", library], check=True)
    return ctypes.CDLL(str(library))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="run only expressions whose name contains this word")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--first-calls", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.first_calls is not None:
        print(json.dumps(first_calls(EXPRESSIONS[options.first_calls])))
        return

    with tempfile.TemporaryDirectory() as folder:
        library = compile_native(folder)
        for number, e in enumerate(EXPRESSIONS):
            if options.only not in e.name:
                continue
            arrays = e.arrays(np.random.default_rng(0))
            runs = candidates(e, arrays, library)
            reference = e.code(np, *arrays)
            for name, run in runs.items():
                error = np.max(np.abs(host(run()) - reference)) / np.max(np.abs(reference))
                if not error < 1e-9:
                    raise SystemExit(f"{e.name}, {name}: differs from NumPy by {error:.1e}")
            table(f"{e.name}, float64", interleave(runs, options.repetitions), "C++ by hand")
            environment = dict(os.environ, DPEP_CACHE=str(pathlib.Path(folder) / f"cache-{number}"))
            first = subprocess.run([sys.executable, __file__, "--first-calls", str(number)], env=environment,
                                   check=True, capture_output=True, text=True).stdout  # fmt: skip
            times = json.loads(first)
            record(f"{e.name}, first call", "dpctl.tensor", times[0])
            print(f"  dpctl.tensor, fresh process: {', '.join(f'{t:.1f}' for t in times)} ms", flush=True)


if __name__ == "__main__":
    main()
