"""Solves a linear system with the extension `linear_systems` and compares the solution with dpctl.tensor's.

CC=dpcxx CXX=dpcxx python setup.py build_ext --inplace
python demo.py
"""

from __future__ import annotations

import dpctl.tensor as dpt
import linear_systems
import numpy as np


def system(n: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """A symmetric positive definite matrix and a right side."""
    random = np.random.default_rng(1)
    a = random.standard_normal((n, n))
    return (a @ a.T / n + np.eye(n)).astype(dtype), random.standard_normal(n).astype(dtype)


def main() -> None:
    matrix, right = system(500, "f8")
    a, b = dpt.asarray(matrix), dpt.asarray(right)
    x = dpt.zeros_like(b)
    iterations = linear_systems.solve(a.sycl_queue, a, b, x, tolerance=1e-10)
    expected = dpt.linalg.solve(a, b)
    error = float(dpt.max(dpt.abs(x - expected)))
    print(f"{iterations} iterations; the largest difference from dpctl.tensor.linalg.solve is {error:.1e}")

    product = dpt.empty_like(b)
    released, done = linear_systems.gemv(a.sycl_queue, a, x, product)
    done.wait()
    print(f"the largest element of the residual is {float(dpt.max(dpt.abs(product - b))):.1e}")
    released.wait()


if __name__ == "__main__":
    main()
