"""Order statistics, convolutions, interpolation, segments, sets and polynomials: dpnp compared with NumPy.

    python benchmarks/statistics/run.py [--repetitions N] [--elements N ...] [--only WORD]

10, 1,000, 1,000,000 and 10,000,000 elements.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import dpnp
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, interleave

FUNCTIONS = {
    "median": lambda m, x: m.median(x["a"]),
    "median of rows of 100": lambda m, x: m.median(x["rows"], axis=1),
    "percentile, 3 of them": lambda m, x: m.percentile(x["a"], [5, 50, 95]),
    "nanmedian": lambda m, x: m.nanmedian(x["nan"]),
    "nanquantile of rows of 100": lambda m, x: m.nanquantile(x["nan rows"], 0.9, axis=1),
    "convolve with 3": lambda m, x: m.convolve(x["a"], x["few"]),
    "convolve with 64": lambda m, x: m.convolve(x["a"], x["weights"][:64]),
    "convolve with 1,000": lambda m, x: m.convolve(x["a"], x["weights"]),
    "correlate with 4,000": lambda m, x: m.correlate(x["a"], x["many weights"], "same"),
    "convolve of int64 with 64": lambda m, x: m.convolve(x["integers"], x["integers"][:64]),
    "interp": lambda m, x: m.interp(x["a"], x["points"], x["values"]),
    "interp of sorted elements": lambda m, x: m.interp(x["sorted"], x["points"], x["values"]),
    "interp of complex values": lambda m, x: m.interp(x["a"], x["points"], x["complex values"]),
    "add.reduceat by 100": lambda m, x: m.add.reduceat(x["a"], x["starts"]),
    "maximum.reduceat by 100": lambda m, x: m.maximum.reduceat(x["a"], x["starts"]),
    "corrcoef of 10 variables": lambda m, x: m.corrcoef(x["variables"]),
    "lexsort of 2 keys": lambda m, x: m.lexsort((x["a"], x["integers"])),
    "intersect1d": lambda m, x: m.intersect1d(x["integers"], x["others"]),
    "setxor1d": lambda m, x: m.setxor1d(x["integers"], x["others"]),
    "unravel_index": lambda m, x: m.unravel_index(x["flat"], x["shape"]),
    "packbits": lambda m, x: m.packbits(x["bits"]),
    "polyval of degree 8": lambda m, x: m.polyval(x["coefficients"], x["a"]),
    "polyfit of degree 3": lambda m, x: m.polyfit(x["a"], x["a"], 3),
}
LONGEST_FOR_NUMPY = {
    "correlate with 4,000": 1_000_000,
    "convolve with 1,000": 1_000_000,
    "nanquantile of rows of 100": 1_000_000,  # NumPy calls a Python function for each row
}


def data_of(elements: int, random: np.random.Generator) -> dict[str, np.ndarray]:
    a = random.normal(size=elements)
    nan = np.where(random.random(elements) < 0.1, np.nan, a)
    columns = min(elements, 100)
    shape = (elements // columns, columns)
    integers = random.integers(0, elements, elements)
    points = np.sort(random.normal(size=100))
    return {
        "a": a,
        "rows": a.reshape(shape),
        "nan": nan,
        "nan rows": nan.reshape(shape),
        "few": a[:3],
        "weights": random.normal(size=1000),
        "many weights": random.normal(size=4000),
        "integers": integers,
        "others": random.integers(0, elements, elements),
        "flat": integers // 10 * 10,
        "shape": (elements // 10, 10),
        "points": points,
        "values": points**2,
        "complex values": points**2 + 1j * points,
        "sorted": np.sort(a),
        "starts": np.arange(0, elements, min(elements, 100)),
        "variables": a.reshape(10, -1),
        "bits": a > 0,
        "coefficients": random.normal(size=9),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--elements", type=int, nargs="*", default=[10, 1000, 1_000_000, 10_000_000])
    parser.add_argument("--only", default="", help="the functions whose names contain this")
    options = parser.parse_args()
    random = np.random.default_rng(1)
    for name, function in FUNCTIONS.items():
        if options.only not in name:
            continue
        print(f"\n{name}, median ms (arrays of fewer than 10,000 elements: of 10,000 / elements calls)")
        table = RatioTable(name, {"dpnp": ["dpnp"], "NumPy": ["NumPy"]}, {"dpnp/NumPy": ("dpnp", "NumPy")})
        for elements in options.elements:
            if elements > LONGEST_FOR_NUMPY.get(name, elements):
                continue
            theirs = data_of(elements, random)
            ours = theirs | {key: dpnp.asarray(value) for key, value in theirs.items() if isinstance(value, np.ndarray)}
            calls = max(1, 10_000 // elements)

            def run_ours(f=function, x=ours, calls=calls) -> None:
                for _ in range(calls):
                    result = f(dpnp, x)
                result = result[0] if isinstance(result, tuple) else result
                result.sycl_queue.wait()

            def run_theirs(f=function, x=theirs, calls=calls) -> None:
                for _ in range(calls):
                    f(np, x)

            table.row(f"{elements} elements", interleave({"dpnp": run_ours, "NumPy": run_theirs}, options.repetitions))
        table.close()


if __name__ == "__main__":
    main()
