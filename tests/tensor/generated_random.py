"""Comparison of dpnp.random with NumPy's numbers at all positions in a block of the sequence. Run by
test_generated_kernels.py, and by hand on a GPU. Prints a line for each call whose result differs."""

from __future__ import annotations

import itertools
import sys

import dpnp
import numpy as np

CALLS = {
    "random": lambda m, g, n: g.random(n),
    "random float32": lambda m, g, n: g.random(n, dtype="f4"),
    "uint32": lambda m, g, n: g.integers(0, 2**32, n, dtype="u4"),
    "uint64": lambda m, g, n: g.integers(0, 2**63, n, dtype="u8"),
    "int8": lambda m, g, n: g.integers(0, 128, n, dtype="i1"),
    "few rejected": lambda m, g, n: g.integers(-3, 1000, n),
    "many rejected": lambda m, g, n: g.integers(0, 3 * 2**30, n),
    "rows": lambda m, g, n: g.random((n, 3)),
    "columns": lambda m, g, n: g.random((5, n)).T * 2,
    "strided": lambda m, g, n: g.random((n, 3))[::2, 1] + 1,
    "several": lambda m, g, n: (g.random(n) * 2 + g.random(n, dtype="f4")).astype("f4"),
    "with an array": lambda m, g, n: g.random(n) + m.arange(n),
    "sums of rows": lambda m, g, n: g.random((n, 4)).sum(axis=1),
    "sums of columns": lambda m, g, n: g.random((4, n)).sum(axis=0),
    "mean": lambda m, g, n: g.random(n).mean(),
    "largest": lambda m, g, n: g.random(n, dtype="f4").max(),
}
STREAMS = {
    "normal": lambda g, n: g.standard_normal(n),
    "normal float32": lambda g, n: g.standard_normal(n, dtype="f4"),
    "normal rows": lambda g, n: g.standard_normal((n, 3)) + 1,
    "exponential": lambda g, n: g.exponential(2, n),
    "normal and uniform": lambda g, n: g.standard_normal(n) * g.random(n) + g.random(n, dtype="f4"),
    "gamma": lambda g, n: g.gamma(2.5, size=n),
}
PERMUTATIONS = {
    "permutation": lambda m, g, n: g.permutation(n),
    "shuffled rows": lambda m, g, n: _shuffled(m, g, n),
    "permuted rows": lambda m, g, n: g.permuted(m.arange(2 * n).reshape(2, n), axis=1),
    "choice of all": lambda m, g, n: g.choice(n, n, replace=False),
    "choice of a third": lambda m, g, n: g.choice(n, n // 3, replace=False),
    "choice without order": lambda m, g, n: g.choice(n, n // 10, replace=False, shuffle=False),
}
PERMUTED_SIZES = [20_000, 32_767, 32_768, 32_769, 65_537, 131_073, 300_007, 1_048_577]
SIZES = [1, 3, 4, 8, 9, 1001, 4099, 100_003]


def streams_that_differ() -> int:
    """Compare numbers with those of every third element, which are computed one by one."""
    wrong = 0
    for (name, call), drawn, n in itertools.product(STREAMS.items(), (0, 1, 2), SIZES):
        results = []
        for step in (1, 3, 3, 3):
            generator = dpnp.random.Generator(dpnp.random.Philox(3))
            if drawn:
                generator.standard_normal(drawn)
            results.append(dpnp.asnumpy(call(generator, n)[max(len(results) - 1, 0) :: step] * 2))
        whole, *parts = results
        if not all((whole[k::3] == part).all() for k, part in enumerate(parts)):
            wrong += 1
            print(f"{name}, {n} after {drawn} numbers")
    return wrong


def _shuffled(module: object, generator: object, n: int) -> object:
    x = module.arange(2 * n).reshape(n, 2)
    generator.shuffle(x)
    return x


def main() -> int:
    wrong = streams_that_differ()
    calls = itertools.chain(
        itertools.product(CALLS.items(), (0, 1, 2, 3, 6), (False, True), SIZES),
        itertools.product(PERMUTATIONS.items(), (0, 3), (False, True), PERMUTED_SIZES),
    )
    for (name, call), words, half, n in calls:
        ours, theirs = dpnp.random.Generator(dpnp.random.Philox(2)), np.random.Generator(np.random.Philox(2))
        for generator in (ours, theirs):
            if words:
                generator.random(words)
            if half:
                generator.random(1, dtype="f4")
        got, wanted = dpnp.asnumpy(call(dpnp, ours, n)), np.asarray(call(np, theirs, n))
        near = 1e-5 if "float32" in name or name == "several" else 1e-12
        same = np.allclose(got, wanted, rtol=near, atol=0) if wanted.dtype.kind == "f" else (got == wanted).all()
        if got.shape != wanted.shape or not same or dpnp.asnumpy(ours.random(3)).tolist() != theirs.random(3).tolist():
            wrong += 1
            print(f"{name}, {n} after {words} words and {'a' if half else 'no'} half: {got.ravel()[:5]}")
    print("done" if not wrong else f"{wrong} differ")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
