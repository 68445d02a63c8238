"""The same problems for Numba: loops over work-items, or over work-groups if the kernel has them; the same algorithms.

ALTERNATIVES has functions that are faster with another algorithm, sequential within a work-group.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from dpex_kernels import (
    BINOMIAL_STEPS,
    BITONIC_SEGMENT,
    CRC_WORDS,
    HISTOGRAM_BINS,
    HISTOGRAM_PER_ITEM,
    KDE_DIMENSIONS,
    KDE_EXPONENT,
    KDE_GROUP,
    KDE_POINTS,
    KDE_SAMPLES_PER_ITEM,
    MANDELBROT_LIMIT,
    NBODY_SOFTENING,
    OPTION_RATE,
    OPTION_VOLATILITY,
    REDUCE_GROUP,
    REDUCE_PER_ITEM,
    SCAN_GROUP,
    STENCIL_DIAMETER,
)
from numba import prange

fast = numba.njit(parallel=True, fastmath=True)
inline = numba.njit(fastmath=True, inline="always")
f4, u4, u8 = np.float32, np.uint32, np.uint64
EXPONENT, SOFTENING = f4(KDE_EXPONENT), f4(NBODY_SOFTENING)
RATE, VOLATILITY = f4(OPTION_RATE), f4(OPTION_VOLATILITY)


@fast
def kde(samples, points, sums, n):
    block = KDE_GROUP * KDE_SAMPLES_PER_ITEM
    for group in prange(n // block):
        for j in range(KDE_POINTS):
            total = f4(0)
            for sample in range(group * block, (group + 1) * block):
                distance = f4(0)
                for k in range(KDE_DIMENSIONS):
                    difference = samples[sample, k] - points[j, k]
                    distance += difference * difference
                total += math.exp(EXPONENT * distance)
            sums[group, j] = total


@fast
def nbody(bodies, acceleration, n):
    for i in prange(n):
        ax = ay = az = f4(0)
        for j in range(n):
            dx, dy, dz = bodies[j, 0] - bodies[i, 0], bodies[j, 1] - bodies[i, 1], bodies[j, 2] - bodies[i, 2]
            inverse = f4(1) / math.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING)
            strength = bodies[j, 3] * inverse * inverse * inverse
            ax += strength * dx
            ay += strength * dy
            az += strength * dz
        acceleration[i, 0], acceleration[i, 1], acceleration[i, 2], acceleration[i, 3] = ax, ay, az, f4(0)


@inline
def normal_distribution(d):
    k = f4(1) / (f4(1) + f4(0.2316419) * abs(d))
    polynomial = k * (
        f4(0.31938153) + k * (f4(-0.356563782) + k * (f4(1.781477937) + k * (f4(-1.821255978) + k * f4(1.330274429))))
    )
    tail = f4(0.39894228) * math.exp(f4(-0.5) * d * d) * polynomial
    return f4(1) - tail if d > 0 else tail


@fast
def black_scholes(spots, strikes, years, call, put, n):
    for i in prange(n):
        spot, strike, time = spots[i], strikes[i], years[i]
        deviation = VOLATILITY * math.sqrt(time)
        d1 = (math.log(spot / strike) + (RATE + f4(0.5) * VOLATILITY * VOLATILITY) * time) / deviation
        n1, n2 = normal_distribution(d1), normal_distribution(d1 - deviation)
        discounted = strike * math.exp(-RATE * time)
        call[i] = spot * n1 - discounted * n2
        put[i] = discounted * (f4(1) - n2) - spot * (f4(1) - n1)


@fast
def mandelbrot(counts, width, height):
    for row in prange(height):
        for column in range(width):
            cr = f4(3) * f4(column) / f4(width) - f4(2.25)
            ci = f4(2.5) * f4(row) / f4(height) - f4(1.25)
            zr = zi = f4(0)
            n = 0
            while n < MANDELBROT_LIMIT:
                rr, ii = zr * zr, zi * zi
                if rr + ii > f4(4):
                    break
                zi = f4(2) * zr * zi + ci
                zr = rr - ii + cr
                n += 1
            counts[row, column] = n


@fast
def matmul(a, b, c, n):
    tile = 64
    for block in prange(n // tile):
        for i in range(block * tile, (block + 1) * tile):
            c[i, :] = 0
        for start in range(0, n, tile):
            for i in range(block * tile, (block + 1) * tile):
                for k in range(start, start + tile):
                    factor = a[i, k]
                    for j in range(n):
                        c[i, j] += factor * b[k, j]


@fast
def reduction(values, sums, n):
    block = REDUCE_GROUP * REDUCE_PER_ITEM
    for group in prange(n // block):
        total = f4(0)
        for i in range(group * block, (group + 1) * block):
            total += values[i]
        sums[group] = total


@fast
def scan(values, sums, n):
    for group in prange(n // SCAN_GROUP):
        first = group * SCAN_GROUP
        partial = np.empty((2, SCAN_GROUP), np.int32)
        partial[0, :] = values[first : first + SCAN_GROUP]
        now = 0
        distance = 1
        while distance < SCAN_GROUP:
            for me in range(distance):
                partial[1 - now, me] = partial[now, me]
            for me in range(distance, SCAN_GROUP):
                partial[1 - now, me] = partial[now, me] + partial[now, me - distance]
            now = 1 - now
            distance *= 2
        sums[first : first + SCAN_GROUP] = partial[now, :]


@fast
def running_sums(values, sums, n):
    for group in prange(n // SCAN_GROUP):
        total = np.int32(0)
        for i in range(group * SCAN_GROUP, (group + 1) * SCAN_GROUP):
            total += values[i]
            sums[i] = total


@fast
def histogram(values, counts, n):
    block = HISTOGRAM_BINS * HISTOGRAM_PER_ITEM
    for group in prange(n // block):
        for b in range(HISTOGRAM_BINS):
            counts[group, b] = 0
        for i in range(group * block, (group + 1) * block):
            counts[group, values[i]] += u4(1)


@fast
def stencil(image, weights, result, width, height):
    for y in prange(height):
        for x in range(width):
            total = f4(0)
            for dy in range(STENCIL_DIAMETER):
                for dx in range(STENCIL_DIAMETER):
                    total += weights[dy, dx] * image[y + dy, x + dx]
            result[y, x] = total


@fast
def binomial(spots, strikes, years, puts, n):
    for option in prange(n):
        values, prices = np.empty(BINOMIAL_STEPS + 1, f4), np.empty(BINOMIAL_STEPS + 1, f4)
        time = years[option] / f4(BINOMIAL_STEPS)
        deviation = VOLATILITY * math.sqrt(time)
        ratio = math.exp(deviation)
        growth, fall = math.exp(RATE * time), f4(1) / ratio
        probability = (growth - fall) / (ratio - fall)
        up, down = probability / growth, (f4(1) - probability) / growth
        strike = strikes[option]
        for leaf in range(BINOMIAL_STEPS + 1):
            prices[leaf] = spots[option] * math.exp(deviation * f4(2 * leaf - BINOMIAL_STEPS))
            values[leaf] = max(strike - prices[leaf], f4(0))
        for level in range(BINOMIAL_STEPS, 0, -1):
            for leaf in range(level):
                prices[leaf] *= ratio
                values[leaf] = max(up * values[leaf + 1] + down * values[leaf], strike - prices[leaf])
        puts[option] = values[0]


@fast
def bitonic(values, ordered, n):
    for group in prange(n // BITONIC_SEGMENT):
        first = group * BITONIC_SEGMENT
        keys = ordered[first : first + BITONIC_SEGMENT]
        keys[:] = values[first : first + BITONIC_SEGMENT]
        run = 2
        while run <= BITONIC_SEGMENT:
            distance = run // 2
            while distance > 0:
                for me in range(BITONIC_SEGMENT):
                    other = me ^ distance
                    if other > me and (keys[me] > keys[other]) == ((me & run) == 0):
                        keys[me], keys[other] = keys[other], keys[me]
                distance //= 2
            run *= 2


@fast
def ray_sphere(spheres, hits, width, height, count):
    for row in prange(height):
        y = (f4(2) * f4(row) + f4(1)) / f4(height) - f4(1)
        for column in range(width):
            x = (f4(2) * f4(column) + f4(1)) / f4(width) - f4(1)
            found = -1
            for s in range(count):
                cx, cy, cz, radius = spheres[s, 0], spheres[s, 1], spheres[s, 2], spheres[s, 3]
                along = x * cx + y * cy + cz
                tangent_squared = cx * cx + cy * cy + cz * cz - radius * radius
                if along > 0 and along * along >= (x * x + y * y + f4(1)) * tangent_squared:
                    found = s
                    break
            hits[row, column] = found


@fast
def spmv(starts, columns, values, x, y, n, average):
    for row in prange(n):
        total = f4(0)
        for i in range(starts[row], starts[row + 1]):
            total += values[i] * x[columns[i]]
        y[row] = total


@fast
def philox(words, n, first_key, second_key):
    for i in prange(n):
        a, b, c, d = u4(i), u4(0), u4(0), u4(0)
        key0, key1 = u4(first_key), u4(second_key)
        for _ in range(10):
            first, second = u8(0xD2511F53) * u8(a), u8(0xCD9E8D57) * u8(c)
            a = u4(second >> u8(32)) ^ b ^ key0
            b = u4(second)
            c = u4(first >> u8(32)) ^ d ^ key1
            d = u4(first)
            key0 = u4(key0 + u4(0x9E3779B9))
            key1 = u4(key1 + u4(0xBB67AE85))
        words[i, 0], words[i, 1], words[i, 2], words[i, 3] = a, b, c, d


@fast
def crc(messages, table, sums, n):
    for m in prange(n):
        total = u4(0xFFFFFFFF)
        for w in range(0, CRC_WORDS, 2):
            low, high = messages[m * CRC_WORDS + w] ^ total, messages[m * CRC_WORDS + w + 1]
            total = (
                table[7 * 256 + (low & u4(255))]
                ^ table[6 * 256 + ((low >> u4(8)) & u4(255))]
                ^ table[5 * 256 + ((low >> u4(16)) & u4(255))]
                ^ table[4 * 256 + (low >> u4(24))]
                ^ table[3 * 256 + (high & u4(255))]
                ^ table[2 * 256 + ((high >> u4(8)) & u4(255))]
                ^ table[256 + ((high >> u4(16)) & u4(255))]
                ^ table[high >> u4(24)]
            )
        sums[m] = ~total


ALTERNATIVES = {"scan": running_sums}
