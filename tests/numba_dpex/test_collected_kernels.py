"""Kernels in the manner of published collections, beside NumPy: statistics, graphs, images, signals, simulations."""

from __future__ import annotations

import math

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

SIZES = [10, 1000, 300_000]


def device(*arrays):
    return [dpnp.asarray(each) if isinstance(each, np.ndarray) else each for each in arrays]


def groups(count, size):
    return ndx.NdRange((-(-count // size) * size,), (size,))


# --- Rambo: momenta of particles


@ndx.kernel
def rambo(item: kapi.Item, c1, f1, q1, out):
    i, j = item.get_id(0), item.get_id(1)
    c = 2.0 * c1[i, j] - 1.0
    s = math.sqrt(1 - c * c)
    f = 2.0 * math.pi * f1[i, j]
    q = -math.log(q1[i, j])
    out[i, j, 0] = q
    out[i, j, 1] = q * s * math.sin(f)
    out[i, j, 2] = q * s * math.cos(f)
    out[i, j, 3] = q * c


@pytest.mark.parametrize("size", SIZES)
def test_rambo(size):
    random = np.random.default_rng(1)
    c, f, q = (random.random((size // 5, 5)) * 0.9 + 0.05 for _ in range(3))
    out = dpnp.empty((size // 5, 5, 4))
    ndx.call_kernel(rambo, ndx.Range(size // 5, 5), *device(c, f, q), out)
    s, e = np.sqrt(1 - (2 * c - 1) ** 2), -np.log(q)
    angle = 2 * np.pi * f
    wanted = np.stack([e, e * s * np.sin(angle), e * s * np.cos(angle), e * (2 * c - 1)], axis=-1)
    np.testing.assert_allclose(dpnp.asnumpy(out), wanted, rtol=1e-12, atol=1e-14)


# --- weighted pair counts, one bin after the other


@ndx.kernel
def pair_counts(item: kapi.Item, x, y, w, edges, result):
    i = item.get_id(0)
    for j in range(y.shape[0]):
        dx, dy = x[i, 0] - y[j, 0], x[i, 1] - y[j, 1]
        d = dx * dx + dy * dy
        k = edges.size - 1
        while k >= 0 and d <= edges[k]:
            kapi.AtomicRef(result, k).fetch_add(w[i] * w[j])
            k -= 1


def test_pair_counts():
    random = np.random.default_rng(2)
    x, w, edges = random.random((700, 2)), random.integers(1, 4, 700).astype("f8"), np.array([0.01, 0.1, 0.3, 0.9])
    result = dpnp.zeros(4)
    ndx.call_kernel(pair_counts, ndx.Range(700), *device(x, x, w, edges), result)
    d = ((x[:, None] - x[None]) ** 2).sum(-1)
    wanted = [(np.outer(w, w) * (d <= edge)).sum() for edge in edges]
    np.testing.assert_allclose(dpnp.asnumpy(result), wanted)


# --- k-nearest neighbours by insertion into a private array


@ndx.kernel
def nearest(item: kapi.Item, train, labels, test, votes_of, found):
    i = item.get_id(0)
    best = kapi.PrivateArray(5, np.float64)
    classes = kapi.PrivateArray(5, np.int64)
    for k in range(5):
        best[k], classes[k] = np.inf, -1
    for j in range(train.shape[0]):
        d = 0.0
        for k in range(train.shape[1]):
            d += (train[j, k] - test[i, k]) ** 2
        if d < best[4]:
            at = 4
            while at > 0 and best[at - 1] > d:
                best[at], classes[at] = best[at - 1], classes[at - 1]
                at -= 1
            best[at], classes[at] = d, labels[j]
    for c in range(votes_of.shape[1]):
        votes_of[i, c] = 0
    for k in range(5):
        votes_of[i, classes[k]] += 1
    winner = 0
    for c in range(1, votes_of.shape[1]):
        if votes_of[i, c] > votes_of[i, winner]:
            winner = c
    found[i] = winner


@pytest.mark.parametrize("count", [1, 40, 500])
def test_nearest(count):
    random = np.random.default_rng(3)
    train, labels, test = random.random((200, 6)), random.integers(0, 3, 200), random.random((count, 6))
    votes, found = dpnp.zeros((count, 3), dtype="i4"), dpnp.zeros(count, dtype="i8")
    ndx.call_kernel(nearest, ndx.Range(count), *device(train, labels, test), votes, found)
    d = ((test[:, None] - train[None]) ** 2).sum(-1)
    chosen = labels[np.argsort(d, axis=1)[:, :5]]
    wanted = np.stack([(chosen == c).sum(1) for c in range(3)], axis=1)
    np.testing.assert_array_equal(dpnp.asnumpy(votes), wanted)
    np.testing.assert_array_equal(dpnp.asnumpy(found), wanted.argmax(1))


# --- a product of matrices with tiles in local memory, whose edges are cut off


@ndx.kernel
def product(item: kapi.NdItem, a, b, c, left, right):
    i, j = item.get_global_id(0), item.get_global_id(1)
    li, lj = item.get_local_id(0), item.get_local_id(1)
    total = a.dtype.type(0)
    for first in range(0, a.shape[1], 8):
        left[li, lj] = a[i, first + lj] if i < a.shape[0] and first + lj < a.shape[1] else 0
        right[li, lj] = b[first + li, j] if first + li < b.shape[0] and j < b.shape[1] else 0
        kapi.group_barrier(item.get_group())
        for k in range(8):
            total += left[li, k] * right[k, lj]
        kapi.group_barrier(item.get_group())
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = total


@pytest.mark.parametrize("shape", [(1, 1, 1), (7, 9, 8), (130, 77, 205)])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_product(shape, dtype):
    n, k, m = shape
    random = np.random.default_rng(4)
    a, b = (random.integers(0, 9, s).astype(dtype) for s in ((n, k), (k, m)))
    c = dpnp.zeros((n, m), dtype=dtype)
    space = ndx.NdRange((-(-n // 8) * 8, -(-m // 8) * 8), (8, 8))
    tiles = kapi.LocalAccessor((8, 8), dtype), kapi.LocalAccessor((8, 8), dtype)
    ndx.call_kernel(product, space, *device(a, b), c, *tiles)
    np.testing.assert_array_equal(dpnp.asnumpy(c), a @ b)


# --- a step of breadth-first search, and connected components


@ndx.kernel
def visit(item: kapi.Item, starts, targets, distance, level, changed):
    node = item.get_id(0)
    if distance[node] == level:
        for e in range(starts[node], starts[node + 1]):
            other = targets[e]
            if distance[other] < 0:
                distance[other] = level + 1
                changed[0] = 1


@pytest.mark.parametrize("nodes", [10, 5000])
def test_breadth_first_search(nodes):
    random = np.random.default_rng(nodes)
    edges = np.sort(random.integers(0, nodes, 2 * nodes))
    targets, starts = random.integers(0, nodes, edges.size), np.searchsorted(edges, np.arange(nodes + 1))
    distance = np.full(nodes, -1)
    distance[0] = 0
    ours, level = dpnp.asarray(distance), 0
    given = device(starts, targets)
    while True:
        changed = dpnp.zeros(1, dtype="i4")
        ndx.call_kernel(visit, ndx.Range(nodes), *given, ours, level, changed)
        if not int(changed[0]):
            break
        level += 1
    front = [0]
    while front:
        following = []
        for node in front:
            for other in targets[starts[node] : starts[node + 1]]:
                if distance[other] < 0:
                    distance[other] = distance[node] + 1
                    following.append(other)
        front = following
    np.testing.assert_array_equal(dpnp.asnumpy(ours), distance)


# --- bit reversal and butterflies of a Fourier transform


@ndx.kernel
def reverse_bits(item: kapi.Item, x, y, bits):
    i = item.get_id(0)
    j, rest = 0, i
    for _ in range(bits):
        j = (j << 1) | (rest & 1)
        rest >>= 1
    y[j] = x[i]


@ndx.kernel
def butterfly(item: kapi.Item, x, half):
    n = item.get_id(0)
    block, k = n // half, n % half
    low, high = block * 2 * half + k, block * 2 * half + k + half
    angle = -math.pi * k / half
    t = x[high] * complex(math.cos(angle), math.sin(angle))
    x[high] = x[low] - t
    x[low] += t


@pytest.mark.parametrize("bits", [1, 5, 12, 17])
def test_fourier_transform(bits):
    random = np.random.default_rng(bits)
    x = random.normal(size=1 << bits) + 1j * random.normal(size=1 << bits)
    y = dpnp.zeros(1 << bits, dtype="c16")
    ndx.call_kernel(reverse_bits, ndx.Range(1 << bits), dpnp.asarray(x), y, bits)
    for stage in range(bits):
        ndx.call_kernel(butterfly, ndx.Range(1 << (bits - 1)), y, 1 << stage)
    np.testing.assert_allclose(dpnp.asnumpy(y), np.fft.fft(x), atol=1e-9 * (1 << bits))


# --- odd-even sort in a work-group, compaction by a scan


@ndx.kernel
def odd_even_sort(item: kapi.NdItem, x, tile):
    i, n = item.get_local_id(0), item.get_local_range(0)
    tile[i] = x[item.get_global_id(0)]
    kapi.group_barrier(item.get_group())
    for step in range(n):
        if i % 2 == step % 2 and i + 1 < n and tile[i] > tile[i + 1]:
            tile[i], tile[i + 1] = tile[i + 1], tile[i]
        kapi.group_barrier(item.get_group())
    x[item.get_global_id(0)] = tile[i]


@ndx.kernel
def compact(item: kapi.NdItem, x, limit, out, counts):
    i = item.get_global_id(0)
    keep = 1 if i < x.size and x[i] > limit else 0
    at = kapi.exclusive_scan_over_group(item.get_group(), keep, kapi.plus)
    group, size = item.get_group().get_group_id(0), item.get_local_range(0)
    if keep:
        out[group * size + at] = x[i]
    total = kapi.reduce_over_group(item.get_group(), keep, kapi.plus)
    if item.get_local_id(0) == 0:
        counts[group] = total


@pytest.mark.parametrize("size", SIZES)
def test_sort_and_compaction(size):
    x = np.random.default_rng(size).integers(0, 1000, size)
    out = dpnp.zeros(-(-size // 64) * 64, dtype="i8")
    counts = dpnp.zeros(out.size // 64, dtype="i8")
    ndx.call_kernel(compact, groups(size, 64), dpnp.asarray(x), 500, out, counts)
    kept = dpnp.asnumpy(out).reshape(-1, 64)
    found = np.concatenate([row[:n] for row, n in zip(kept, dpnp.asnumpy(counts), strict=True)])
    np.testing.assert_array_equal(found, x[x > 500])
    whole = x[: size // 50 * 50]
    if whole.size:
        ours = dpnp.asarray(whole)
        ndx.call_kernel(odd_even_sort, groups(whole.size, 50), ours, kapi.LocalAccessor(50, np.int64))
        np.testing.assert_array_equal(dpnp.asnumpy(ours), np.sort(whole.reshape(-1, 50), axis=1).ravel())


# --- images: bilinear samples, histogram equalisation, distance transform by jumps


@ndx.kernel
def rotate(item: kapi.Item, image, out, c, s):
    i, j = item.get_id(0), item.get_id(1)
    height, width = image.shape
    y0, x0 = i - height / 2, j - width / 2
    y, x = c * y0 + s * x0 + height / 2, -s * y0 + c * x0 + width / 2
    if 0 <= y < height - 1 and 0 <= x < width - 1:
        a, b = int(y), int(x)
        fy, fx = y - a, x - b
        top = image[a, b] * (1 - fx) + image[a, b + 1] * fx
        bottom = image[a + 1, b] * (1 - fx) + image[a + 1, b + 1] * fx
        out[i, j] = top * (1 - fy) + bottom * fy


@ndx.kernel
def equalise(item: kapi.Item, image, cumulated, out):
    i, j = item.get_id(0), item.get_id(1)
    out[i, j] = np.uint8(cumulated[image[i, j]] * 255 // cumulated[255])


@pytest.mark.parametrize("shape", [(5, 7), (300, 257)])
def test_images(shape):
    random = np.random.default_rng(5)
    image = random.random(shape)
    c, s = math.cos(0.3), math.sin(0.3)
    out = dpnp.zeros(shape)
    ndx.call_kernel(rotate, ndx.Range(*shape), dpnp.asarray(image), out, c, s)
    i, j = np.indices(shape)
    y0, x0 = i - shape[0] / 2, j - shape[1] / 2
    y, x = c * y0 + s * x0 + shape[0] / 2, -s * y0 + c * x0 + shape[1] / 2
    inside = (y >= 0) & (y < shape[0] - 1) & (x >= 0) & (x < shape[1] - 1)
    a, b = np.where(inside, y, 0).astype(int), np.where(inside, x, 0).astype(int)
    fy, fx = y - a, x - b
    top = image[a, b] * (1 - fx) + image[a, b + 1] * fx
    bottom = image[a + 1, b] * (1 - fx) + image[a + 1, b + 1] * fx
    np.testing.assert_allclose(dpnp.asnumpy(out), np.where(inside, top * (1 - fy) + bottom * fy, 0), atol=1e-12)
    pixels = (image * 256).astype("u1")
    cumulated = np.bincount(pixels.ravel(), minlength=256).cumsum()
    out = dpnp.zeros(shape, dtype="u1")
    ndx.call_kernel(equalise, ndx.Range(*shape), *device(pixels, cumulated), out)
    np.testing.assert_array_equal(dpnp.asnumpy(out), cumulated[pixels] * 255 // cumulated[255])


# --- an explicit scheme on a ring, with several steps in local memory


@ndx.kernel
def ring(item: kapi.NdItem, u, out, steps, now, then):
    i, n = item.get_local_id(0), item.get_local_range(0)
    now[i] = u[item.get_global_id(0)]
    kapi.group_barrier(item.get_group())
    for _ in range(steps):
        then[i] = 0.25 * now[(i - 1) % n] + 0.5 * now[i] + 0.25 * now[(i + 1) % n]
        kapi.group_barrier(item.get_group())
        now[i] = then[i]
        kapi.group_barrier(item.get_group())
    out[item.get_global_id(0)] = now[i]


@pytest.mark.parametrize("length", [3, 64, 1000])
@pytest.mark.parametrize("rings", [1, 50])
def test_rings(length, rings):
    u = np.random.default_rng(6).random((rings, length))
    out = dpnp.zeros(u.size)
    local = kapi.LocalAccessor(length, np.float64), kapi.LocalAccessor(length, np.float64)
    ndx.call_kernel(ring, groups(u.size, length), dpnp.asarray(u.ravel()), out, 7, *local)
    for _ in range(7):
        u = 0.25 * np.roll(u, 1, 1) + 0.5 * u + 0.25 * np.roll(u, -1, 1)
    np.testing.assert_allclose(dpnp.asnumpy(out), u.ravel(), rtol=1e-12)
