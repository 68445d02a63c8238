"""Element functions on a GPU: dpep's own device library compared with CUDA's (libdevice), used by CuPy and PyTorch.

    python benchmarks/gpu/functions.py [--elements N] [--repetitions N]

Times are medians of turns in which every library runs once and waits for the GPU. The last column is the best time of
the other libraries divided by dpep's. The first row, a copy, is the memory's part of the time. Libraries that are not
installed are left out. A kernel in Python computes functions that dpctl.tensor does not have.
"""

from __future__ import annotations

import argparse
import importlib
import math
import pathlib
import sys

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from arrays import libraries, waited
from report import interleave

# name, PyTorch's name if it differs, and a range of arguments
FUNCTIONS = [
    ("positive", "clone", (-1, 1)),
    ("sqrt", None, (0, 10)),
    ("rsqrt", None, (0.1, 10)),
    ("reciprocal", None, (1, 2)),
    ("cbrt", "", (0, 100)),
    ("exp", None, (-80, 80)),
    ("exp2", None, (-100, 100)),
    ("expm1", None, (-1, 5)),
    ("log", None, (1e-6, 1e6)),
    ("log2", None, (1e-6, 1e6)),
    ("log10", None, (1e-6, 1e6)),
    ("log1p", None, (-0.5, 10)),
    ("sin", None, (-10, 10)),
    ("sin", None, (-1e6, 1e6)),
    ("cos", None, (-10, 10)),
    ("tan", None, (-10, 10)),
    ("asin", None, (-1, 1)),
    ("acos", None, (-1, 1)),
    ("atan", None, (-10, 10)),
    ("atan2", None, (-10, 10)),
    ("sinh", None, (-5, 5)),
    ("cosh", None, (-5, 5)),
    ("tanh", None, (-5, 5)),
    ("asinh", None, (-10, 10)),
    ("acosh", None, (1, 10)),
    ("atanh", None, (-1, 1)),
    ("hypot", None, (-10, 10)),
    ("logaddexp", None, (-10, 10)),
    ("pow", None, (0.1, 10)),
    ("remainder", None, (1, 100)),
    ("erf", None, (-3, 3)),
    ("erfc", None, (-3, 6)),
    ("lgamma", None, (0.1, 10)),
    ("lgamma", None, (10, 1000)),
    ("lgamma", None, (-10, 0)),
    ("gamma", "", (0.1, 10)),
    ("gamma", "", (-10, 0)),
]
TWO_ARGUMENTS = {"atan2", "hypot", "logaddexp", "pow", "remainder"}
SPECIAL = {"erf": "erf", "erfc": "erfc", "lgamma": "gammaln", "gamma": "gamma"}  # by CuPy's names
CUPY = {name: "arc" + name[1:] for name in ("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh")} | {
    "pow": "power"
}


def by_kernel(function):
    """An array function from one of the module math: kernels support more of these than dpctl.tensor has."""

    @ndx.kernel
    def kernel(item, x, result):
        i = item.get_id(0)
        result[i] = function(x[i])

    def apply(x):
        result = dpt.empty_like(x)
        ndx.call_kernel(kernel, ndx.Range(x.shape[0]), x, result)
        return result

    return apply


KERNELS = {name: by_kernel(getattr(math, name)) for name in SPECIAL}


def function_of(library, name: str, torch_name: str | None):
    """The library's function of that name, or None."""
    if library.name == "PyTorch":
        called = name if torch_name is None else torch_name
        return getattr(library.functions, called, None) if called else None
    if name not in SPECIAL:
        return getattr(library.functions, CUPY.get(name, name) if library.name == "CuPy" else name, None)
    if library.name == "CuPy":
        return getattr(importlib.import_module("cupyx.scipy.special"), SPECIAL[name])
    return KERNELS[name]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=50_000_000)
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args()
    found = libraries()
    for dtype in ("float32", "float64"):
        print(f"\n{options.elements} elements, {dtype}, us")
        print(f"  {'':28}" + "".join(f"{library.name:>14}" for library in found) + f"{'others/ours':>14}")
        for name, torch_name, (low, high) in FUNCTIONS:
            host = np.random.default_rng(0).uniform(low, high, options.elements).astype(dtype)
            runs = {}
            for library in found:
                function, operands = function_of(library, name, torch_name), [library.put(host)]
                if name in TWO_ARGUMENTS:
                    operands.append(library.put(host[::-1].copy()))
                if function:
                    runs[library.name] = waited(library, lambda f=function, o=tuple(operands): f(*o))
            times = interleave(runs, options.repetitions)
            shown = [1e3 * times[lib.name].median if lib.name in times else float("nan") for lib in found]
            best = min((t for t in shown[1:] if t == t), default=float("nan"))
            title = f"{name} of {low:g} to {high:g}"
            print(f"  {title:28}" + "".join(f"{t:>14.0f}" for t in shown) + f"{best / shown[0]:>14.2f}", flush=True)


if __name__ == "__main__":
    main()
