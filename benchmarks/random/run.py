"""Random numbers: dpnp.random compared with NumPy's Generator on Philox.

    python benchmarks/random/run.py [--repetitions N] [--elements N]

The first table has 10,000,000 numbers, and expressions that use numbers once; the second a tenth of them from other
distributions; the third has calls for few numbers, and the last the first call in a fresh process, without the disk
cache.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, Timing, interleave, record


def both(code: Callable) -> tuple[Callable, Callable]:
    """Return the same code for both packages."""
    return code, code


LARGE: dict[str, tuple[Callable, Callable]] = {
    "uniform": both(lambda r, n: r.random(n)),
    "uniform, float32": both(lambda r, n: r.random(n, dtype="f4")),
    "uniform(2, 3)": both(lambda r, n: r.uniform(2, 3, n)),
    "normal": both(lambda r, n: r.standard_normal(n)),
    "normal(2, 3)": both(lambda r, n: r.normal(2, 3, n)),
    "integers": both(lambda r, n: r.integers(0, 1000, n)),
    "integers, 2**32": both(lambda r, n: r.integers(0, 2**32, n)),
    "integers, rejected": both(lambda r, n: r.integers(0, 3 * 2**30, n)),
    "mean(uniform)": both(lambda r, n: r.random(n).mean()),
    "pi": both(lambda r, n: (r.random(n) ** 2 + r.random(n) ** 2 < 1).mean()),
}
DISTRIBUTIONS: dict[str, tuple] = {
    "exponential": (2,), "gumbel": (1, 2), "laplace": (1, 2), "logistic": (1, 2), "lognormal": (1, 2), "pareto": (3,),
    "power": (3,), "rayleigh": (2,), "weibull": (2,), "triangular": (0, 1, 3), "standard_cauchy": (),
    "standard_gamma": (2.5,), "gamma": (0.5, 2), "beta": (2, 3), "chisquare": (3,), "f": (3, 8),
    "noncentral_chisquare": (3, 2), "noncentral_f": (3, 8, 2), "standard_t": (3,), "wald": (1, 2), "vonmises": (0, 2),
    "poisson": (3,), "poisson ": (30,), "binomial": (10, 0.3), "binomial ": (1000, 0.3), "geometric": (0.3,),
    "negative_binomial": (3, 0.4), "hypergeometric": (100, 200, 50), "hypergeometric ": (1000, 2000, 500),
    "logseries": (0.6,), "zipf": (2,),
}  # fmt: skip
ROWS: dict[str, tuple[Callable, Callable]] = {
    f"{name.strip()}{arguments}": both(lambda r, n, f=name, a=arguments: getattr(r, f.strip())(*a, size=n))
    for name, arguments in DISTRIBUTIONS.items()
} | {
    "dirichlet (3 kinds)": both(lambda r, n: r.dirichlet([1, 2, 3], n // 3)),
    "multinomial (3 kinds)": both(lambda r, n: r.multinomial(20, [0.2, 0.3, 0.5], n // 3)),
    "multivariate_normal (3 axes)": both(
        lambda r, n: r.multivariate_normal([0] * 3, [[2, 1, 0], [1, 2, 0], [0, 0, 1]], n // 3)
    ),
    "permutation": both(lambda r, n: r.permutation(n)),
    "choice": both(lambda r, n: r.choice(1000, n)),
    "choice, p": both(lambda r, n: r.choice(4, n, p=[0.1, 0.2, 0.3, 0.4])),
}
FIRST_CALL = """
import time
import dpnp

dpnp.empty(1).sycl_queue.wait()
start = time.perf_counter()
x = dpnp.random.{call}
x.sycl_queue.wait()
print(1e3 * (time.perf_counter() - start))
"""


def compare(title: str, rows: dict[str, tuple[Callable, Callable]], n: int, calls: int, repetitions: int) -> None:
    """Print the time of `calls` calls for `n` numbers each, in ms for one call and in µs for several."""
    import dpnp

    ours, theirs = dpnp.random.default_rng(1), np.random.Generator(np.random.Philox(1))

    def run_ours(code: Callable) -> None:
        for _ in range(calls):
            x = code(ours, n)
        x.sycl_queue.wait()

    def run_theirs(code: Callable) -> None:
        for _ in range(calls):
            code(theirs, n)

    table = RatioTable(title, {"dpnp": ["dpnp"], "NumPy": ["NumPy"]}, {"dpnp/NumPy": ("dpnp", "NumPy")})
    for name, (mine, other) in rows.items():
        runs = {"dpnp": lambda c=mine: run_ours(c), "NumPy": lambda c=other: run_theirs(c)}
        table.row(name, interleave(runs, repetitions))
    table.close()


def first_call(call: str, repetitions: int) -> Timing:
    """The time of a call in fresh processes that compile all they need."""
    times = []
    for _ in range(repetitions):
        command, environment = [sys.executable, "-c", FIRST_CALL.format(call=call)], os.environ | {"DPEP_CACHE": "off"}
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        times.append(float(done.stdout))
    return Timing(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=11)
    parser.add_argument("--elements", type=int, default=10_000_000)
    options = parser.parse_args()
    print(f"\n{options.elements} numbers, median ms")
    compare("large", LARGE, options.elements, 1, options.repetitions)
    print(f"\n{options.elements // 10} numbers of other distributions, median ms")
    compare("distributions", ROWS, options.elements // 10, 1, options.repetitions)
    few = {name: LARGE[name] for name in ("uniform", "uniform(2, 3)", "normal", "integers")}
    for n in (10, 1000):
        print(f"\n{n} numbers, median µs")
        compare(str(n), few, n, 1000, options.repetitions)
    print("\nFirst call in a fresh process, median ms")
    for call in ("random_sample(1000)", "standard_normal(1000)", "randint(0, 9, 1000)"):
        timing = first_call(call, options.repetitions)
        record(f"first {call}", "dpnp", timing.median)
        print(f"  {call:24}{timing.median:9.2f}  ({timing.spread})")


if __name__ == "__main__":
    main()
