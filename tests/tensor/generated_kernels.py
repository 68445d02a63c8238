"""Comparison of array operations with NumPy's. Run by test_generated_kernels.py, and by hand on a GPU
(`python tests/tensor/generated_kernels.py`). Prints a line for each operation whose result differs."""

from __future__ import annotations

import sys

import dpctl.tensor as dpt
import dpnp
import numpy as np

numbers = np.random.default_rng(0)
ROWS, COLUMNS = 130, 1001


def softmax(m, x, axis):
    e = m.exp(x - m.max(x, axis=axis, keepdims=True))
    return e / m.sum(e, axis=axis, keepdims=True)


def density(m, x, y):
    return m.mean(m.exp(-2 * m.sum((x[:, None] - y) ** 2, axis=-1)), axis=0)


def normalised(m, x):
    centred = x - m.mean(x, axis=1, keepdims=True)
    return centred / m.sqrt(m.mean(centred * centred, axis=1, keepdims=True))


def order(m, x):
    return m.argsort(x, axis=-1, kind="stable") if m is np else m.argsort(x)


def sorts(code: str):
    """Rows of several tiles, of one, and of equal digits. Not float16: NumPy 2.4 sorts it wrongly with AVX-512."""
    if code == "e":
        return
    wide = (
        numbers.integers(0, 2**63, 40_001).astype(code) if code in "?bHiL" else numbers.normal(size=40_001).astype(code)
    )
    wide[::7] = wide[3]
    yield "several tiles of", wide
    yield "rows of several tiles of", wide[:39_999].reshape(3, 13_333)
    yield "short rows of", wide[:39_900].reshape(57, 700)
    yield "few different", (np.arange(30_000) % 5).astype(code)
    yield "equal", np.ones(20_000, code)


def cases(dtype: str):
    """Tuples of a name, arguments, and a function of the library's module and the arguments."""
    a = numbers.random((ROWS, COLUMNS)).astype(dtype)
    b = numbers.random((ROWS, COLUMNS)).astype(dtype)
    long = numbers.random(300_001).astype(dtype)
    x, y = numbers.random((5000, 7)).astype(dtype), numbers.random((17, 7)).astype(dtype)
    yield "add", (a, b), lambda m, a, b: a + b
    yield "many", (long, long[::-1].copy()), lambda m, a, b: a * b + m.exp(a) - m.sqrt(b)
    yield "broadcast", (a, b[0]), lambda m, a, b: a * b + 1
    yield "strides", (long,), lambda m, a: a[1:200_001:2] + a[::-3][:100_000]
    yield "not aligned", (long,), lambda m, a: a[1:200_000] * 2
    yield "transposed", (a, b), lambda m, a, b: m.asarray((a + 1).T, order="C", copy=True)
    yield "both orders", (a, b), lambda m, a, b: a[:ROWS, :ROWS].T * b[:ROWS, :ROWS]
    rows, columns = numbers.integers(0, ROWS, 300), numbers.integers(-COLUMNS, COLUMNS, 500)
    order = numbers.permutation(long.size)
    yield "gather", (long, order), lambda m, a, i: a[i] * 2 + a
    yield "gathered rows", (a, rows), lambda m, a, i: a[i] + 1
    yield "gathered columns", (a, columns), lambda m, a, i: a[:, i] * a[:, :1]
    yield "gathered rows and columns", (a, rows, columns), lambda m, a, i, j: a[i[:, None], j]
    different_rows = numbers.permutation(ROWS)[:90]
    yield "stored rows", (a, different_rows, b), lambda m, a, i, b: stored(m, a, i, b[:90])
    yield "stored elements", (long, order), lambda m, a, i: stored(m, a, i, a)
    yield "stored number", (long, order), lambda m, a, i: stored(m, a, i[:200_000], 0.5)
    for count in (2, 3, 4):
        yield f"{count} interleaved", (long,), lambda m, a, n=count: interleaved(m, a, n)
    yield "small products", (a, b), lambda m, a, b: small(m, a, 4) @ small(m, b, 4)
    yield "small products, odd", (a, b), lambda m, a, b: small(m, a, 5) @ m.matrix_transpose(small(m, b, 5))
    yield "sum of gathered rows", (a, rows), lambda m, a, i: m.sum(a[i], axis=1)
    yield "sum of a gather", (long, order), lambda m, a, i: m.sum(a[i] * a)
    yield "gather at computed indices", (long, order), lambda m, a, i: a[(i + 5) // 7]
    few = np.floor(long * 100)
    yield "search", (np.sort(long), a), lambda m, s, v: m.searchsorted(s, v)
    yield "search behind", (np.sort(few), few), lambda m, s, v: m.searchsorted(s[::-3][::-1], v, side="right")
    yield "search for sorted needles", (np.sort(long), np.sort(a.ravel())), lambda m, s, v: m.searchsorted(s, v)
    yield "search for needles near each other", (np.sort(long), few[:999] / 1e4), lambda m, s, v: m.searchsorted(s, v)
    for shifts, axes in ((3, 0), (-1, 1), ((1, -2), (0, 1)), ((0, 5), (0, 1)), (777, None)):
        yield f"roll by {shifts}", (a, b), lambda m, a, b, s=shifts, x=axes: m.roll(a, s, axis=x) * b + m.roll(b, 1)
    yield "roll of a view", (a,), lambda m, a: m.roll(a[::-2, 5:].T, (2, 3), axis=(0, 1)) + 1
    yield "sum of a roll", (a,), lambda m, a: m.sum(m.roll(a, 4, axis=1) * a, axis=0)
    yield "membership", (few, few[:30]), lambda m, a, t: m.isin(a, t)
    for part in range(4):
        yield f"different elements, part {part}", (few,), lambda m, a, part=part: different(m, a)[part]
    yield "cast", (a,), lambda m, a: m.astype(a * 100, "int16")
    yield "where", (a, b), lambda m, a, b: m.where(a > b, a, m.clip(b, 0.25, 0.5))
    for axis in (None, 0, 1):
        yield f"sum {axis}", (a,), lambda m, a, axis=axis: m.sum(a, axis=axis)
        yield f"largest {axis}", (a,), lambda m, a, axis=axis: m.max(a * 2, axis=axis)
        yield f"place {axis}", (a,), lambda m, a, axis=axis: m.argmax(a, axis=axis)
        yield f"var {axis}", (a,), lambda m, a, axis=axis: m.var(a, axis=axis)
        yield f"any {axis}", (a,), lambda m, a, axis=axis: m.any(a > 0.999, axis=axis)
    yield "sum of a long one", (long,), lambda m, a: m.sum(a)
    yield "few columns", (long[:300_000].reshape(-1, 6),), lambda m, a: m.sum(a, axis=0)
    yield "few rows", (long[:300_000].reshape(6, -1),), lambda m, a: m.max(a, axis=1)
    yield "middle axis", (long[:300_000].reshape(10, 300, 100),), lambda m, a: m.sum(a, axis=1)
    yield "outer axes", (long[:300_000].reshape(10, 300, 100),), lambda m, a: m.sum(a, axis=(0, 2))
    yield "softmax 0", (a,), lambda m, a: softmax(m, a, 0)
    yield "softmax 1", (a,), lambda m, a: softmax(m, a, 1)
    yield "normalised", (a,), normalised
    yield "normalised by a short axis", (a[:3],), lambda m, a: (a - m.mean(a, axis=0)) / m.std(a, axis=0)
    yield "density", (x, y), density
    yield "nearest", (x, y[:8]), lambda m, x, y: m.argmin(m.sum((x[:, None] - y) ** 2, axis=-1), axis=1)
    for axis in (0, 1):
        yield f"running {axis}", (a,), lambda m, a, axis=axis: cumulative(m, a, axis)
    yield "running", (long,), lambda m, a: cumulative(m, a, 0)
    yield "running, short rows", (long[:30_000].reshape(300, 100),), lambda m, a: cumulative(m, a, 1)
    yield "running, shorter rows", (long[:30_000].reshape(-1, 40),), lambda m, a: cumulative(m, a, 1)
    yield "running, odd rows", (long[:29_997].reshape(99, 303),), lambda m, a: cumulative(m, a, 1)
    yield "running, few columns", (long[:60_000].reshape(-1, 3),), lambda m, a: cumulative(m, a, 0)
    yield "running, some columns", (long[:89_925].reshape(-1, 109),), lambda m, a: cumulative(m, a, 0)
    yield "running, middle axis", (long[:90_000].reshape(150, 60, 10),), lambda m, a: cumulative(m, a, 1)
    # sums of consecutive elements stay finite, other partial sums overflow
    large = np.ldexp(1.5, np.finfo(dtype).maxexp - 3)
    far = np.tile(np.repeat([large, -large], 4).astype(dtype), 12_500)
    yield "running, far from zero", (far,), lambda m, a: cumulative(m, a, 0)
    yield "running, rows far from zero", (far.reshape(-1, 400),), lambda m, a: cumulative(m, a, 1)
    yield "running, long rows far from zero", (far.reshape(2, -1),), lambda m, a: cumulative(m, a, 1)
    yield "running, columns far from zero", (far.reshape(-1, 4),), lambda m, a: cumulative(m, a, 0)
    yield "running, many tiles", (np.ones(3_000_000, dtype),), lambda m, a: cumulative(m, a, 0)
    yield "running, blocks of tiles", (np.ones(5_000_001, dtype),), lambda m, a: cumulative(m, a, 0)


def different(m, a):
    return np.unique(a, True, True, True) if m is np else dpt.unique_all(a)


def interleaved(m, a, count):
    return m.stack([a[k : k + 200_001] for k in range(count)], axis=1)


def stored(m, a, i, b):
    """A copy of a with the values b at the indices i."""
    result = m.asarray(a, copy=True)
    result[i] = b
    return result


def small(m, a, n):
    """The elements as matrices of n x n, from 2^14 rows on."""
    count = a.shape[0] * a.shape[1] // (n * n)
    return m.reshape(m.reshape(a, (-1,))[: count * n * n], (count, n, n))


def count(m, *arguments):
    return np.bincount(*arguments) if m is np else dpnp.bincount(*arguments)


def cumulative(m, a, axis):
    return np.cumsum(a, axis=axis) if m is np else dpt.cumulative_sum(a, axis=axis)


def logarithms(m, a, axis):
    return np.logaddexp.accumulate(a, axis) if m is np else dpt.cumulative_logsumexp(a, axis=axis)


def windows(a, size):
    """The elements of windows, in two axes more, beyond the borders those of the array again."""
    return np.lib.stride_tricks.sliding_window_view(np.pad(a, size // 2, "symmetric"), (size, size))


def correlated(m, a, weights):
    if m is not np:
        return dpnp.scipy.ndimage.correlate(dpnp.asarray(a), weights)
    return (windows(a, 3) * weights).sum((-2, -1)).astype(a.dtype)


def smoothed(m, a):
    if m is not np:
        return dpnp.scipy.ndimage.correlate1d(dpnp.asarray(a), [1, 2, 1])
    return np.lib.stride_tricks.sliding_window_view(np.pad(a, ((0, 0), (1, 1)), "symmetric"), 3, 1) @ [1, 2, 1]


def ranked(m, a, name, of_numpy):
    if m is not np:
        return getattr(dpnp.scipy.ndimage, name)(dpnp.asarray(a), 5)
    return of_numpy(windows(a, 5), axis=(-2, -1)).astype(a.dtype)


def raised(m, a, structure):
    if m is not np:
        return dpnp.scipy.ndimage.grey_dilation(dpnp.asarray(a), structure=structure)
    return (windows(a, 3) + structure[::-1, ::-1]).max((-2, -1)).astype(a.dtype)


def apart(m, a, b, metric, term):
    if m is not np:
        return dpnp.scipy.spatial.distance.cdist(dpnp.asarray(a), dpnp.asarray(b), metric)
    return term(a[:, None], b[None])


def pairs(m, a):
    if m is not np:
        return dpnp.scipy.spatial.distance.pdist(dpnp.asarray(a), "cityblock", w=dpnp.ones(a.shape[1]))
    return np.abs(a[:, None] - a[None]).sum(-1)[np.triu_indices(len(a), 1)]


METRICS = {
    "sqeuclidean": lambda u, v: ((u - v) ** 2).sum(-1), "chebyshev": lambda u, v: np.abs(u - v).max(-1),
    "canberra": lambda u, v: (np.abs(u - v) / (np.abs(u) + np.abs(v))).sum(-1),
    "hamming": lambda u, v: (u != v).mean(-1), "cosine": lambda u, v: 1 - (u * v).sum(-1) / np.sqrt(
        (u * u).sum(-1) * (v * v).sum(-1)), "braycurtis": lambda u, v: np.abs(u - v).sum(-1) / np.abs(u + v).sum(-1),
}  # fmt: skip


def filters_and_distances():
    i = numbers.integers(0, 100, (61, 140))
    weights, structure = numbers.random((3, 3)), numbers.integers(0, 9, (3, 3)).astype("f8")
    for code in "?bBhHiIlLfd":
        a = i.astype(code)
        for name, of_numpy in (("minimum_filter", np.min), ("maximum_filter", np.max), ("median_filter", np.median)):
            yield f"{name} {code}", (a,), lambda m, a, n=name, f=of_numpy: ranked(m, a, n, f)
        if code != "?":
            yield f"correlate {code}", (a, weights), correlated
            yield f"dilation {code}", (a, structure), raised
    yield "symmetric weights", (i * 1.5,), smoothed
    x, y = numbers.random((70, 9)), numbers.random((45, 9))
    for metric, term in METRICS.items():
        yield metric, (x, y), lambda m, a, b, n=metric, t=term: apart(m, a, b, n, t)
    yield "pairs", (x,), pairs


def other_types():
    c = (numbers.random(9001) + 1j * numbers.random(9001)).astype("c16")
    h = numbers.random(9001).astype("f2")
    i = numbers.integers(-100, 100, (97, 101))
    yield "complex", (c,), lambda m, c: m.sqrt(c) * c / (c + 1)
    yield "complex sum", (c.astype("c8"),), lambda m, c: m.sum(c)
    yield "half", (h,), lambda m, h: h * h + h
    yield "half sum", (h,), lambda m, h: m.sum(h, dtype="float32")
    yield "integers", (i,), lambda m, i: i // 7 + i % 5 - (i << 2)
    yield "bytes", (i.astype("i1"),), lambda m, i: m.max(i + i, axis=0)
    yield "bools", (i > 0, i > 50), lambda m, a, b: a & ~b
    yield "all", (i,), lambda m, i: m.all(i > -100, axis=1)
    yield "count", (i,), lambda m, i: m.count_nonzero(i, axis=0)
    yield "product", ((i % 3).astype("f8") + 0.5,), lambda m, i: m.prod(i, axis=1)
    small = (i % 3 - 1).astype("i1")
    yield "running integers", (small,), lambda m, i: cumulative(m, i, 0)
    yield "running complex", (c[:9000].reshape(-1, 9),), lambda m, c: cumulative(m, c, 0)
    yield "running complex rows", (c[:9000].reshape(-1, 90),), lambda m, c: cumulative(m, c, 1)
    for bins in (30, 5000):
        many = numbers.integers(0, bins, 50_000)
        weights = numbers.random(many.size)
        yield f"count in {bins}", (many,), count
        yield f"weights in {bins}", (many, weights), count
    for code in "?bHiLeFD":
        some = np.append(i.ravel()[:3000].astype(code), np.array([0.0, np.nan]).astype(code if code in "eFD" else "?"))
        yield f"search {code}", (np.sort(some), some), lambda m, s, v: m.searchsorted(s, v, side="right")
        for name, sorted_ in sorts(code):
            yield f"sort of {name} {code}", (sorted_,), lambda m, a: m.sort(a)
            yield f"order of {name} {code}", (sorted_,), order
    for axis in (0, 1):
        yield f"running logarithms {axis}", (i / 100,), lambda m, a, axis=axis: logarithms(m, a, axis)
    yield "ramp", (), lambda m: m.arange(3, 90_000, 7, dtype="int32") * 2
    yield "reals", (), lambda m: m.linspace(0, 1, 10_001)
    yield from filters_and_distances()


def main() -> int:
    wrong = 0
    for dtype in ("float32", "float64", ""):
        for name, arguments, function in cases(dtype) if dtype else other_types():
            wanted = np.asarray(function(np, *arguments))
            got = dpt.asnumpy(function(dpt, *(dpt.asarray(a) for a in arguments)))
            exact = wanted.dtype.kind in "biu"
            near = 1e-3 if wanted.dtype in (np.float16, np.float32, np.complex64) else 1e-11
            if got.shape != wanted.shape or not np.allclose(
                got, wanted, rtol=0 if exact else near, atol=0 if exact else near
            ):
                wrong += 1
                print(f"{name} of {dtype or 'other types'}: {got.ravel()[:5]}, wanted {wanted.ravel()[:5]}")
    print("done" if not wrong else f"{wrong} differ")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
