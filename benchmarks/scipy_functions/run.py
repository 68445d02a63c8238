"""Special functions and linear algebra of dpnp.scipy compared with SciPy.

    python benchmarks/scipy_functions/run.py [--repetitions N] [--elements N ...] [--only WORD]

float64. Special functions of 10, 1,000 and 1,000,000 elements; matrices of 8, 100 and 1,000 rows, and 1,000 matrices of
8 rows. Results are compared with SciPy's.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import warnings

import dpnp
import numpy as np
import scipy.linalg
import scipy.special

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, interleave

# name: the range of the operands
UNARY = {
    "erf": (-3, 3), "erfc": (-3, 10), "erfinv": (-0.99, 0.99), "erfcinv": (0.01, 1.99), "erfcx": (-3, 30),
    "ndtr": (-8, 8), "ndtri": (0.01, 0.99), "log_ndtr": (-30, 8), "expit": (-10, 10), "logit": (0.01, 0.99),
    "log_expit": (-10, 10), "gamma": (0.1, 100), "gammaln": (0.1, 100), "digamma": (0.1, 100), "zeta": (1.1, 30),
    "i0": (-10, 10), "i1e": (-10, 10), "j0": (0.1, 30), "j1": (0.1, 30), "y0": (0.1, 30), "entr": (0.1, 3),
}  # fmt: skip
BINARY = {
    "gammainc": ((0.1, 30), (0.1, 30)), "gammaincc": ((0.1, 30), (0.1, 30)), "beta": ((0.1, 30), (0.1, 30)),
    "betaln": ((0.1, 100), (0.1, 100)), "xlogy": ((0.1, 3), (0.1, 3)), "rel_entr": ((0.1, 3), (0.1, 3)),
    "kl_div": ((0.1, 3), (0.1, 3)), "zeta": ((1.1, 30), (0.1, 30)),
}  # fmt: skip
MATRICES = {
    "lu": lambda m, x: m.lu(x["a"], check_finite=False),
    "lu_factor": lambda m, x: m.lu_factor(x["a"], check_finite=False),
    "lu_solve": lambda m, x: m.lu_solve(x["factors"], x["b"], check_finite=False),
    "cho_factor": lambda m, x: m.cho_factor(x["positive"], check_finite=False),
    "cho_solve": lambda m, x: m.cho_solve(x["cho_factors"], x["b"], check_finite=False),
    "solve_triangular": lambda m, x: m.solve_triangular(x["triangle"], x["b"], check_finite=False),
    "solve": lambda m, x: m.solve(x["a"], x["b"], check_finite=False),
    "expm": lambda m, x: m.expm(x["a"]),
}


def wait(results: object) -> None:
    for result in results if isinstance(results, tuple) else (results,):
        if isinstance(result, dpnp.ndarray):
            result.sycl_queue.wait()


def compare(name: str, repetitions: int, ours: object, theirs: object, rows: RatioTable, tolerance: float) -> None:
    def run() -> object:
        made = ours()
        wait(made)
        return made

    found, expected = run(), theirs()
    if isinstance(found, tuple):
        found, expected = found[0], expected[0]
    found, expected = dpnp.asnumpy(found), np.asarray(expected)
    if name.startswith("cho_factor"):  # SciPy does not clear the other triangle
        found, expected = np.triu(found), np.triu(expected)
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * scale)
    rows.row(f"{name:32}", interleave({"dpnp": run, "SciPy": theirs}, repetitions))


def special_functions(options: argparse.Namespace, elements: int, rows: RatioTable) -> None:
    random = np.random.default_rng(1)
    ranges = {name: (given,) for name, given in UNARY.items()} | {
        f"{name} of two": given for name, given in BINARY.items()
    }
    for name, bounds in ranges.items():
        if options.only not in name:
            continue
        operands = [random.uniform(low, high, elements) for low, high in bounds]
        arrays = [dpnp.array(x) for x in operands]
        ours, theirs = (getattr(m.special, name.split()[0]) for m in (dpnp.scipy, scipy))
        compare(
            f"{name}, {elements:,}",
            options.repetitions,
            lambda f=ours, x=arrays: f(*x),
            lambda f=theirs, x=operands: f(*x),
            rows,
            1e-11,
        )
    columns = min(elements, 100)
    x = random.normal(size=(elements // columns, columns))
    y = dpnp.array(x)
    for name in ("softmax", "logsumexp"):
        if options.only in name:
            ours, theirs = (getattr(m.special, name) for m in (dpnp.scipy, scipy))
            compare(
                f"{name} of rows, {elements:,}",
                options.repetitions,
                lambda f=ours: f(y, axis=1),
                lambda f=theirs: f(x, axis=1),
                rows,
                1e-11,
            )


def linear_algebra(options: argparse.Namespace, n: int, count: int, rows: RatioTable) -> None:
    shape = (count, n) if count > 1 else (n,)
    random = np.random.default_rng(2)
    a = random.normal(size=(*shape, n)) / np.sqrt(n)
    given = {
        "a": a,
        "b": random.normal(size=(*shape, 4)),
        "triangle": a + 3 * np.eye(n),
        "positive": a @ a.mT + np.eye(n),
    }
    arrays = {key: dpnp.array(value) for key, value in given.items()}
    for m, x in ((scipy.linalg, given), (dpnp.scipy.linalg, arrays)):
        x["factors"], x["cho_factors"] = m.lu_factor(x["a"]), m.cho_factor(x["positive"])
    for name, function in MATRICES.items():
        if options.only in name:
            size = f"{count:,} x {n}" if count > 1 else f"{n}"
            compare(
                f"{name} {size}",
                options.repetitions,
                lambda f=function: f(dpnp.scipy.linalg, arrays),
                lambda f=function: f(scipy.linalg, given),
                rows,
                1e-6,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--elements", type=int, nargs="+", default=[10, 1_000, 1_000_000])
    parser.add_argument("--only", default="", help="run the rows whose names contain this word")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = RatioTable(
        f"{'float64, ms':32}", {"dpnp": ["dpnp"], "SciPy": ["SciPy"]}, {"dpnp / SciPy": ("dpnp", "SciPy")}
    )
    for elements in options.elements:
        special_functions(options, elements, rows)
    for n, count in ((8, 1), (100, 1), (1000, 1), (8, 1000)):
        linear_algebra(options, n, count, rows)
    rows.close()


if __name__ == "__main__":
    main()
