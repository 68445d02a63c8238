"""The kernels of benchmarks/kernels in Python: the same algorithms as those in SYCL, statement by statement.

Each takes the problem's buffers and then its sizes; LOCAL has the local memory that follows as arguments. `fastmath` is
set where it matters: for approximate reciprocal square roots, as SYCL's native::rsqrt, and for reordering a row's sum.
"""

from __future__ import annotations

import math

import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi
from problems import SHAPES

float32, int32, uint32, uint64 = np.float32, np.int32, np.uint32, np.uint64

KDE_DIMENSIONS, KDE_POINTS = SHAPES["KDE_DIMENSIONS"], SHAPES["KDE_POINTS"]
KDE_GROUP, KDE_SAMPLES_PER_ITEM = SHAPES["KDE_GROUP"], SHAPES["KDE_SAMPLES_PER_ITEM"]
KDE_EXPONENT = SHAPES["KDE_EXPONENT"]
NBODY_SOFTENING = SHAPES["NBODY_SOFTENING"]
OPTION_RATE, OPTION_VOLATILITY = SHAPES["OPTION_RATE"], SHAPES["OPTION_VOLATILITY"]
MANDELBROT_LIMIT = SHAPES["MANDELBROT_LIMIT"]
MATMUL_TILE, MATMUL_ROWS_PER_ITEM = SHAPES["MATMUL_TILE"], SHAPES["MATMUL_ROWS_PER_ITEM"]
REDUCE_GROUP, REDUCE_PER_ITEM = SHAPES["REDUCE_GROUP"], SHAPES["REDUCE_PER_ITEM"]
SCAN_GROUP = SHAPES["SCAN_GROUP"]
HISTOGRAM_BINS, HISTOGRAM_PER_ITEM = SHAPES["HISTOGRAM_BINS"], SHAPES["HISTOGRAM_PER_ITEM"]
STENCIL_DIAMETER = 2 * SHAPES["STENCIL_RADIUS"] + 1
STENCIL_WIDTH, STENCIL_HEIGHT = SHAPES["STENCIL_WIDTH"], SHAPES["STENCIL_HEIGHT"]
TILE_SHAPE = (STENCIL_HEIGHT + STENCIL_DIAMETER - 1, STENCIL_WIDTH + STENCIL_DIAMETER - 1)
BINOMIAL_STEPS = SHAPES["BINOMIAL_STEPS"]
BITONIC_SEGMENT = SHAPES["BITONIC_SEGMENT"]
CRC_WORDS = SHAPES["CRC_MESSAGE_BYTES"] // 4


@ndx.kernel
def kde(item: kapi.NdItem, samples, points, sums, n):
    total = kapi.PrivateArray(KDE_POINTS, float32, fill_zeros=True)
    x = kapi.PrivateArray(KDE_DIMENSIONS, float32)
    group = item.get_group()
    for s in range(KDE_SAMPLES_PER_ITEM):
        sample = (group.get_group_id(0) * KDE_SAMPLES_PER_ITEM + s) * KDE_GROUP + item.get_local_id(0)
        for k in range(KDE_DIMENSIONS):
            x[k] = samples[sample, k]
        for j in range(KDE_POINTS):
            distance = float32(0)
            for k in range(KDE_DIMENSIONS):
                difference = x[k] - points[j, k]
                distance += difference * difference
            total[j] += math.exp(KDE_EXPONENT * distance)
    for j in range(KDE_POINTS):
        sum_of_group = kapi.reduce_over_group(group, total[j], kapi.plus)
        if group.leader:
            sums[group.get_group_id(0), j] = sum_of_group


@ndx.kernel(fastmath=True)
def nbody(item: kapi.Item, bodies, acceleration, n):
    i = item.get_id(0)
    x, y, z = bodies[i, 0], bodies[i, 1], bodies[i, 2]
    ax = ay = az = float32(0)
    for j in range(n):
        dx, dy, dz = bodies[j, 0] - x, bodies[j, 1] - y, bodies[j, 2] - z
        inverse = 1 / math.sqrt(dx * dx + dy * dy + dz * dz + NBODY_SOFTENING)
        strength = bodies[j, 3] * inverse * inverse * inverse
        ax += strength * dx
        ay += strength * dy
        az += strength * dz
    acceleration[i, 0] = ax
    acceleration[i, 1] = ay
    acceleration[i, 2] = az
    acceleration[i, 3] = 0


@ndx.device_func
def normal_distribution(d):
    k = 1 / (1 + 0.2316419 * abs(d))
    polynomial = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.39894228 * math.exp(-0.5 * d * d) * polynomial
    return 1 - tail if d > 0 else tail


@ndx.kernel
def black_scholes(item: kapi.Item, spots, strikes, years, call, put, n):
    i = item.get_id(0)
    spot, strike, time = spots[i], strikes[i], years[i]
    deviation = OPTION_VOLATILITY * math.sqrt(time)
    d1 = (math.log(spot / strike) + (OPTION_RATE + 0.5 * OPTION_VOLATILITY * OPTION_VOLATILITY) * time) / deviation
    n1 = normal_distribution(d1)
    n2 = normal_distribution(d1 - deviation)
    discounted = strike * math.exp(-OPTION_RATE * time)
    call[i] = spot * n1 - discounted * n2
    put[i] = discounted * (1 - n2) - spot * (1 - n1)


@ndx.kernel
def mandelbrot(item: kapi.Item, counts, width, height):
    row, column = item.get_id(0), item.get_id(1)
    cr = 3 * float32(column) / float32(width) - 2.25
    ci = 2.5 * float32(row) / float32(height) - 1.25
    zr = zi = float32(0)
    n = 0
    while n < MANDELBROT_LIMIT:
        rr, ii = zr * zr, zi * zi
        if rr + ii > 4:
            break
        zi = 2 * zr * zi + ci
        zr = rr - ii + cr
        n += 1
    counts[row, column] = n


@ndx.kernel
def matmul(item: kapi.NdItem, a, b, c, n, a_tile, b_tile):
    x, y = item.get_local_id(1), item.get_local_id(0)
    group = item.get_group()
    column = item.get_global_id(1)
    first = group.get_group_id(0) * MATMUL_TILE * MATMUL_ROWS_PER_ITEM
    total = kapi.PrivateArray(MATMUL_ROWS_PER_ITEM, float32, fill_zeros=True)
    for k in range(0, n, MATMUL_TILE):
        for r in range(MATMUL_ROWS_PER_ITEM):
            a_tile[r * MATMUL_TILE + y, x] = a[first + r * MATMUL_TILE + y, k + x]
        b_tile[y, x] = b[k + y, column]
        kapi.group_barrier(group)
        for i in range(MATMUL_TILE):
            for r in range(MATMUL_ROWS_PER_ITEM):
                total[r] += a_tile[r * MATMUL_TILE + y, i] * b_tile[i, x]
        kapi.group_barrier(group)
    for r in range(MATMUL_ROWS_PER_ITEM):
        c[first + r * MATMUL_TILE + y, column] = total[r]


@ndx.kernel
def reduction(item: kapi.NdItem, values, sums, n, tree):
    me, group = item.get_local_id(0), item.get_group()
    total = float32(0)
    for k in range(REDUCE_PER_ITEM):
        total += values[(group.get_group_id(0) * REDUCE_PER_ITEM + k) * REDUCE_GROUP + me]
    tree[me] = total
    half = REDUCE_GROUP // 2
    while half > 0:
        kapi.group_barrier(group)
        if me < half:
            tree[me] += tree[me + half]
        half //= 2
    if me == 0:
        sums[group.get_group_id(0)] = tree[0]


@ndx.kernel
def scan(item: kapi.NdItem, values, sums, n, partial):
    me, i = item.get_local_id(0), item.get_global_id(0)
    total = values[i]
    now = 0
    distance = 1
    while distance < SCAN_GROUP:
        partial[now, me] = total
        kapi.group_barrier(item.get_group())
        if me >= distance:
            total += partial[now, me - distance]
        now = 1 - now
        distance *= 2
    sums[i] = total


@ndx.kernel
def histogram(item: kapi.NdItem, values, counts, n, bins):
    me, group = item.get_local_id(0), item.get_group()
    which = group.get_group_id(0)
    bins[me] = 0
    kapi.group_barrier(group)
    for k in range(HISTOGRAM_PER_ITEM):
        kapi.AtomicRef(bins, values[(which * HISTOGRAM_PER_ITEM + k) * HISTOGRAM_BINS + me]).fetch_add(uint32(1))
    kapi.group_barrier(group)
    counts[which, me] = bins[me]


@ndx.kernel
def stencil(item: kapi.NdItem, image, weights, result, width, height, tile):
    x, y = item.get_local_id(1), item.get_local_id(0)
    group = item.get_group()
    top, left = group.get_group_id(0) * STENCIL_HEIGHT, group.get_group_id(1) * STENCIL_WIDTH
    for row in range(y, TILE_SHAPE[0], STENCIL_HEIGHT):
        for column in range(x, TILE_SHAPE[1], STENCIL_WIDTH):
            tile[row, column] = image[top + row, left + column]
    kapi.group_barrier(group)
    total = float32(0)
    for dy in range(STENCIL_DIAMETER):
        for dx in range(STENCIL_DIAMETER):
            total += weights[dy, dx] * tile[y + dy, x + dx]
    result[item.get_global_id(0), item.get_global_id(1)] = total


@ndx.kernel
def binomial(item: kapi.NdItem, spots, strikes, years, puts, n, values):
    group = item.get_group()
    option, me = group.get_group_id(0), item.get_local_id(0)
    time = years[option] / BINOMIAL_STEPS
    deviation = OPTION_VOLATILITY * math.sqrt(time)
    ratio = math.exp(deviation)
    growth, fall = math.exp(OPTION_RATE * time), 1 / ratio
    probability = (growth - fall) / (ratio - fall)
    up, down = probability / growth, (1 - probability) / growth
    strike = strikes[option]
    price = spots[option] * math.exp(deviation * float32(2 * me - BINOMIAL_STEPS))
    value = max(strike - price, float32(0))
    for level in range(BINOMIAL_STEPS, 0, -1):
        values[me] = value
        kapi.group_barrier(group)
        if me < level:
            price *= ratio
            value = max(up * values[me + 1] + down * value, strike - price)
        kapi.group_barrier(group)
    if me == 0:
        puts[option] = value


@ndx.kernel
def bitonic(item: kapi.NdItem, values, ordered, n, keys):
    group = item.get_group()
    me, i = item.get_local_id(0), item.get_global_id(0)
    key = values[i]
    run = 2
    while run <= BITONIC_SEGMENT:
        distance = run // 2
        while distance > 0:
            keys[me] = key
            kapi.group_barrier(group)
            other = keys[me ^ distance]
            lower, ascending = (me & distance) == 0, (me & run) == 0
            key = min(key, other) if lower == ascending else max(key, other)
            kapi.group_barrier(group)
            distance //= 2
        run *= 2
    ordered[i] = key


@ndx.device_func
def ray_direction(pixel, pixels):
    return (2 * float32(pixel) + 1) / float32(pixels) - 1


@ndx.kernel
def ray_sphere(item: kapi.Item, spheres, hits, width, height, count):
    row, column = item.get_id(0), item.get_id(1)
    x, y = ray_direction(column, width), ray_direction(row, height)
    found = -1
    for s in range(count):
        cx, cy, cz, radius = spheres[s, 0], spheres[s, 1], spheres[s, 2], spheres[s, 3]
        along = x * cx + y * cy + cz
        tangent_squared = cx * cx + cy * cy + cz * cz - radius * radius
        if along > 0 and along * along >= (x * x + y * y + 1) * tangent_squared:
            found = s
            break
    hits[row, column] = found


@ndx.kernel(fastmath=True)
def spmv(item: kapi.Item, starts, columns, values, x, y, n, average):
    row = item.get_id(0)
    total = float32(0)
    for i in range(starts[row], starts[row + 1]):
        total += values[i] * x[columns[i]]
    y[row] = total


@ndx.kernel
def philox(item: kapi.Item, words, n, first_key, second_key):
    i = item.get_id(0)
    a, b, c, d = uint32(i), uint32(0), uint32(0), uint32(0)
    key0, key1 = uint32(first_key), uint32(second_key)
    for _ in range(10):
        first, second = uint64(0xD2511F53) * a, uint64(0xCD9E8D57) * c
        a = uint32(second >> 32) ^ b ^ key0
        b = uint32(second)
        c = uint32(first >> 32) ^ d ^ key1
        d = uint32(first)
        key0 += 0x9E3779B9
        key1 += 0xBB67AE85
    words[i, 0] = a
    words[i, 1] = b
    words[i, 2] = c
    words[i, 3] = d


# Indexed as in SYCL, where row sizes are constants: those of two-dimensional arrays are known only at run time.
@ndx.kernel
def crc(item: kapi.Item, messages, table, sums, n):
    m = item.get_id(0)
    total = uint32(0xFFFFFFFF)
    for w in range(0, CRC_WORDS, 2):
        low, high = messages[m * CRC_WORDS + w] ^ total, messages[m * CRC_WORDS + w + 1]
        total = (
            table[7 * 256 + (low & 255)]
            ^ table[6 * 256 + ((low >> 8) & 255)]
            ^ table[5 * 256 + ((low >> 16) & 255)]
            ^ table[4 * 256 + (low >> 24)]
            ^ table[3 * 256 + (high & 255)]
            ^ table[2 * 256 + ((high >> 8) & 255)]
            ^ table[256 + ((high >> 16) & 255)]
            ^ table[high >> 24]
        )
    sums[m] = ~total


LOCAL = {
    "matmul": [
        ((MATMUL_TILE * MATMUL_ROWS_PER_ITEM, MATMUL_TILE), float32),
        ((MATMUL_TILE, MATMUL_TILE), float32),
    ],
    "reduction": [(REDUCE_GROUP, float32)],
    "scan": [((2, SCAN_GROUP), int32)],
    "histogram": [(HISTOGRAM_BINS, uint32)],
    "stencil": [(TILE_SHAPE, float32)],
    "binomial": [(BINOMIAL_STEPS + 2, float32)],
    "bitonic": [(BITONIC_SEGMENT, int32)],
}
