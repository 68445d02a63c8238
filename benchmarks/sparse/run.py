"""Sparse matrices of dpnp.scipy.sparse compared with SciPy's.

    python benchmarks/sparse/run.py [--repetitions N] [--rows N] [--only WORD]

float64 and int32 indices. Square matrices with 10 and with 100 elements a row at random columns, one with rows and
columns of very different lengths (power), and one of 1,000 rows. Results are compared with SciPy's. SciPy computes with
one thread: `taskset -c 0` compares processors' time.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import warnings

import dpnp
import numpy as np
import scipy.sparse
from dpnp.scipy import sparse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, interleave

# name: the operation of a matrix and the other operands, by their names
OPERATIONS = {
    "A @ x": lambda o: o["A"] @ o["x"],
    "A @ X, 16 columns": lambda o: o["A"] @ o["X"],
    "A.T @ x": lambda o: o["A"].T @ o["x"],
    "A.T @ X, 16 columns": lambda o: o["A"].T @ o["X"],
    "A.sum(0)": lambda o: o["A"].sum(0),
    "A.sum(1)": lambda o: o["A"].sum(1),
    "A.sum()": lambda o: o["A"].sum(),
    "A.max(1)": lambda o: o["A"].max(1),
    "A.tocsc()": lambda o: o["A"].tocsc(),
    "COO to CSR, in order": lambda o: o["A"].tocoo().tocsr(),
    "COO to CSR, shuffled": lambda o: o["shuffled"].tocsr(),
    "A + B": lambda o: o["A"] + o["B"],
    "A.multiply(B)": lambda o: o["A"].multiply(o["B"]),
    "A * 2": lambda o: o["A"] * 2.0,
    "A @ A": lambda o: o["A"] @ o["A"],
    "A[i:j]": lambda o: o["A"][o["n"] // 4 : o["n"] // 2],
    "A[rows]": lambda o: o["A"][o["rows"]],
    "A[:, j:k]": lambda o: o["A"][:, o["n"] // 4 : o["n"] // 2],
    "A.diagonal()": lambda o: o["A"].diagonal(),
    "toarray": lambda o: o["small"].toarray(),
    "from dense": lambda o: type(o["A"])(o["dense"]),
}


def columns(kind: str, rows: int) -> int:
    return 100 if kind == "100 a row" else 10


def random_matrix(kind: str, n: int, seed: int) -> scipy.sparse.csr_matrix:
    rng = np.random.default_rng(seed)
    count = n * columns(kind, n)
    row, col = rng.random(count), rng.random(count)
    if kind == "power":
        row, col = row**3, col**2
    made = scipy.sparse.coo_matrix(
        (rng.standard_normal(count), ((n * row).astype(np.int32), (n * col).astype(np.int32))), shape=(n, n)
    )
    return made.tocsr()


def operands(kind: str, n: int) -> tuple[dict, dict]:
    """The operands on the host and on the device."""
    rng = np.random.default_rng(3)
    a, b = random_matrix(kind, n, 1), random_matrix(kind, n, 2)
    coo = a.tocoo()
    order = rng.permutation(coo.nnz)
    small = a[: min(n, 1000), : min(n, 1000)].tocsr()
    host = {
        "A": a, "B": b, "n": n, "x": rng.random(n), "X": rng.random((n, 16)), "rows": rng.integers(0, n, n // 4),
        "shuffled": scipy.sparse.coo_matrix((coo.data[order], (coo.row[order], coo.col[order])), shape=a.shape),
        "small": small, "dense": small.toarray(),
    }  # fmt: skip

    def on_device(x: object) -> object:
        if scipy.sparse.issparse(x):
            return getattr(sparse, type(x).__name__)(x)
        return dpnp.asarray(x) if isinstance(x, np.ndarray) else x

    return host, {name: on_device(x) for name, x in host.items()}


def wait(made: object) -> object:
    for name in ("data", "indices", "indptr", "row", "col") if sparse.issparse(made) else ("sycl_queue",):
        x = getattr(made, name, None)
        if x is not None:
            (x if name == "sycl_queue" else x.sycl_queue).wait()
    return made


def check(found: object, expected: object) -> None:
    if scipy.sparse.issparse(expected):
        difference = abs(found.get() - expected)
        assert difference.nnz == 0 or difference.max() < 1e-10
        return
    np.testing.assert_allclose(dpnp.asnumpy(found), np.asarray(expected), rtol=1e-9, atol=1e-9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--kinds", nargs="+", default=["10 a row", "100 a row", "power", "1,000 rows"])
    parser.add_argument("--only", default="", help="run the rows whose names contain this word")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    table = RatioTable(f"{'ms':40}", {"dpnp": ["dpnp"], "SciPy": ["SciPy"]}, {"SciPy/dpnp": ("SciPy", "dpnp")})
    for kind in options.kinds:
        n = 1000 if kind == "1,000 rows" else options.rows
        host, device = operands(kind, n)
        for name, operation in OPERATIONS.items():
            if options.only not in name or (name == "A @ A" and kind in ("100 a row", "power") and n > 10_000):
                continue  # too many products
            check(operation(device), operation(host))
            runs = {
                "dpnp": lambda f=operation, o=device: wait(f(o)),
                "SciPy": lambda f=operation, o=host: f(o),
            }
            table.row(f"{name + ', ' + kind:40}", interleave(runs, options.repetitions, 1))
    table.close()


if __name__ == "__main__":
    main()
