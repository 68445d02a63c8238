"""The 15 kernels in Python, statement by statement those of sycl/."""

from __future__ import annotations

import math

import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi
from problems import SHAPES

f4, i4, u4, u8 = np.float32, np.int32, np.uint32, np.uint64

DIMENSIONS, POINTS, GROUP, PER_ITEM = (
    SHAPES[f"KDE_{k}"] for k in ("DIMENSIONS", "POINTS", "GROUP", "SAMPLES_PER_ITEM")
)
EXPONENT = SHAPES["KDE_EXPONENT"]
SOFTENING = SHAPES["NBODY_SOFTENING"]
RATE, VOLATILITY = SHAPES["OPTION_RATE"], SHAPES["OPTION_VOLATILITY"]
LIMIT = SHAPES["MANDELBROT_LIMIT"]
TILE, ROWS = SHAPES["MATMUL_TILE"], SHAPES["MATMUL_ROWS_PER_ITEM"]
REDUCE_GROUP, REDUCE_PER_ITEM = SHAPES["REDUCE_GROUP"], SHAPES["REDUCE_PER_ITEM"]
SCAN_GROUP = SHAPES["SCAN_GROUP"]
BINS, VALUES_PER_ITEM = SHAPES["HISTOGRAM_BINS"], SHAPES["HISTOGRAM_PER_ITEM"]
HALO = 2 * SHAPES["STENCIL_RADIUS"]
DIAMETER = HALO + 1
WIDTH, HEIGHT = SHAPES["STENCIL_WIDTH"], SHAPES["STENCIL_HEIGHT"]
STEPS = SHAPES["BINOMIAL_STEPS"]
SEGMENT = SHAPES["BITONIC_SEGMENT"]
WORDS = SHAPES["CRC_MESSAGE_BYTES"] // 4


@ndx.kernel
def kde(item, samples, points, sums):
    group, me = item.get_group().get_group_id(0), item.get_local_id(0)
    total = kapi.PrivateArray(POINTS, f4, fill_zeros=True)
    x = kapi.PrivateArray(DIMENSIONS, f4)
    for s in range(PER_ITEM):
        sample = (group * PER_ITEM + s) * GROUP + me
        for k in range(DIMENSIONS):
            x[k] = samples[sample, k]
        for j in range(POINTS):
            distance = f4(0)
            for k in range(DIMENSIONS):
                difference = x[k] - points[j, k]
                distance += difference * difference
            total[j] += math.exp(EXPONENT * distance)
    for j in range(POINTS):
        block = kapi.reduce_over_group(item.get_group(), total[j], kapi.plus)
        if item.get_group().leader:
            sums[group, j] = block


@ndx.kernel
def nbody(item, bodies, acceleration):
    i = item.get_id(0)
    x, y, z = bodies[i, 0], bodies[i, 1], bodies[i, 2]
    ax = ay = az = f4(0)
    for j in range(bodies.shape[0]):
        dx, dy, dz = bodies[j, 0] - x, bodies[j, 1] - y, bodies[j, 2] - z
        inverse = 1 / math.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING)
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
def black_scholes(item, spots, strikes, years, call, put):
    i = item.get_id(0)
    spot, strike, time = spots[i], strikes[i], years[i]
    deviation = VOLATILITY * math.sqrt(time)
    d1 = (math.log(spot / strike) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * time) / deviation
    n1, n2 = normal_distribution(d1), normal_distribution(d1 - deviation)
    discounted = strike * math.exp(-RATE * time)
    call[i] = spot * n1 - discounted * n2
    put[i] = discounted * (1 - n2) - spot * (1 - n1)


@ndx.kernel
def mandelbrot(item, counts):
    height, width = counts.shape
    row, column = item.get_id(0), item.get_id(1)
    cr = 3 * f4(column) / f4(width) - 2.25
    ci = 2.5 * f4(row) / f4(height) - 1.25
    zr = zi = f4(0)
    n = i4(0)
    while n < LIMIT:
        rr, ii = zr * zr, zi * zi
        if rr + ii > 4:
            break
        zi = 2 * zr * zi + ci
        zr = rr - ii + cr
        n += 1
    counts[row, column] = n


@ndx.kernel
def matmul(item, a, b, c, a_tile, b_tile):
    n = c.shape[0]
    x, y = item.get_local_id(1), item.get_local_id(0)
    column, first = item.get_global_id(1), item.get_group().get_group_id(0) * (TILE * ROWS)
    sums = kapi.PrivateArray(ROWS, f4, fill_zeros=True)
    for k in range(0, n, TILE):
        for r in range(ROWS):
            a_tile[r * TILE + y, x] = a[first + r * TILE + y, k + x]
        b_tile[y, x] = b[k + y, column]
        kapi.group_barrier(item.get_group())
        for i in range(TILE):
            for r in range(ROWS):
                sums[r] += a_tile[r * TILE + y, i] * b_tile[i, x]
        kapi.group_barrier(item.get_group())
    for r in range(ROWS):
        c[first + r * TILE + y, column] = sums[r]


@ndx.kernel
def reduction(item, values, sums, tree):
    me, group = item.get_local_id(0), item.get_group().get_group_id(0)
    total = f4(0)
    for k in range(REDUCE_PER_ITEM):
        total += values[(group * REDUCE_PER_ITEM + k) * REDUCE_GROUP + me]
    tree[me] = total
    half = REDUCE_GROUP // 2
    while half > 0:
        kapi.group_barrier(item.get_group())
        if me < half:
            tree[me] += tree[me + half]
        half //= 2
    if me == 0:
        sums[group] = tree[0]


@ndx.kernel
def scan(item, values, sums, partial):
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
def histogram(item, values, counts, bins):
    me, group = item.get_local_id(0), item.get_group().get_group_id(0)
    bins[me] = 0
    kapi.group_barrier(item.get_group())
    for k in range(VALUES_PER_ITEM):
        kapi.AtomicRef(bins, values[(group * VALUES_PER_ITEM + k) * BINS + me]).fetch_add(1)
    kapi.group_barrier(item.get_group())
    counts[group, me] = bins[me]


@ndx.kernel
def stencil(item, image, weights, result, tile):
    x, y = item.get_local_id(1), item.get_local_id(0)
    group = item.get_group()
    top, left = group.get_group_id(0) * HEIGHT, group.get_group_id(1) * WIDTH
    for row in range(y, HEIGHT + HALO, HEIGHT):
        for column in range(x, WIDTH + HALO, WIDTH):
            tile[row, column] = image[top + row, left + column]
    kapi.group_barrier(group)
    total = f4(0)
    for dy in range(DIAMETER):
        for dx in range(DIAMETER):
            total += weights[dy, dx] * tile[y + dy, x + dx]
    result[item.get_global_id(0), item.get_global_id(1)] = total


@ndx.kernel
def binomial(item, spots, strikes, years, puts, values):
    option, me = item.get_group().get_group_id(0), item.get_local_id(0)
    time = years[option] / STEPS
    deviation = VOLATILITY * math.sqrt(time)
    price_ratio = math.exp(deviation)
    growth, fall = math.exp(RATE * time), 1 / price_ratio
    probability = (growth - fall) / (price_ratio - fall)
    up, down = probability / growth, (1 - probability) / growth
    strike = strikes[option]
    price = spots[option] * math.exp(deviation * f4(2 * me - STEPS))
    value = max(strike - price, f4(0))
    for level in range(STEPS, 0, -1):
        values[me] = value
        kapi.group_barrier(item.get_group())
        if me < level:
            price *= price_ratio
            value = max(up * values[me + 1] + down * value, strike - price)
        kapi.group_barrier(item.get_group())
    if me == 0:
        puts[option] = value


@ndx.kernel
def bitonic(item, values, ordered, keys):
    me, i = item.get_local_id(0), item.get_global_id(0)
    key = values[i]
    run = 2
    while run <= SEGMENT:
        distance = run // 2
        while distance > 0:
            keys[me] = key
            kapi.group_barrier(item.get_group())
            other = keys[me ^ distance]
            lower, ascending = (me & distance) == 0, (me & run) == 0
            key = min(key, other) if lower == ascending else max(key, other)
            kapi.group_barrier(item.get_group())
            distance //= 2
        run *= 2
    ordered[i] = key


@ndx.device_func
def view(pixel, pixels):
    return (2 * f4(pixel) + 1) / f4(pixels) - 1


@ndx.kernel
def ray_sphere(item, spheres, met):
    height, width = met.shape
    row, column = item.get_id(0), item.get_id(1)
    x, y = view(column, width), view(row, height)
    found = i4(-1)
    for s in range(spheres.shape[0]):
        cx, cy, cz, radius = spheres[s, 0], spheres[s, 1], spheres[s, 2], spheres[s, 3]
        along = x * cx + y * cy + cz
        beside = cx * cx + cy * cy + cz * cz - radius * radius
        if along > 0 and along * along >= (x * x + y * y + 1) * beside:
            found = i4(s)
            break
    met[row, column] = found


@ndx.kernel
def spmv(item, starts, columns, values, x, y):
    row = item.get_id(0)
    total = f4(0)
    for i in range(starts[row], starts[row + 1]):
        total += values[i] * x[columns[i]]
    y[row] = total


@ndx.kernel
def philox(item, words, key0, key1):
    i = item.get_id(0)
    a, b, c, d = u4(i), u4(0), u4(0), u4(0)
    first_key, second_key = u4(key0), u4(key1)
    for _ in range(10):
        first, second = u8(0xD2511F53) * u8(a), u8(0xCD9E8D57) * u8(c)
        a = u4(second >> 32) ^ b ^ first_key
        b = u4(second)
        c = u4(first >> 32) ^ d ^ second_key
        d = u4(first)
        first_key += u4(0x9E3779B9)
        second_key += u4(0xBB67AE85)
    words[i, 0] = a
    words[i, 1] = b
    words[i, 2] = c
    words[i, 3] = d


@ndx.kernel
def crc(item, messages, table, sums):
    m = item.get_id(0)
    total = u4(0xFFFFFFFF)
    for w in range(0, WORDS, 2):
        low, high = messages[m, w] ^ total, messages[m, w + 1]
        total = (
            table[7, low & 255]
            ^ table[6, low >> 8 & 255]
            ^ table[5, low >> 16 & 255]
            ^ table[4, low >> 24]
            ^ table[3, high & 255]
            ^ table[2, high >> 8 & 255]
            ^ table[1, high >> 16 & 255]
            ^ table[0, high >> 24]
        )
    sums[m] = ~total


# What a launch passes besides the buffers: local memory, and those sizes that no array has.
LOCAL = {
    "matmul": (((TILE * ROWS, TILE), f4), ((TILE, TILE), f4)),
    "reduction": (((REDUCE_GROUP,), f4),),
    "scan": (((2, SCAN_GROUP), i4),),
    "histogram": (((BINS,), u4),),
    "stencil": (((HEIGHT + HALO, WIDTH + HALO), f4),),
    "binomial": (((STEPS + 2,), f4),),
    "bitonic": (((SEGMENT,), i4),),
}
SIZES = {"philox": slice(1, 3)}
