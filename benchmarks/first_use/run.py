"""The first use of an expression in a fresh process: dpctl.tensor with an empty and with a full disk cache.

    python benchmarks/first_use/run.py

Twenty expressions that the process has not computed before, on 1,000 and on 1,000,000 elements, each timed once from
the call to the complete result, after one unrelated call. JAX (jit) is compared if it is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import record

FUNCTIONS = ["exp", "sin", "cos", "tanh", "sqrt"]
EXPRESSIONS = [
    lambda xp, a, b, f=f, k=k: [
        lambda: getattr(xp, f)(a) * b + 1,
        lambda: xp.sum(getattr(xp, f)(a) - b),
        lambda: xp.where(a > b, getattr(xp, f)(a), b),
        lambda: (a - getattr(xp, f)(b)) ** 2,
    ][k]()
    for f in FUNCTIONS
    for k in range(4)
]


def child(library: str, n: int) -> None:
    if library == "jax.jit":
        import jax

        jax.config.update("jax_enable_x64", True)
        import jax.numpy as xp

        wrap, wait = jax.jit, lambda r: r.block_until_ready()
    else:
        import dpctl.tensor as xp

        def wrap(f):
            return f

        def wait(r):
            r.sycl_queue.wait()

    a = xp.linspace(0.1, 1, n)
    b = xp.linspace(0.2, 2, n)
    wait(a * b)
    times = []
    for e in EXPRESSIONS:
        run = wrap(lambda a, b, e=e: e(xp, a, b))
        start = time.perf_counter()
        wait(run(a, b))
        times.append(1e3 * (time.perf_counter() - start))
    print(json.dumps(times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], int(options.child[1]))
        return
    libraries = ["dpctl.tensor"] + ["jax.jit"] * (importlib.util.find_spec("jax") is not None)
    for n in (1000, 1_000_000):
        print(f"\nFirst use, 20 expressions, {n} elements\n  {'':30}{'median ms':>12}{'max ms':>12}")
        with tempfile.TemporaryDirectory() as cache:
            for library in libraries:
                for state in ("empty cache", "next process"):
                    text = subprocess.run(
                        [sys.executable, pathlib.Path(__file__), "--child", library, str(n)],
                        env=dict(os.environ, DPEP_CACHE=cache), check=True, capture_output=True, text=True,
                    ).stdout  # fmt: skip
                    times = json.loads(text)
                    record(f"{n} elements, {state}", library, statistics.median(times))
                    print(f"  {library + ', ' + state:30}{statistics.median(times):>12.3f}{max(times):>12.3f}")


if __name__ == "__main__":
    main()
