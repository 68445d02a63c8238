"""Calls on arrays of 10 elements, including completion: dpctl.tensor compared with NumPy, and PyTorch if installed.

Then loops over single elements, and other functions of dpnp, compared with NumPy.

    python benchmarks/small_arrays/run.py [--repetitions N]

Times are medians of many batches of calls, in turns with the peers, in nanoseconds per call.
"""

from __future__ import annotations

import argparse
import importlib.util
import operator
import pathlib
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import record  # noqa: E402

BATCH = 2000

CALLS: dict[str, Callable] = {
    "a + b": lambda xp, a, b, i, o: a + b,
    "a * 2.0": lambda xp, a, b, i, o: a * 2.0,
    "a / b": lambda xp, a, b, i, o: a / b,
    "a - b": lambda xp, a, b, i, o: a - b,
    "a ** 2": lambda xp, a, b, i, o: a**2,
    "-a": lambda xp, a, b, i, o: -a,
    "a < b": lambda xp, a, b, i, o: a < b,
    "i & i": lambda xp, a, b, i, o: i & i,
    "i + a": lambda xp, a, b, i, o: i + a,
    "add(a, b)": lambda xp, a, b, i, o: xp.add(a, b),
    "add(a, b, out=)": lambda xp, a, b, i, o: xp.add(a, b, out=o),
    "exp(a)": lambda xp, a, b, i, o: xp.exp(a),
    "sqrt(a)": lambda xp, a, b, i, o: xp.sqrt(a),
    "sin(a)": lambda xp, a, b, i, o: xp.sin(a),
    "maximum(a, b)": lambda xp, a, b, i, o: xp.maximum(a, b),
    "where(m, a, b)": lambda xp, a, b, i, o: xp.where(i, a, b),
    "sum(a)": lambda xp, a, b, i, o: xp.sum(a),
    "float(sum(a))": lambda xp, a, b, i, o: float(xp.sum(a)),
    "max(a)": lambda xp, a, b, i, o: xp.max(a),
    "mean(a)": lambda xp, a, b, i, o: xp.mean(a),
    "argmax(a)": lambda xp, a, b, i, o: xp.argmax(a),
    "a[2:5]": lambda xp, a, b, i, o: a[2:5],
    "a[3]": lambda xp, a, b, i, o: a[3],
    "a[2:5] = 1.0": lambda xp, a, b, i, o: o.__setitem__(slice(2, 5), 1.0),
    "reshape(a, (2, 5))": lambda xp, a, b, i, o: xp.reshape(a, (2, 5)),
    "empty(10)": lambda xp, a, b, i, o: xp.empty(10),
    "zeros(10)": lambda xp, a, b, i, o: xp.zeros(10),
    "arange(10)": lambda xp, a, b, i, o: xp.arange(10),
    "concat([a, b])": lambda xp, a, b, i, o: (xp.concat if hasattr(xp, "concat") else xp.concatenate)([a, b]),
    "astype(a, float32)": lambda xp, a, b, i, o: a.to(xp.float32) if hasattr(a, "to") else xp.astype(a, xp.float32),
    "a.shape": lambda xp, a, b, i, o: a.shape,
    "a + 1": lambda xp, a, b, i, o: a + 1,
    "a == b": lambda xp, a, b, i, o: a == b,
    "a // b": lambda xp, a, b, i, o: a // b,
    "a % b": lambda xp, a, b, i, o: a % b,
    "a ** b": lambda xp, a, b, i, o: a**b,
    "~i": lambda xp, a, b, i, o: ~i,
    "o += b": lambda xp, a, b, i, o: operator.iadd(o, b),
    "o *= 0.5": lambda xp, a, b, i, o: operator.imul(o, 0.5),
    "o -= b": lambda xp, a, b, i, o: operator.isub(o, b),
    "o[:] = b": lambda xp, a, b, i, o: o.__setitem__(slice(None), b),
    "o[3] = 1.0": lambda xp, a, b, i, o: o.__setitem__(3, 1.0),
    "o[2:5] = b[4:7]": lambda xp, a, b, i, o: o.__setitem__(slice(2, 5), b[4:7]),
    "a[i]": lambda xp, a, b, i, o: a[i],
    "o[i] = 0.0": lambda xp, a, b, i, o: o.__setitem__(i, 0.0),
    "a[::2]": lambda xp, a, b, i, o: a[::2],
    "a[1:] - a[:-1]": lambda xp, a, b, i, o: a[1:] - a[:-1],
    "a[None, :]": lambda xp, a, b, i, o: a[None, :],
    "a[:, None] + b": lambda xp, a, b, i, o: a[:, None] + b,
    "copy(a)": lambda xp, a, b, i, o: xp.asarray(a, copy=True),
    "float(a[3])": lambda xp, a, b, i, o: float(a[3]),
    "abs(a)": lambda xp, a, b, i, o: abs(a),
    "clip(a, 2.0, 5.0)": lambda xp, a, b, i, o: xp.clip(a, 2.0, 5.0),
    "log(a)": lambda xp, a, b, i, o: xp.log(a),
    "std(a)": lambda xp, a, b, i, o: xp.std(a),
    "prod(a)": lambda xp, a, b, i, o: xp.prod(a),
    "min(a)": lambda xp, a, b, i, o: xp.min(a),
    "any(i)": lambda xp, a, b, i, o: xp.any(i),
    "all(i)": lambda xp, a, b, i, o: xp.all(i),
    "sort(a)": lambda xp, a, b, i, o: xp.sort(a),
    "argsort(a)": lambda xp, a, b, i, o: xp.argsort(a),
    "nonzero(i)": lambda xp, a, b, i, o: xp.nonzero(i),
    "searchsorted(a, b)": lambda xp, a, b, i, o: xp.searchsorted(a, b),
    "a @ b": lambda xp, a, b, i, o: a @ b,
    "ones(10)": lambda xp, a, b, i, o: xp.ones(10),
    "full(10, 3.0)": lambda xp, a, b, i, o: xp.full((10,), 3.0),
    "linspace(0, 1, 10)": lambda xp, a, b, i, o: xp.linspace(0, 1, 10),
    "zeros_like(a)": lambda xp, a, b, i, o: xp.zeros_like(a),
    "stack([a, b])": lambda xp, a, b, i, o: xp.stack([a, b]),
    "a.ndim, a.dtype, a.size": lambda xp, a, b, i, o: (a.ndim, a.dtype, a.size),
    "roll(a, 2)": lambda xp, a, b, i, o: xp.roll(a, 2),
}

# The same arrays, of dpnp.
CALLS_OF_DPNP: dict[str, Callable] = {
    "a[3]": lambda xp, a, b, i, o: a[3],
    "float(a[3])": lambda xp, a, b, i, o: float(a[3]),
    "a[3].item()": lambda xp, a, b, i, o: a[3].item(),
    "o[3] = 1.0": lambda xp, a, b, i, o: o.__setitem__(3, 1.0),
    "o[3] = a[3]": lambda xp, a, b, i, o: o.__setitem__(3, a[3]),
    "o[3] = a[2] * 0.5 + b[3]": lambda xp, a, b, i, o: o.__setitem__(3, a[2] * 0.5 + b[3]),
    "o[3] += 1": lambda xp, a, b, i, o: o.__setitem__(3, o[3] + 1),
    "bool(a[3] > b[3])": lambda xp, a, b, i, o: bool(a[3] > b[3]),
    "sqrt(a[3])": lambda xp, a, b, i, o: xp.sqrt(a[3]),
    "sum of elements": lambda xp, a, b, i, o: sum(a),
    "interp(a, a, b)": lambda xp, a, b, i, o: xp.interp(a, a, b),
    "partition(a, 5)": lambda xp, a, b, i, o: xp.partition(a, 5),
    "argpartition(a, 5)": lambda xp, a, b, i, o: xp.argpartition(a, 5),
    "add.at(o, i, 1.0)": lambda xp, a, b, i, o: xp.add.at(o, i, 1.0),
    "add.reduceat of 6": lambda xp, a, b, i, o: xp.add.reduceat(a, xp.nonzero(i)[0]),
    "add.reduce(a)": lambda xp, a, b, i, o: xp.add.reduce(a),
    "maximum.accumulate(a)": lambda xp, a, b, i, o: xp.maximum.accumulate(a),
    "empty(10)": lambda xp, a, b, i, o: xp.empty(10),
    "zeros((2, 5))": lambda xp, a, b, i, o: xp.zeros((2, 5)),
    "ones_like(a)": lambda xp, a, b, i, o: xp.ones_like(a),
    "arange(10)": lambda xp, a, b, i, o: xp.arange(10),
    "array(a)": lambda xp, a, b, i, o: xp.array(a),
    "a.copy()": lambda xp, a, b, i, o: a.copy(),
    "a.ravel()": lambda xp, a, b, i, o: a.ravel(),
    "concatenate([a, b])": lambda xp, a, b, i, o: xp.concatenate([a, b]),
    "hstack([a, b])": lambda xp, a, b, i, o: xp.hstack([a, b]),
    "append(a, b)": lambda xp, a, b, i, o: xp.append(a, b),
    "delete(a, 3)": lambda xp, a, b, i, o: xp.delete(a, 3),
    "inner(a, b)": lambda xp, a, b, i, o: xp.inner(a, b),
    'einsum("i,i->", a, b)': lambda xp, a, b, i, o: xp.einsum("i,i->", a, b),
    "diagonal(a[:9])": lambda xp, a, b, i, o: xp.diagonal(a[:9].reshape(3, 3)),
    "trace(a[:9])": lambda xp, a, b, i, o: xp.trace(a[:9].reshape(3, 3)),
}


def batch(call: Callable, xp, *arrays) -> float:
    start = time.perf_counter()
    for _ in range(BATCH):
        call(xp, *arrays)
    return 1e9 * (time.perf_counter() - start) / BATCH


def compare(title: str, calls: dict[str, Callable], libraries: dict[str, tuple], repetitions: int) -> None:
    """Print the times of the calls; the first library's are divided by NumPy's."""
    ours = next(iter(libraries))
    print(f"\n{title}, nanoseconds per call")
    print(f"  {'':24}" + "".join(f"{name:>14}" for name in libraries) + f"{'to NumPy':>12}")
    ratios = []
    for name, call in calls.items():
        times: dict[str, list[float]] = {library: [] for library in libraries}
        for _ in range(repetitions):
            for library, arguments in libraries.items():
                times[library].append(batch(call, *arguments))
        medians = {library: statistics.median(t) for library, t in times.items()}
        for library, median in medians.items():
            record(name, library, median)
        ratios.append(medians[ours] / medians["NumPy"])
        print(f"  {name:24}" + "".join(f"{m:>14.0f}" for m in medians.values()) + f"{ratios[-1]:>12.2f}", flush=True)
    slow = sum(ratio > 1.5 for ratio in ratios)
    print(f"  median of {len(ratios)} calls: {statistics.median(ratios):.2f} of NumPy's time; above 1.5: {slow}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=15)
    options = parser.parse_args()

    import dpctl.tensor as dpt

    base = np.arange(1.0, 11.0), np.linspace(0.5, 2.0, 10), np.arange(10) % 3 > 0, np.empty(10)
    libraries = {"dpctl.tensor": (dpt, *map(dpt.asarray, base)), "NumPy": (np, *(a.copy() for a in base))}
    if importlib.util.find_spec("torch"):
        import torch

        libraries["torch"] = (torch, *(torch.from_numpy(a.copy()) for a in base))

    compare("10 elements, float64", CALLS, libraries, options.repetitions)

    import dpnp

    libraries = {"dpnp": (dpnp, *map(dpnp.asarray, base)), "NumPy": (np, *(a.copy() for a in base))}
    compare("elements and functions of dpnp", CALLS_OF_DPNP, libraries, options.repetitions)


if __name__ == "__main__":
    main()
