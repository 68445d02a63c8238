"""Programs as users of Numba write them, as dpjit functions, compared with Python on NumPy's arrays."""

from __future__ import annotations

import math

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from test_dpjit import check


@dpjit
def gaussian(squared_distance, sigma):
    return math.exp(-squared_distance / (2.0 * sigma * sigma))


def bilateral(image, radius, sigma_space, sigma_colour):
    height, width = image.shape
    result = dpnp.empty_like(image)
    for y in prange(height):
        for x in range(width):
            centre = image[y, x]
            total = 0.0
            weights = 0.0
            for dy in range(-radius, radius + 1):
                yy = min(max(y + dy, 0), height - 1)
                for dx in range(-radius, radius + 1):
                    xx = min(max(x + dx, 0), width - 1)
                    value = image[yy, xx]
                    difference = value - centre
                    weight = gaussian(dy * dy + dx * dx, sigma_space) * gaussian(difference * difference, sigma_colour)
                    total += weight * value
                    weights += weight
            result[y, x] = total / weights
    return result


def components(mask):
    height, width = mask.shape
    labels = dpnp.zeros((height, width), dtype=dpnp.int32)
    for y in range(height):
        for x in range(width):
            if mask[y, x]:
                labels[y, x] = y * width + x + 1
    changed = True
    rounds = 0
    while changed:
        changed = False
        rounds += 1
        for y in range(height):
            for x in range(width):
                label = labels[y, x]
                if label == 0:
                    continue
                least = label
                if y > 0 and labels[y - 1, x] != 0:
                    least = min(least, labels[y - 1, x])
                if x > 0 and labels[y, x - 1] != 0:
                    least = min(least, labels[y, x - 1])
                if y + 1 < height and labels[y + 1, x] != 0:
                    least = min(least, labels[y + 1, x])
                if x + 1 < width and labels[y, x + 1] != 0:
                    least = min(least, labels[y, x + 1])
                if least < label:
                    labels[y, x] = least
                    changed = True
    count = 0
    for y in range(height):
        for x in range(width):
            if labels[y, x] == y * width + x + 1:
                count += 1
    return labels, count, rounds


def run_lengths(x):
    n = x.shape[0]
    starts = dpnp.zeros(n, dtype=dpnp.int64)
    lengths = dpnp.zeros(n, dtype=dpnp.int64)
    if n == 0:
        return starts, lengths, 0
    runs = 0
    current = x[0]
    begin = 0
    for i in range(1, n):
        if x[i] != current:
            starts[runs], lengths[runs] = begin, i - begin
            runs += 1
            begin = i
            current = x[i]
    starts[runs] = begin
    lengths[runs] = n - begin
    return starts, lengths, runs + 1


def power_method(matrix, tolerance, most):
    n = matrix.shape[0]
    v = dpnp.ones(n, dtype=matrix.dtype)
    w = dpnp.empty_like(v)
    value = 0.0
    steps = 0
    for step in range(most):
        for i in prange(n):
            total = 0.0
            for j in range(n):
                total += matrix[i, j] * v[j]
            w[i] = total
        norm = 0.0
        for i in prange(n):
            norm += w[i] * w[i]
        norm = math.sqrt(norm)
        for i in prange(n):
            v[i] = w[i] / norm
        steps = step + 1
        if abs(norm - value) < tolerance:
            break
        value = norm
    return norm, v, steps


def time_warping(a, b, window):
    n, m = len(a), len(b)
    previous = dpnp.full(m + 1, np.inf)
    current = dpnp.full(m + 1, np.inf)
    previous[0] = 0.0
    for i in range(1, n + 1):
        for j in range(m + 1):
            current[j] = np.inf
        first = max(1, i - window)
        last = min(m, i + window)
        for j in range(first, last + 1):
            cost = abs(a[i - 1] - b[j - 1])
            current[j] = cost + min(previous[j], current[j - 1], previous[j - 1])
        previous, current = current, previous
    return previous[m]


@dpjit
def next_random(state):
    return (state * 1103515245 + 12345) % 2147483648


def bootstrap(data, samples, seed):
    n = data.shape[0]
    means = dpnp.zeros(samples)
    for s in prange(samples):
        state = seed + 7919 * s
        total = 0.0
        for _ in range(n):
            state = next_random(state)
            total += data[(state >> 8) % n]
        means[s] = total / n
    mean = means.sum() / samples
    variance = 0.0
    for s in prange(samples):
        d = means[s] - mean
        variance += d * d
    return means, mean, math.sqrt(variance / samples)


def ising(spins, randoms, beta):
    n, m = spins.shape
    accepted = 0
    for sweep in range(randoms.shape[0]):
        for colour in range(2):
            for i in prange(n):
                for j in range((i + colour) % 2, m, 2):
                    neighbours = (
                        spins[(i - 1) % n, j] + spins[(i + 1) % n, j] + spins[i, (j - 1) % m] + spins[i, (j + 1) % m]
                    )
                    energy = 2 * spins[i, j] * neighbours
                    if energy <= 0 or randoms[sweep, i, j] < math.exp(-beta * energy):
                        spins[i, j] = -spins[i, j]
                        accepted += 1
    magnetisation = 0
    for i in prange(n):
        for j in prange(m):
            magnetisation += spins[i, j]
    return accepted, magnetisation


def polygon(px, py, x, y):
    corners = px.size
    area = 0.0
    for i in range(corners):
        j = (i + 1) % corners
        area += px[i] * py[j] - px[j] * py[i]
    area = abs(area) / 2
    inside = dpnp.zeros(x.size, dtype=bool)
    count = 0
    for k in prange(x.size):
        odd = False
        j = corners - 1
        for i in range(corners):
            if (py[i] > y[k]) != (py[j] > y[k]):
                crossing = px[i] + (y[k] - py[i]) / (py[j] - py[i]) * (px[j] - px[i])
                if x[k] < crossing:
                    odd = not odd
            j = i
        inside[k] = odd
        if odd:
            count += 1
    return area, inside, count


def longest_matches(text, window, most):
    n = text.size
    lengths = dpnp.zeros(n, dtype=dpnp.int32)
    offsets = dpnp.zeros(n, dtype=dpnp.int32)
    for i in prange(n):
        best = 0
        at = 0
        for start in range(max(0, i - window), i):
            length = 0
            while length < most and i + length < n and text[start + length] == text[i + length]:
                length += 1
            if length > best:
                best, at = length, i - start
        lengths[i] = best
        offsets[i] = at
    tokens = 0
    i = 0
    while i < n:
        i += max(1, lengths[i])
        tokens += 1
    return lengths, offsets, tokens


def sparse_product(indptr, indices, data, x):
    rows = indptr.size - 1
    y = dpnp.zeros(rows, dtype=data.dtype)
    for row in prange(rows):
        total = data.dtype.type(0)
        for k in range(indptr[row], indptr[row + 1]):
            total += data[k] * x[indices[k]]
        y[row] = total
    return y


def haar(x):
    n = x.size
    result = x.copy()
    scratch = dpnp.empty_like(x)
    half = n
    root = math.sqrt(2.0)
    levels = 0
    while half > 1 and half % 2 == 0:
        half //= 2
        for i in prange(half):
            a, b = result[2 * i], result[2 * i + 1]
            scratch[i] = (a + b) / root
            scratch[half + i] = (a - b) / root
        for i in prange(2 * half):
            result[i] = scratch[i]
        levels += 1
    return result, levels


@dpjit
def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0


def bresenham(lines, image):
    drawn = 0
    for k in range(lines.shape[0]):
        x0, y0, x1, y1 = lines[k, 0], lines[k, 1], lines[k, 2], lines[k, 3]
        dx, dy = abs(x1 - x0), -abs(y1 - y0)
        sx, sy = sign(x1 - x0), sign(y1 - y0)
        error = dx + dy
        while True:
            if 0 <= y0 < image.shape[0] and 0 <= x0 < image.shape[1]:
                image[y0, x0] += 1
                drawn += 1
            if x0 == x1 and y0 == y1:
                break
            doubled = 2 * error
            if doubled >= dy:
                error += dy
                x0 += sx
            if doubled <= dx:
                error += dx
                y0 += sy
    return drawn


def page_rank(sources, targets, pages, damping, rounds):
    degree = dpnp.zeros(pages, dtype=dpnp.int64)
    for e in range(sources.size):
        degree[sources[e]] += 1
    rank = dpnp.full(pages, 1.0 / max(pages, 1))
    change = 0.0
    for _ in range(rounds):
        new = dpnp.zeros(pages)
        for e in prange(sources.size):
            new[targets[e]] += rank[sources[e]] / degree[sources[e]]
        dangling = 0.0
        for p in prange(pages):
            if degree[p] == 0:
                dangling += rank[p]
        change = 0.0
        for p in prange(pages):
            value = (1 - damping) / pages + damping * (new[p] + dangling / pages)
            change = max(change, abs(value - rank[p]))
            new[p] = value
        rank = new
    return rank, change


def smooth(series, alpha):
    count, length = series.shape
    result = dpnp.empty_like(series)
    errors = dpnp.zeros(count, dtype=series.dtype)
    for s in prange(count):
        if length == 0:
            continue
        level = series[s, 0]
        error = 0.0
        result[s, 0] = level
        for t in range(1, length):
            e = series[s, t] - level
            error += e * e
            level += alpha * e
            result[s, t] = level
        errors[s] = error / length
    worst = -1.0
    for s in range(count):
        if errors[s] > worst:
            worst = errors[s]
    return result, errors, worst


def julia(z, c, most):
    counts = dpnp.zeros(z.shape, dtype=dpnp.int32)
    for i in prange(z.shape[0]):
        for j in range(z.shape[1]):
            value = z[i, j]
            n = 0
            while n < most and value.real * value.real + value.imag * value.imag <= 4.0:
                value = value * value + c
                n += 1
            counts[i, j] = n
            z[i, j] = value if n == most else 0
    return counts, counts.max() if counts.size else 0


def fourier(x):
    n = x.size
    result = dpnp.zeros(n, dtype=dpnp.complex128)
    energy = 0.0
    for k in prange(n):
        total = 0j
        for t in range(n):
            angle = -2.0 * math.pi * ((k * t) % n) / n
            total += x[t] * complex(math.cos(angle), math.sin(angle))
        result[k] = total
        energy += abs(total) ** 2
    return result, energy


def scattered_product(x, y):
    """The product of polynomials: each iteration adds to several elements that others add to."""
    result = dpnp.zeros(x.size + y.size - 1, dtype=x.dtype)
    for i in prange(x.size):
        for k in range(y.size):
            result[i + k] += x[i] * y[k]
    return result


def antidiagonals(a):
    sums = dpnp.zeros(a.shape[0] + a.shape[1] - 1, dtype=a.dtype)
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            sums[i + j] += a[i, j]
    return sums


def real(*shape, dtype="f8"):
    return np.random.default_rng(sum(shape) + 3).random(shape).astype(dtype)


def integers(most, *shape, dtype="i8"):
    return np.random.default_rng(sum(shape) + 4).integers(0, most, shape).astype(dtype)


def graph(pages, links):
    return integers(pages, links), np.minimum(integers(pages, links) ** 2 // pages, pages - 1)


def sparse(rows, columns, dtype, index="i4"):
    random = np.random.default_rng(rows + 9)
    lengths = random.integers(0, 9, rows)
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(index)
    indices = random.integers(0, columns, indptr[-1]).astype(index)
    data = random.normal(size=indptr[-1]).astype(dtype)
    return indptr, indices, data, random.normal(size=columns).astype(dtype)


def corners(count):
    angle = np.arange(count) * 2 * np.pi / max(count, 1)
    radius = 1 + 0.5 * (np.arange(count) % 2)
    return radius * np.cos(angle), radius * np.sin(angle)


def lines(count, size):
    return integers(size + 8, count, 4, dtype="i4") - 4


def plane(n, dtype="c16"):
    x = np.linspace(-1.5, 1.5, n)
    return (x[None, :] + 1j * x[:, None]).astype(dtype)


CALLS = {
    "bilateral": (
        bilateral,
        lambda: [(real(17, 23), 2, 1.5, 0.2), (real(1, 1), 1, 1.0, 0.5), (real(0, 3), 1, 1.0, 0.5)],
    ),
    "bilateral float32": (bilateral, lambda: [(real(13, 31, dtype="f4"), 1, 1.5, 0.2)]),
    "components": (components, lambda: [(real(n, m) < 0.6,) for n, m in [(0, 0), (1, 1), (5, 7), (33, 41)]]),
    "run lengths": (
        run_lengths,
        lambda: [(integers(2, n, dtype=t),) for n in [0, 1, 2, 999] for t in ["i4", "u1", "f4", "?"]],
    ),
    "power method": (power_method, lambda: [(real(n, n) + real(n, n).T, 1e-10, 50) for n in [1, 3, 64]]),
    "time warping": (time_warping, lambda: [(real(n), real(m), 20) for n, m in [(0, 0), (1, 1), (40, 45), (101, 97)]]),
    "bootstrap": (bootstrap, lambda: [(real(n), s, 42) for n, s in [(1, 1), (50, 33), (7, 1001)]]),
    "Ising": (
        ising,
        lambda: [(2 * integers(2, n, m, dtype="i4") - 1, real(3, n, m), 0.4) for n, m in [(2, 2), (16, 24), (40, 6)]],
    ),
    "Ising int8": (ising, lambda: [(2 * integers(2, 8, 10, dtype="i1") - 1, real(3, 8, 10), 0.4)]),
    "polygon": (
        polygon,
        lambda: [
            (*corners(c), 3 * real(n) - 1.5, 3 * real(n + 1)[:n] - 1.5)
            for c, n in [(12, 1000), (3, 1), (5, 0), (12, 9999)]
        ],
    ),
    "longest matches": (longest_matches, lambda: [(integers(3, n, dtype="u1"), 30, 12) for n in [0, 1, 2, 700]]),
    "sparse product": (
        sparse_product,
        lambda: [sparse(n, n + 3, t, i) for n in [0, 1, 3000] for t in ["f4", "f8", "c16"] for i in ["i4", "i8"]],
    ),
    "Haar": (haar, lambda: [(real(n, dtype=t),) for n in [0, 1, 2, 96, 1024] for t in ["f4", "f8"]]),
    "Bresenham": (
        bresenham,
        lambda: [(lines(k, n), np.zeros((n, n + 5), t)) for k, n in [(0, 4), (1, 1), (60, 50)] for t in ["i4", "u1"]],
    ),
    "PageRank": (
        page_rank,
        lambda: [(*graph(p, links), p, 0.85, 10) for p, links in [(1, 0), (1, 1), (100, 700), (999, 5000)]],
    ),
    "smoothing": (
        smooth,
        lambda: [(real(n, m, dtype=t), 0.3) for n, m in [(0, 4), (3, 0), (1, 1), (37, 129)] for t in ["f8", "f4"]],
    ),
    "Julia": (julia, lambda: [(plane(n, t), -0.8 + 0.156j, 40) for n in [0, 1, 41] for t in ["c16"]]),
    "Fourier": (fourier, lambda: [(real(n),) for n in [0, 1, 2, 65]] + [(plane(7).ravel(),)]),
    "scattered product": (scattered_product, lambda: [(real(n), real(m)) for n, m in [(1, 1), (300, 40), (2000, 5)]]),
    "antidiagonals": (antidiagonals, lambda: [(real(n, m),) for n, m in [(1, 1), (200, 211), (3000, 4)]]),
}


@pytest.mark.parametrize("name", CALLS)
def test_program(name):
    function, calls = CALLS[name]
    compiled = dpjit(function)
    for given in calls():
        single = any(isinstance(each, np.ndarray) and each.dtype in ("f4", "c8") for each in given)
        for _ in range(2):
            check(function, *given, compiled=compiled, rtol=1e-4 if single else 1e-9)
