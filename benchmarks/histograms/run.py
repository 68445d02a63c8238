"""Counts of elements in bins, and updates of bins: dpnp compared with NumPy.

    python benchmarks/histograms/run.py [--repetitions N] [--elements N]

10 to 10,000,000 elements in 10 to 100,000 bins.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import dpnp
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, interleave


def updated(m, name: str, data: dict, bins: int):
    """The bins, updated by the numbers with the method `at` of a function."""
    x = m.ones(bins)
    getattr(m, name).at(x, data["bins"], data["numbers"])
    return x


FUNCTIONS = {
    "bincount": lambda m, data, edges: m.bincount(data["bins"]),
    "bincount with weights": lambda m, data, edges: m.bincount(data["bins"], data["numbers"]),
    "histogram": lambda m, data, edges: m.histogram(data["numbers"], edges.size - 1)[0],
    "histogram with given edges": lambda m, data, edges: m.histogram(data["numbers"], edges)[0],
    "digitize": lambda m, data, edges: m.digitize(data["numbers"], edges),
    "add.at": lambda m, data, edges: updated(m, "add", data, edges.size - 1),
    "maximum.at": lambda m, data, edges: updated(m, "maximum", data, edges.size - 1),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--elements", type=int, default=10_000_000)
    options = parser.parse_args()
    random = np.random.default_rng(1)
    for name, function in FUNCTIONS.items():
        print(f"\n{name}, median ms (arrays of fewer than 100,000 elements: of 100,000 / elements calls)")
        table = RatioTable(name, {"dpnp": ["dpnp"], "NumPy": ["NumPy"]}, {"dpnp/NumPy": ("dpnp", "NumPy")})
        for elements in (10, 1000, 100_000, options.elements):
            for bins in (10, 1000, 100_000):
                data = {"bins": random.integers(0, bins, elements), "numbers": random.normal(size=elements)}
                ours = {key: dpnp.asarray(value) for key, value in data.items()}
                edges = np.sort(random.normal(size=bins + 1))
                on_device = dpnp.asarray(edges)
                calls = max(1, 100_000 // elements)

                def run_ours(f=function, x=ours, e=on_device, calls=calls) -> None:
                    for _ in range(calls):
                        result = f(dpnp, x, e)
                    result.sycl_queue.wait()

                def run_theirs(f=function, x=data, e=edges, calls=calls) -> None:
                    for _ in range(calls):
                        f(np, x, e)

                title = f"{elements} elements, {bins} bins"
                table.row(title, interleave({"dpnp": run_ours, "NumPy": run_theirs}, options.repetitions))
        table.close()


if __name__ == "__main__":
    main()
