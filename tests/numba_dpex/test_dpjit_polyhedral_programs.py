# ruff: noqa: E741
"""dpjit functions in the manner of collections of numerical programs, beside NumPy: solvers, stencils, statistics."""

from __future__ import annotations

import math

import dpnp
import numpy as np
import pytest
from numba_dpex import prange
from test_dpjit import check

random = np.random.default_rng(7)


def real(*shape):
    return random.random(shape) + 0.5


# --- linear algebra


def gemver(alpha, beta, a, u1, v1, u2, v2, w, x, y, z):
    a += dpnp.outer(u1, v1) + dpnp.outer(u2, v2)
    x += beta * y @ a + z
    w += alpha * a @ x


def atax(a, x):
    return (a @ x) @ a


def symmetric_rank_update(alpha, beta, c, a):
    n, m = a.shape
    for i in range(n):
        c[i, : i + 1] *= beta
        for k in range(m):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]


def symmetric_rank_2_update(c, a, b):
    for i in prange(c.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[j, k] * b[i, k] + b[j, k] * a[i, k]
            c[i, j] = 0.5 * c[i, j] + total


def triangular_product(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += dpnp.dot(a[i + 1 :, i], b[i + 1 :, j])


def triangular_solve(l, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - dpnp.dot(l[i, :i], x[:i])) / l[i, i]


def ludcmp(a, b):
    n = a.shape[0]
    x, y = dpnp.zeros_like(b), dpnp.zeros_like(b)
    for i in range(n):
        for j in range(i):
            a[i, j] -= dpnp.dot(a[i, :j], a[:j, j])
            a[i, j] /= a[j, j]
        for j in range(i, n):
            a[i, j] -= dpnp.dot(a[i, :i], a[:i, j])
    for i in range(n):
        y[i] = b[i] - dpnp.dot(a[i, :i], y[:i])
    for i in range(n - 1, -1, -1):
        x[i] = (y[i] - dpnp.dot(a[i, i + 1 :], x[i + 1 :])) / a[i, i]
    return x, y


def gram_schmidt(a):
    q, r = dpnp.zeros_like(a), dpnp.zeros((a.shape[1], a.shape[1]))
    for k in range(a.shape[1]):
        r[k, k] = math.sqrt(dpnp.dot(a[:, k], a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, a.shape[1]):
            r[k, j] = dpnp.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


def durbin(r):
    y = dpnp.empty_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        total = 0.0
        for i in range(k):
            total += r[k - 1 - i] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k // 2):
            low, high = y[i], y[k - 1 - i]
            y[i] = low + alpha * high
            y[k - 1 - i] = high + alpha * low
        if k % 2 == 1:
            y[k // 2] += alpha * y[k // 2]
        y[k] = alpha
    return y


def bicg(a, p, r):
    rows, columns = a.shape
    s, q = dpnp.zeros(columns), dpnp.zeros(rows)
    for i in prange(rows):
        total = 0.0
        for j in range(columns):
            s[j] += r[i] * a[i, j]
            total += a[i, j] * p[j]
        q[i] = total
    return s, q


# --- stencils and sweeps


def jacobi(steps, a, b):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])


def seidel(steps, a):
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, a.shape[1] - 1):
                total = 0.0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        total += a[i + di, j + dj]
                a[i, j] = total / 9.0


def time_domain(steps, ex, ey, hz, source):
    for t in range(steps):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def alternating_directions(steps, u):
    n = u.shape[0]
    v, p, q = dpnp.zeros_like(u), dpnp.zeros_like(u), dpnp.zeros_like(u)
    for _ in range(steps):
        for i in prange(1, n - 1):
            v[0, i], p[i, 0], q[i, 0] = 1.0, 0.0, 1.0
            for j in range(1, n - 1):
                p[i, j] = 0.3 / (1.6 - 0.3 * p[i, j - 1])
                right = 0.3 * u[j, i - 1] + 0.4 * u[j, i] + 0.3 * u[j, i + 1]
                q[i, j] = (right + 0.3 * q[i, j - 1]) / (1.6 - 0.3 * p[i, j - 1])
            v[n - 1, i] = 1.0
            for j in range(n - 2, 0, -1):
                v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
        u[1:-1, 1:-1] = 0.5 * u[1:-1, 1:-1] + 0.5 * v[1:-1, 1:-1]


def horizontal_diffusion(field, out, coefficients):
    n, m, levels = out.shape
    lap = 4.0 * field[1:-1, 1:-1, :] - (
        field[2:, 1:-1, :] + field[:-2, 1:-1, :] + field[1:-1, 2:, :] + field[1:-1, :-2, :]
    )
    for i in prange(n):
        for j in prange(m):
            for k in range(levels):
                flux = lap[i + 2, j + 1, k] - lap[i + 1, j + 1, k]
                if flux * (field[i + 3, j + 2, k] - field[i + 2, j + 2, k]) > 0:
                    flux = 0.0
                out[i, j, k] = field[i + 2, j + 2, k] - coefficients[i, j, k] * flux


def vertical_advection(wind, position, stage):
    columns, levels = position.shape
    for i in prange(columns):
        c, d = dpnp.empty(levels), dpnp.empty(levels)
        for k in range(levels):
            a = -0.25 * wind[i, k]
            upper = 0.25 * wind[i, k + 1]
            if k == 0:
                c[k] = upper / (1.0 + a)
                d[k] = position[i, k] / (1.0 + a)
            else:
                divided = 1.0 / (1.5 + a - c[k - 1] * a)
                c[k] = upper * divided
                d[k] = (position[i, k] - d[k - 1] * a) * divided
        data = d[levels - 1]
        stage[i, levels - 1] = data
        for k in range(levels - 2, -1, -1):
            data = d[k] - c[k] * data
            stage[i, k] = data


def recursive_filter(image, alpha):
    out = dpnp.zeros_like(image)
    k = (1 - math.exp(-alpha)) ** 2
    for i in prange(image.shape[0]):
        before, last = 0.0, 0.0
        for j in range(image.shape[1]):
            now = k * image[i, j] + 1.2 * last - 0.4 * before
            out[i, j] = now
            before, last = last, now
    return out


def cavity(steps, u, v, p):
    for _ in range(steps):
        b = dpnp.zeros_like(p)
        b[1:-1, 1:-1] = (u[1:-1, 2:] - u[1:-1, :-2]) / 2 + (v[2:, 1:-1] - v[:-2, 1:-1]) / 2
        for _ in range(5):
            before = p.copy()
            p[1:-1, 1:-1] = (before[1:-1, 2:] + before[1:-1, :-2] + before[2:, 1:-1] + before[:-2, 1:-1]) / 4 - b[
                1:-1, 1:-1
            ] / 4
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[-1, :] = 0
        old = u.copy()
        for i in prange(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = old[i, j] - 0.01 * (p[i, j + 1] - p[i, j - 1]) + 0.05 * (old[i + 1, j] - old[i, j])


# --- statistics and signals


def correlation(data):
    n, m = data.shape
    mean = data.mean(axis=0)
    deviation = data.std(axis=0)
    deviation[deviation <= 0.1] = 1.0
    data -= mean
    data /= math.sqrt(n) * deviation
    corr = dpnp.eye(m)
    for i in range(m - 1):
        corr[i + 1 : m, i] = corr[i, i + 1 : m] = data[:, i] @ data[:, i + 1 : m]
    return corr


def azimuthal_integral(data, radius, bins):
    most = radius.max()
    sums, counts = dpnp.zeros(bins), dpnp.zeros(bins, dtype=dpnp.int64)
    for i in prange(data.size):
        b = min(int(radius[i] / most * bins), bins - 1)
        sums[b] += data[i]
        counts[b] += 1
    return sums / dpnp.maximum(counts, 1)


def crc16(data, polynomial=0x8408):
    crc = 0xFFFF
    for i in range(data.size):
        current = 0xFF & data[i]
        for _ in range(8):
            if (crc & 0x0001) ^ (current & 0x0001):
                crc = (crc >> 1) ^ polynomial
            else:
                crc >>= 1
            current >>= 1
    crc = (~crc & 0xFFFF) << 8 | (~crc & 0xFFFF) >> 8
    return crc & 0xFFFF


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += math.tanh(a[i, i])
    return a + trace


def compute(x, y, a, b, c):
    return dpnp.clip(x, 2, 10) * a + y * b + c


def clipped_by_loops(x, y, a, b, c):
    result = dpnp.zeros(x.shape, dtype=dpnp.int64)
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            value = x[i, j]
            if value < 2:
                value = 2
            elif value > 10:
                value = 10
            result[i, j] = value * a + y[i, j] * b + c
    return result


def nussinov(sequence, table):
    n = sequence.size
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
                match = 1 if sequence[i] + sequence[j] == 3 else 0
                table[i, j] = max(table[i, j], table[i + 1, j - 1] + (match if i < j - 1 else 0))
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])


def max_pool(x):
    out = dpnp.empty((x.shape[0], x.shape[1] // 2, x.shape[2] // 2))
    for n in prange(x.shape[0]):
        for i in range(x.shape[1] // 2):
            for j in range(x.shape[2] // 2):
                out[n, i, j] = dpnp.max(x[n, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2])
    return out


def convolution(x, weights, bias):
    size = weights.shape[1]
    out = dpnp.empty((x.shape[0] - size + 1, x.shape[1] - size + 1, weights.shape[0]))
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            for f in range(weights.shape[0]):
                out[i, j, f] = max(dpnp.sum(x[i : i + size, j : j + size] * weights[f]) + bias[f], 0.0)
    return out


def gravity(pos, vel, steps, dt):
    n = pos.shape[0]
    energy = dpnp.zeros(steps)
    for t in range(steps):
        force = dpnp.zeros((n, 3))
        for i in prange(n):
            for j in range(n):
                if i != j:
                    d = pos[j] - pos[i]
                    r2 = dpnp.sum(d * d) + 0.1
                    force[i] += d / (r2 * math.sqrt(r2))
        vel += dt * force
        pos += dt * vel
        total = 0.0
        for i in prange(n):
            total += 0.5 * dpnp.sum(vel[i] * vel[i])
        energy[t] = total
    return energy


def small_sums(levels):
    total, largest, xored = 0, 0, 0
    for i in prange(levels.size):
        total += levels[i]
        largest = max(largest, levels[i])
        xored ^= levels[i]
    return total, largest, xored


def strided_sieve(n):
    prime = dpnp.ones(n + 1, dtype=dpnp.bool_)
    prime[:2] = False
    for i in range(2, int(math.sqrt(n)) + 1):
        if prime[i]:
            for k in range(i * i, n + 1, i):
                prime[k] = False
    return prime.sum()


def flat_transpose(x, rows, columns):
    out = dpnp.empty_like(x)
    for n in prange(x.size):
        i, j = n // columns, n % columns
        out[j * rows + i] = x[n]
    return out


def bincount_2d(x, y, counts):
    bins = counts.shape[1]
    for i in prange(x.size):
        for k in range(2):
            counts[k, (x[i] + k * y[i]) % bins] += 1


def lengths_of_runs(bits):
    best, current = 0, 0
    for i in range(bits.size):
        current = current + 1 if bits[i] else 0
        best = max(best, current)
    return best


PROGRAMS = {
    gemver: lambda n: (1.5, 1.2, real(n, n), *(real(n) for _ in range(8))),
    atax: lambda n: (real(n, n + 3), real(n + 3)),
    symmetric_rank_update: lambda n: (1.5, 1.2, real(n, n), real(n, n // 2 + 1)),
    symmetric_rank_2_update: lambda n: (real(n, n), real(n, n + 2), real(n, n + 2)),
    triangular_product: lambda n: (real(n, n), real(n, n + 1)),
    triangular_solve: lambda n: (real(n, n) + n * np.eye(n), np.zeros(n), real(n)),
    ludcmp: lambda n: (real(n, n) + n * np.eye(n), real(n)),
    gram_schmidt: lambda n: (real(n + 2, n) + n * np.eye(n + 2, n),),
    durbin: lambda n: (real(n) / (10 * n),),
    bicg: lambda n: (real(n, n + 5), real(n + 5), real(n)),
    jacobi: lambda n: (4, real(n, n + 4), real(n, n + 4)),
    seidel: lambda n: (3, real(n, n + 1)),
    time_domain: lambda n: (5, real(n, n + 1), real(n, n + 1), real(n, n + 1), real(5)),
    alternating_directions: lambda n: (2, real(n, n)),
    horizontal_diffusion: lambda n: (real(n + 4, n + 4, 6), np.zeros((n, n, 6)), real(n, n, 6)),
    vertical_advection: lambda n: (real(n, n + 1), real(n, n), np.zeros((n, n))),
    recursive_filter: lambda n: (real(n, n + 7), 0.25),
    cavity: lambda n: (3, real(n, n + 1), real(n, n + 1), real(n, n + 1)),
    correlation: lambda n: (real(n + 20, n),),
    azimuthal_integral: lambda n: (real(n * n), real(n * n), 25),
    crc16: lambda n: (random.integers(0, 256, n * n).astype("u1"),),
    go_fast: lambda n: (real(n, n),),
    compute: lambda n: (random.integers(0, 20, (n, n)), random.integers(0, 20, (n, n)), 4, 3, 9),
    clipped_by_loops: lambda n: (random.integers(0, 20, (n, n)), random.integers(0, 20, (n, n)), 4, 3, 9),
    nussinov: lambda n: (random.integers(0, 4, n), np.zeros((n, n), dtype="i8")),
    max_pool: lambda n: (real(3, n, n + 2),),
    convolution: lambda n: (real(n + 5, n + 3), real(4, 3, 3) - 1, real(4)),
    gravity: lambda n: (real(n, 3), real(n, 3), 3, 0.01),
    small_sums: lambda n: (random.integers(0, 100, n * n).astype("i4"),),
    strided_sieve: lambda n: (n * n,),
    flat_transpose: lambda n: (real(n * (n + 3)), n, n + 3),
    bincount_2d: lambda n: (*(random.integers(0, 50, n * n) for _ in range(2)), np.zeros((2, 31), dtype="i8")),
    lengths_of_runs: lambda n: (random.random(n * n) < 0.9,),
}
LARGE = (
    azimuthal_integral,
    bicg,
    bincount_2d,
    clipped_by_loops,
    compute,
    flat_transpose,
    go_fast,
    jacobi,
    max_pool,
    recursive_filter,
    small_sums,
    time_domain,
)


@pytest.mark.parametrize("n", [6, 45])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_program(function, n):
    check(function, *PROGRAMS[function](n), rtol=1e-8, warns=True)


@pytest.mark.parametrize("function", LARGE, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_large_program(function):
    check(function, *PROGRAMS[function](550), rtol=1e-8, warns=True)
