"""Short programs as users of Numba write them, as dpjit functions, compared with Python on NumPy's arrays."""

from __future__ import annotations

import math

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from test_dpjit import check

NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def quicksort(a):
    stack = dpnp.empty((64, 2), dtype=dpnp.int64)
    top = 0
    stack[0, 0], stack[0, 1] = 0, a.size - 1
    swaps = 0
    while top >= 0:
        lo, hi = stack[top, 0], stack[top, 1]
        top -= 1
        if lo >= hi:
            continue
        pivot = a[(lo + hi) // 2]
        i, j = lo, hi
        while i <= j:
            while a[i] < pivot:
                i += 1
            while a[j] > pivot:
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                swaps += 1
                i += 1
                j -= 1
        top += 1
        stack[top, 0], stack[top, 1] = lo, j
        top += 1
        stack[top, 0], stack[top, 1] = i, hi
    return swaps


def flood(grid, y0, x0, value):
    h, w = grid.shape
    queue = dpnp.empty((h * w, 2), dtype=dpnp.int32)
    old = grid[y0, x0]
    head, tail = 0, 1
    queue[0] = (y0, x0)
    grid[y0, x0] = value
    while head < tail:
        y, x = queue[head]
        head += 1
        for dy, dx in NEIGHBOURS:
            ny, nx = y + dy, x + dx
            if 0 <= ny < h and 0 <= nx < w and grid[ny, nx] == old and old != value:
                grid[ny, nx] = value
                queue[tail] = (ny, nx)
                tail += 1
    return tail


def xorshift(seeds, n):
    out = dpnp.empty((seeds.size, n), dtype=dpnp.uint64)
    for s in prange(seeds.size):
        x = seeds[s]
        for i in range(n):
            x ^= x << np.uint64(13)
            x ^= x >> np.uint64(7)
            x ^= x << np.uint64(17)
            out[s, i] = x
    return out


def binary_search(table, keys, default=-1):
    found = dpnp.full(keys.size, default)
    misses = 0
    for i, key in enumerate(keys):
        lo, hi = 0, len(table)
        while lo < hi:
            mid = (lo + hi) >> 1
            if table[mid] < key:
                lo = mid + 1
            else:
                hi = mid
        if lo < len(table) and table[lo] == key:
            found[i] = lo
        else:
            misses += 1
    return found, misses


def softmax_rows(x):
    y = dpnp.empty_like(x)
    for i in prange(x.shape[0]):
        row = x[i]
        e = dpnp.exp(row - row.max())
        y[i] = e / e.sum()
    return y


def stats(x):
    mn, mx = np.inf, -np.inf
    count = 0
    s = 0.0
    s2 = 0.0
    for v in x:
        if math.isnan(v):
            continue
        mn, mx = min(mn, v), max(mx, v)
        count += 1
        s += v
        s2 += v**2
    if count == 0:
        return math.nan, math.nan, math.nan, 0
    mean = s / count
    return mn, mx, math.sqrt(s2 / count - mean**2), count


def any_above(x, limit):
    found = False
    everything = True
    for i in prange(len(x)):
        found = found or x[i] > limit
        everything = everything and x[i] > limit
    return found, everything


def life(board, generations):
    h, w = board.shape
    other = dpnp.zeros_like(board)
    for _ in range(generations):
        for y in prange(h):
            for x in prange(w):
                n = 0
                for dy in (-1, 0, 1):
                    for dx in (-1, 0, 1):
                        if dy != 0 or dx != 0:
                            n += board[(y + dy) % h, (x + dx) % w]
                other[y, x] = 1 if n == 3 or (n == 2 and board[y, x]) else 0
        board, other = other, board
    return board, int(board.sum())


def collatz(n):
    lengths = dpnp.zeros(n, dtype=dpnp.int32)
    for start in prange(1, n):
        m, steps = start, 0
        while m != 1:
            m = m // 2 if m % 2 == 0 else 3 * m + 1
            steps += 1
        lengths[start] = steps
    best = 0
    for i in range(n):
        if lengths[i] > lengths[best]:
            best = i
    return lengths, best


def nbody(pos, vel, mass, dt, steps):
    n = pos.shape[0]
    for _ in range(steps):
        acc = dpnp.zeros((n, 3))
        for i in prange(n):
            for j in range(n):
                if i != j:
                    d = pos[j] - pos[i]
                    r2 = dpnp.dot(d, d) + 1e-3
                    acc[i] += mass[j] * d / (r2 * math.sqrt(r2))
        vel += dt * acc
        pos += dt * vel
    energy = 0.0
    for i in prange(n):
        energy += 0.5 * mass[i] * (vel[i, 0] ** 2 + vel[i, 1] ** 2 + vel[i, 2] ** 2)
    return energy


def median_filter(x, half):
    out = dpnp.empty_like(x)
    n = x.size
    for i in prange(n):
        window = dpnp.zeros(9, dtype=x.dtype)
        m = 0
        for k in range(max(0, i - half), min(n, i + half + 1)):
            v = x[k]
            p = m
            while p > 0 and window[p - 1] > v:
                window[p] = window[p - 1]
                p -= 1
            window[p] = v
            m += 1
        out[i] = window[m // 2]
    return out


def window_copy(x, half):
    out = dpnp.empty_like(x)
    for i in prange(x.size):
        lo, hi = max(0, i - half), min(x.size, i + half + 1)
        out[i] = x[lo:hi].mean()
    return out


def gauss_solve(a, b):
    n = a.shape[0]
    x = b.copy()
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if p != k:
            for j in range(n):
                a[k, j], a[p, j] = a[p, j], a[k, j]
            x[k], x[p] = x[p], x[k]
        for i in prange(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            x[i] -= f * x[k]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= a[i, j] * x[j]
        x[i] /= a[i, i]
    return x


def histogram2d(x, y, bins):
    counts = dpnp.zeros((bins, bins), dtype=dpnp.int64)
    for i in prange(x.size):
        a = int(x[i] * bins)
        b = int(y[i] * bins)
        if 0 <= a < bins and 0 <= b < bins:
            counts[a, b] += 1
    return counts, counts.sum()


def unpack_bits(words):
    bits = dpnp.zeros((words.size, 8), dtype=bool)
    ones = 0
    for i in prange(words.size):
        for b in range(8):
            on = (words[i] >> b) & 1 == 1
            bits[i, b] = on
            ones += on
    return bits, ones


def horner(coefficients, z):
    out = dpnp.empty_like(z)
    for i in prange(z.size):
        v = 0j
        for c in coefficients:
            v = v * z[i] + c
        out[i] = v
    return out


def transpose_blocks(a, block):
    n, m = a.shape
    out = dpnp.empty((m, n), dtype=a.dtype)
    for bi in prange((n + block - 1) // block):
        for bj in range((m + block - 1) // block):
            for i in range(bi * block, min(n, (bi + 1) * block)):
                for j in range(bj * block, min(m, (bj + 1) * block)):
                    out[j, i] = a[i, j]
    return out


def sir(beta, gamma, s0, i0, dt, steps):
    s, i, r = s0, i0, 0.0
    history = dpnp.zeros((steps, 3))
    peak, when = 0.0, 0
    for t in range(steps):
        ds = -beta * s * i
        dr = gamma * i
        s, i, r = s + dt * ds, i + dt * (-ds - dr), r + dt * dr
        history[t] = s, i, r
        if i > peak:
            peak, when = i, t
    return history, peak, when


def lcs(a, b):
    n, m = a.size, b.size
    table = dpnp.zeros((n + 1, m + 1), dtype=dpnp.int32)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    out = dpnp.zeros(min(n, m), dtype=a.dtype)
    k = table[n, m]
    i, j = n, m
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            k -= 1
            out[k] = a[i - 1]
            i -= 1
            j -= 1
        elif table[i - 1, j] >= table[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return table[n, m], out


def perceptron(x, y, rate, epochs):
    w = dpnp.zeros(x.shape[1])
    b = 0.0
    rounds = 0
    for epoch in range(epochs):
        rounds = epoch + 1
        errors = 0
        for i in range(x.shape[0]):
            guess = 1 if dpnp.dot(x[i], w) + b > 0 else -1
            if guess != y[i]:
                w += rate * y[i] * x[i]
                b += rate * y[i]
                errors += 1
        if errors == 0:
            break
    return w, b, rounds


def mask_sum(a, m):
    s, n = 0.0, 0
    for i in prange(a.size):
        if not m[i]:
            continue
        s += a[i]
        n += 1
    return s / n if n > 0 else 0.0


def divisions(a, b):
    q = dpnp.zeros_like(a)
    r = dpnp.zeros_like(a)
    for i in prange(a.size):
        if b[i] != 0:
            q[i], r[i] = divmod(a[i], b[i])
        else:
            q[i] = -1
    return q, r


def prod_c(z):
    p = 1 + 0j
    for i in prange(z.size):
        p *= z[i]
    return p, p.real, abs(p)


def minmax_int(x):
    lo, hi = x[0], x[0]
    for i in prange(1, x.size):
        lo = min(lo, x[i])
        if x[i] > hi:
            hi = x[i]
    return lo, hi


def nested_tuple(x):
    state = (0.0, (1, 2.5))
    for i in range(x.size):
        a, (b, c) = state
        state = (a + x[i], (b + 1, c * 0.5))
    return state


def for_else(n):
    primes = 0
    for p in range(2, n):
        for d in range(2, int(math.sqrt(p)) + 1):
            if p % d == 0:
                break
        else:
            primes += 1
    return primes


def row_reduce(a):
    m = dpnp.zeros(a.shape[0])
    s = dpnp.zeros(a.shape[0])
    c = dpnp.zeros(a.shape[0], dtype=dpnp.int64)
    for i in prange(a.shape[0]):
        m[i] = a[i].max() - a[i].min()
        s[i] = dpnp.sqrt(dpnp.mean((a[i] - a[i].mean()) ** 2))
        c[i] = dpnp.sum(a[i] > 0)
    return m, s, c


def conv2(image, kernel):
    kh, kw = kernel.shape
    out = dpnp.zeros((image.shape[0] - kh + 1, image.shape[1] - kw + 1), dtype=image.dtype)
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            out[i, j] = dpnp.sum(image[i : i + kh, j : j + kw] * kernel)
    return out


def merge(a, b):
    out = dpnp.empty(a.size + b.size, dtype=a.dtype)
    i = j = k = 0
    while i < a.size and j < b.size:
        if a[i] <= b[j]:
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
        k += 1
    for rest in range(i, a.size):
        out[k] = a[rest]
        k += 1
    for rest in range(j, b.size):
        out[k] = b[rest]
        k += 1
    return out


def early(x, stop):
    if x.size == 0:
        return None
    for i in range(x.size):
        if x[i] > stop:
            return i, x[i]
    return -1, 0.0


def gcds(a, b):
    out = dpnp.zeros_like(a)
    for i in prange(a.size):
        x, y = a[i], b[i]
        while y:
            x, y = y, x % y
        out[i] = x
    return out


def newton(c):
    x = c if c > 1 else 1.0
    it = 0
    while abs(x * x - c) > 1e-12 * c and it < 100:
        x = 0.5 * (x + c / x)
        it += 1
    return x, it


R = np.random.default_rng(0)


def normal(*shape):
    return R.normal(size=shape)


def integers(low, high, shape, dtype="i8"):
    return R.integers(low, high, shape).astype(dtype)


CALLS = {
    quicksort: [(R.random(n),) for n in (0, 1, 2, 1000)] + [(integers(0, 50, 500, "i4"),)],
    flood: [(integers(0, 2, (9, 12), "i4"), 3, 4, 7)],
    xorshift: [(integers(1, 2**63, n, "u8"), 9) for n in (0, 1, 100)],
    binary_search: [(np.unique(integers(0, 1000, 300)), integers(0, 1000, n)) for n in (0, 1, 500)],
    softmax_rows: [(normal(*s),) for s in ((1, 1), (30, 17), (3, 1000))] + [(normal(5, 9).astype("f4"),)],
    stats: [(np.where(R.random(n) < 0.1, np.nan, R.random(n)),) for n in (0, 1, 1000)],
    any_above: [(R.random(n), 0.99) for n in (0, 1, 1000)],
    life: [(integers(0, 2, s, t), 4) for s in ((3, 3), (20, 31)) for t in ("u1", "i4")],
    collatz: [(n,) for n in (1, 2, 300)],
    nbody: [(R.random((n, 3)), R.random((n, 3)), R.random(n), 0.01, 3) for n in (1, 20)],
    median_filter: [(R.random(n), 4) for n in (0, 1, 200)],
    window_copy: [(R.random(n), 4) for n in (0, 1, 200)],
    gauss_solve: [(R.random((n, n)) + n * np.eye(n), R.random(n)) for n in (1, 2, 20)],
    histogram2d: [(R.random(n), R.random(n), 7) for n in (0, 1, 5000)],
    unpack_bits: [(integers(0, 256, n, "u1"),) for n in (0, 1, 500)],
    horner: [(c, normal(9) + 1j * normal(9)) for c in ((1.0, -2.0, 3.5), R.random(4))],
    transpose_blocks: [(R.random((17, 33)), 8)],
    sir: [(0.3, 0.1, 0.99, 0.01, 0.5, 100)],
    lcs: [(integers(0, 4, n, "u1"), integers(0, 4, n + 3, "u1")) for n in (0, 1, 60)],
    perceptron: [(normal(50, 3), np.where(R.random(50) < 0.5, 1, -1), 0.1, 5)],
    mask_sum: [(R.random(n), R.random(n) < 0.5) for n in (0, 1, 100)],
    divisions: [(integers(-50, 50, n, t), integers(-5, 5, n, t)) for n in (0, 1, 100) for t in ("i4", "i8", "i1")],
    prod_c: [(np.exp(1j * normal(n)),) for n in (0, 1, 300)],
    minmax_int: [(integers(-50, 50, n, t),) for n in (1, 2, 1000) for t in ("i1", "i4", "i8")],
    nested_tuple: [(normal(n),) for n in (0, 1, 9)],
    for_else: [(n,) for n in (0, 3, 200)],
    row_reduce: [(normal(9, 40),), (normal(5, 3),)],
    conv2: [(normal(9, 11), normal(3, 4)), (normal(5, 5), normal(5, 5))],
    merge: [(np.sort(normal(n)), np.sort(normal(m))) for n, m in ((0, 0), (1, 0), (20, 33))],
    early: [(normal(n), 0.5) for n in (0, 1, 20)],
    gcds: [(integers(1, 1000, 50, t), integers(1, 1000, 50, t)) for t in ("i4", "i8", "u4")],
    newton: [(2.0,), (100.0,)],
}


@pytest.mark.parametrize("function", CALLS, ids=lambda f: f.__name__)
def test_program(function):
    compiled = dpjit(function)
    for given in CALLS[function]:
        single = any(isinstance(each, np.ndarray) and each.dtype == "f4" for each in given)
        for _ in range(2):
            check(function, *given, compiled=compiled, rtol=1e-4 if single else 1e-9)
