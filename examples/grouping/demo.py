"""Sums of values by key with the extension `grouping`, compared with NumPy's.

CC=dpcxx CXX=dpcxx python setup.py build_ext --inplace
python demo.py
"""

from __future__ import annotations

import dpctl.tensor as dpt
import grouping
import numpy as np


def main() -> None:
    random = np.random.default_rng(1)
    keys, values = random.integers(0, 1000, 1_000_000), random.random(1_000_000)
    groups, sums = grouping.sums_by_key(dpt.asarray(keys), dpt.asarray(values))
    expected = np.bincount(keys, values)
    error = np.max(np.abs(dpt.asnumpy(sums) - expected[dpt.asnumpy(groups)]))
    print(f"{groups.size} groups; the largest difference from numpy.bincount is {error:.1e}")

    nearest = grouping.sorted_by_distance(dpt.asarray(values), 0.5)
    print(f"the value nearest to 0.5 is {float(nearest[0]):.6f}")


if __name__ == "__main__":
    main()
