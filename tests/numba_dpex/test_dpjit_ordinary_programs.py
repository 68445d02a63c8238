"""Programs of many fields as dpjit functions, compared with Python on NumPy's arrays; each is called several times."""

from __future__ import annotations

import cmath
import math
from collections import namedtuple

import dpnp
import numba_dpex.kernel_api as kapi
import numpy as np
import pytest
from numba_dpex import device_func, dpjit, prange
from test_dpjit import check

GRAVITY = 9.81
COEFFICIENTS = (0.5, -1.25, 3.0)
TABLE = np.array([1, 3, 9, 27, 81], dtype="i4")
Box = namedtuple("Box", ["x0", "x1", "steps"])


@device_func
def horner(x, c):
    total = 0.0
    for each in c:
        total = total * x + each
    return total


@device_func
def clamp(value, low=0, high=1):
    return low if value < low else high if value > high else value


def polynomial(x, y):
    for i in prange(x.size):
        y[i] = horner(x[i], COEFFICIENTS)


def trapezoid(x, y):
    area = 0.0
    for i in prange(x.size - 1):
        area += (x[i + 1] - x[i]) * (y[i] + y[i + 1]) / 2
    return area


def simpson(box: Box):
    h = (box.x1 - box.x0) / box.steps
    total = 0.0
    for k in prange(box.steps + 1):
        weight = 1 if k == 0 or k == box.steps else 4 if k % 2 else 2
        total += weight * math.exp(-((box.x0 + k * h) ** 2))
    return total * h / 3


def exponential_smoothing(x, y, alpha=0.3):
    level = x[0] if x.size else 0.0
    for i, value in enumerate(x):
        level = alpha * value + (1 - alpha) * level
        y[i] = level


def drawdown(x):
    peak, worst, where = -math.inf, 0.0, -1
    for i in range(len(x)):
        if x[i] > peak:
            peak = x[i]
        elif peak - x[i] > worst:
            worst, where = peak - x[i], i
    return worst, where


def run_lengths(x, values, lengths):
    n = 0
    for i in range(x.size):
        if n and values[n - 1] == x[i] % 3:
            lengths[n - 1] += 1
        else:
            values[n] = x[i] % 3
            lengths[n] = 1
            n += 1
    return n


def collatz(x, out):
    for i in prange(x.size):
        n = abs(int(x[i])) + 1
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        out[i] = steps


def greatest_common_divisors(a, b, out):
    for i in prange(a.size):
        x, y = abs(int(a[i])), abs(int(b[i]))
        while y:
            x, y = y, x % y
        out[i] = x


def bits(x, out):
    for i in prange(x.size):
        v = int(x[i]) & 0xFFFF
        count = 0
        while v:
            v &= v - 1
            count += 1
        out[i] = count << 2 | (count & 1) ^ 1


def checksum(x):
    a, b = 1, 0
    for v in x:
        a = (a + int(v)) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def fnv(x):
    h = np.uint32(2166136261)
    for i in range(x.size):
        h = (h ^ np.uint32(x[i] & 255)) * np.uint32(16777619)
    return int(h)


def xorshift(out):
    for i in prange(out.size):
        s = np.uint64(i + 1)
        for _ in range(3):
            s ^= s << np.uint64(13)
            s ^= s >> np.uint64(7)
            s ^= s << np.uint64(17)
        out[i] = s >> np.uint64(40)


def base_three(x, out):
    for i in prange(x.size):
        v, code = abs(int(x[i])) % 243, 0
        for k in range(4, -1, -1):
            digit = v // TABLE[k]
            v -= digit * TABLE[k]
            code = code * 10 + digit
        out[i] = code


def rotate(points, angle, out):
    c, s = math.cos(angle), math.sin(angle)
    for i in prange(points.shape[0]):
        x, y = points[i]
        out[i] = (c * x - s * y, s * x + c * y)


def bounding_box(points):
    low, high = points[0, 0], points[0, 0]
    for i in prange(points.shape[0]):
        low = min(low, points[i, 0], points[i, 1])
        high = max(high, max(points[i, 0], points[i, 1]))
    return low, high


def polygon_area(points):
    area = 0.0
    n = points.shape[0]
    for i in prange(n):
        j = (i + 1) % n
        area += points[i, 0] * points[j, 1] - points[j, 0] * points[i, 1]
    return abs(area) / 2


def inside(points, out):
    for i in prange(points.shape[0]):
        hit = False
        j = 3
        for k in range(4):
            xk, yk = (k % 2) * 2.0 - 1, (k // 2) * 2.0 - 1
            xj, yj = (j % 2) * 2.0 - 1, (j // 2) * 2.0 - 1
            if (yk > points[i, 1]) != (yj > points[i, 1]):
                cut = (xj - xk) * (points[i, 1] - yk) / (yj - yk) + xk
                if points[i, 0] < cut:
                    hit = not hit
            j = k
        out[i] = hit


def haversine(points, out, lat=0.5, lon=-0.25):
    for i in prange(points.shape[0]):
        dlat, dlon = points[i, 0] - lat, points[i, 1] - lon
        a = math.sin(dlat / 2) ** 2 + math.cos(lat) * math.cos(points[i, 0]) * math.sin(dlon / 2) ** 2
        out[i] = 2 * 6371 * math.asin(math.sqrt(min(1.0, max(0.0, a))))


def centroid(points, weights):
    total = dpnp.zeros(2)
    weight = 0.0
    for i in prange(points.shape[0]):
        total += points[i] * weights[i]
        weight += weights[i]
    return total / weight if weight else total


def column_extremes(points, low, high):
    for i in prange(points.shape[0]):
        low = dpnp.minimum(low, points[i])
        high = dpnp.maximum(high, points[i])
    return low, high


def roots(x, out):
    for i in prange(x.size):
        a, b, c = 1.0, x[i], 0.5
        d = b * b - 4 * a * c
        if d < 0:
            out[i] = math.nan
            continue
        q = -0.5 * (b + math.copysign(math.sqrt(d), b))
        out[i] = min(q / a, c / q) if q else 0.0


def newton(x, out):
    for i in prange(x.size):
        guess, target = 1.0, abs(x[i]) + 0.1
        for _ in range(60):
            step = (guess**3 - target) / (3 * guess**2)
            guess -= step
            if abs(step) < 1e-14 * guess:
                break
        out[i] = guess


def bisection(x, out):
    for i in prange(x.size):
        low, high = 0.0, 10.0
        while high - low > 1e-10:
            middle = (low + high) / 2
            if middle * middle < abs(x[i]):
                low = middle
            else:
                high = middle
        out[i] = low


def phases(z, out):
    for i in prange(z.size):
        w = z[i] * z[i].conjugate() + 1j
        out[i] = cmath.exp(1j * w.imag) * abs(z[i]) + z[i].real


def mandelbrot_row(z, out):
    for i in prange(z.size):
        w = 0j
        out[i] = 30
        for k in range(30):
            w = w * w + z[i]
            if w.real**2 + w.imag**2 > 4:
                out[i] = k
                break


def fourier_term(x, k):
    n = x.size
    total = 0j
    for i in prange(n):
        total += x[i] * cmath.exp(-2j * math.pi * k * i / n)
    return abs(total)


def autocorrelation(x, out):
    mean = dpnp.sum(x) / x.size if x.size else 0.0
    for lag in prange(out.size):
        total = 0.0
        for i in range(x.size - lag):
            total += (x[i] - mean) * (x[i + lag] - mean)
        out[lag] = total


def running_median(x, out):
    n = x.size
    for i in prange(1, n - 1):
        a, b, c = x[i - 1], x[i], x[i + 1]
        if a > b:
            a, b = b, a
        if b > c:
            b = c
        out[i] = max(a, b)


def upsample(x, out):
    for i in prange(out.size):
        left, t = divmod(i, 2)
        right = left + 1 if left + 1 < x.size else left
        out[i] = x[left] if t == 0 else (x[left] + x[right]) / 2


def dither(x, out):
    error = 0.0
    for i in range(x.size):
        wanted = clamp(x[i], -1, 1) + error
        out[i] = 1 if wanted > 0 else -1
        error = wanted - out[i]
    return error


def quantise(x, out):
    for i in prange(x.size):
        v = round(clamp(x[i], -1.0, 1.0) * 127)
        out[i] = np.int8(v)


def saturating_sum(x, y, out):
    for i in prange(x.size):
        s = int(x[i]) + int(y[i])
        out[i] = 127 if s > 127 else -128 if s < -128 else s


def histogram_2d(points, counts):
    rows, columns = counts.shape
    for i in prange(points.shape[0]):
        a, b = int((points[i, 0] + 4) / 8 * rows), int((points[i, 1] + 4) / 8 * columns)
        if 0 <= a < rows and 0 <= b < columns:
            counts[a, b] += 1


def transpose_blocks(a, out):
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            out[j, i] = a[i, j]


def triangle(a):
    total = 0
    for i in prange(a.shape[0]):
        for j in range(i, a.shape[1]):
            total += a[i, j]
    return total


def trace_of_product(a, b):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i] @ b[:, i]
    return total


def softmax_rows(a, out):
    for i in prange(a.shape[0]):
        most = dpnp.max(a[i])
        e = dpnp.exp(a[i] - most)
        out[i] = e / dpnp.sum(e)


def standardised(a, out):
    for i in prange(a.shape[0]):
        spread = a[i].std()
        out[i, :] = (a[i] - a[i].mean()) / (spread if spread > 0 else 1.0)


def nearest_row(a, b, out):
    for i in prange(a.shape[0]):
        best, where = math.inf, -1
        for j, row in enumerate(b):
            d = dpnp.linalg.norm(a[i] - row)
            if d < best:
                best, where = d, j
        out[i] = where


def insertion_sorted_rows(a, out):
    n = a.shape[1]
    for i in prange(a.shape[0]):
        row = dpnp.empty(n, dtype=a.dtype)
        for j in range(n):
            row[j] = a[i, j]
        for j in range(1, n):
            v, k = row[j], j
            while k > 0 and row[k - 1] > v:
                row[k] = row[k - 1]
                k -= 1
            row[k] = v
        out[i] = row


def game(a, out):
    rows, columns = a.shape
    for i in prange(rows):
        for j in prange(columns):
            alive = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if di or dj:
                        alive += a[(i + di) % rows, (j + dj) % columns] > 0
            out[i, j] = alive == 3 or (alive == 2 and a[i, j] > 0)


def prefix_maximum_2d(a, out):
    for i in prange(a.shape[0]):
        most = -math.inf
        for j in range(a.shape[1]):
            most = max(most, a[i, j])
            out[i, j] = most


def projectile(x, out, drag=0.1):
    for i in prange(x.size):
        vx, vy, px, py = 10.0 + x[i], 12.0, 0.0, 0.0
        while py >= 0.0:
            vx -= drag * vx * 0.01
            vy -= (GRAVITY + drag * vy) * 0.01
            px += vx * 0.01
            py += vy * 0.01
        out[i] = px


def compound(x, out, *, rate=0.05, years=10):
    for i in prange(x.size):
        value = x[i]
        for year in range(years):
            value *= 1 + rate
            value -= 1.0 if year % 4 == 3 else 0.0
        out[i] = value


def any_and_all(x):
    some, every, none_large = False, True, True
    for i in prange(x.size):
        some = some or x[i] > 2
        every = every and x[i] > -100
        if x[i] > 50:
            none_large = none_large and False
    return some, every, none_large


def polarity(x, counts):
    for v in x:
        match_sign = int(v > 0) - int(v < 0)
        counts[match_sign + 1] += 1
    return counts[2] - counts[0]


def normal(n, dtype="f8"):
    random = np.random.default_rng(n + 11)
    return (random.normal(size=n) * (30 if np.dtype(dtype).kind in "iu" else 1)).astype(dtype)


def points(n):
    return normal(2 * n).reshape(n, 2)


def matrix(n, m, dtype="f8"):
    return normal(n * m, dtype).reshape(n, m)


def complexes(n):
    return normal(n) + 1j * normal(n + 1)[1:]


SMALL, LARGE = 10, 100_003
ROWS = {
    polynomial: lambda n: (normal(n), np.zeros(n)),
    trapezoid: lambda n: (np.sort(normal(n)), normal(n)),
    simpson: lambda n: (Box(-1.0, 2.0, 2 * n),),
    exponential_smoothing: lambda n: (normal(n), np.zeros(n)),
    drawdown: lambda n: (normal(n).cumsum(),),
    run_lengths: lambda n: (normal(n, "i4"), np.zeros(n, "i4"), np.zeros(n, "i8")),
    collatz: lambda n: (normal(min(n, 20_000), "i4"), np.zeros(min(n, 20_000), "i4")),
    greatest_common_divisors: lambda n: (normal(n, "i8"), normal(n + 1, "i8")[1:], np.zeros(n, "i8")),
    bits: lambda n: (normal(n, "i4"), np.zeros(n, "i2")),
    checksum: lambda n: (normal(n).view("u1"),),
    base_three: lambda n: (normal(n, "i4"), np.zeros(n, "i8")),
    xorshift: lambda n: (np.zeros(n, "u8"),),
    rotate: lambda n: (points(n), 0.3, np.zeros((n, 2))),
    bounding_box: lambda n: (points(n),),
    polygon_area: lambda n: (points(n),),
    inside: lambda n: (points(n), np.zeros(n, "?")),
    haversine: lambda n: (points(n), np.zeros(n)),
    centroid: lambda n: (points(n), np.abs(normal(n))),
    column_extremes: lambda n: (points(n), np.zeros(2), np.zeros(2)),
    roots: lambda n: (normal(n), np.zeros(n)),
    newton: lambda n: (normal(min(n, 20_000)), np.zeros(min(n, 20_000))),
    bisection: lambda n: (normal(min(n, 5_000)), np.zeros(min(n, 5_000))),
    phases: lambda n: (complexes(n), np.zeros(n, "c16")),
    mandelbrot_row: lambda n: (complexes(n), np.zeros(n, "i4")),
    fourier_term: lambda n: (normal(n), 3),
    autocorrelation: lambda n: (normal(n), np.zeros(3)),
    running_median: lambda n: (normal(n), np.zeros(n)),
    upsample: lambda n: (normal(n), np.zeros(2 * n)),
    dither: lambda n: (normal(n), np.zeros(n, "i4")),
    quantise: lambda n: (normal(n), np.zeros(n, "i1")),
    saturating_sum: lambda n: (normal(n).view("i1"), normal(n + 1).view("i1")[8:], np.zeros(8 * n, "i1")),
    histogram_2d: lambda n: (points(n), np.zeros((5, 7), "i8")),
    transpose_blocks: lambda n: (matrix(n // 10 + 1, 10), np.zeros((10, n // 10 + 1))),
    triangle: lambda n: (matrix(int(n**0.5), int(n**0.5) + 3, "i4"),),
    trace_of_product: lambda n: (matrix(int(n**0.5), 10), matrix(10, int(n**0.5))),
    softmax_rows: lambda n: (matrix(n // 10, 10), np.zeros((n // 10, 10))),
    standardised: lambda n: (matrix(n // 100 + 1, 33), np.zeros((n // 100 + 1, 33))),
    nearest_row: lambda n: (matrix(n // 10, 5), matrix(4, 5), np.zeros(n // 10, "i4")),
    insertion_sorted_rows: lambda n: (matrix(n // 50 + 1, 20, "f4"), np.zeros((n // 50 + 1, 20), "f4")),
    game: lambda n: (matrix(n // 50 + 3, 20), np.zeros((n // 50 + 3, 20), "i4")),
    prefix_maximum_2d: lambda n: (matrix(n // 10 + 1, 10, "f4"), np.zeros((n // 10 + 1, 10))),
    projectile: lambda n: (normal(min(n, 500)), np.zeros(min(n, 500))),
    compound: lambda n: (normal(n // 4), np.zeros(n // 4)),
    any_and_all: lambda n: (normal(n),),
    polarity: lambda n: (normal(n, "f4"), np.zeros(3, "i8")),
}


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("function", ROWS, ids=lambda function: function.__name__)
def test_programs(function, size):
    compiled = dpjit(function)
    for _ in range(3):
        check(function, *ROWS[function](size), compiled=compiled, rtol=1e-6)


@dpjit
def mean_of(x):
    s = 0.0
    for i in range(x.size):
        s += x[i]
    return s / max(x.size, 1)


@dpjit
def centred(x):
    mean = mean_of(x)
    y = dpnp.empty_like(x)
    for i in prange(x.size):
        y[i] = x[i] - mean
    return y, mean


@pytest.mark.parametrize("size", [0, SMALL, LARGE])
def test_functions_that_call_functions(size):
    x = normal(size)
    y, mean = centred(dpnp.asarray(x))
    wanted = x.mean() if size else 0.0
    np.testing.assert_allclose(mean, wanted, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(dpnp.asnumpy(y), x - wanted, rtol=1e-9, atol=1e-12)


def test_wrapping_hash():
    x = normal(1000, "i4")
    with np.errstate(over="ignore"):
        check(fnv, x)


def upper_case(text, out):
    letters = 0
    for i in prange(text.size):
        is_letter = ord("a") <= text[i] <= b"z"[0]
        out[i] = text[i] - 32 if is_letter else text[i]
        letters += is_letter
    return letters


def test_codes_of_characters():
    check(upper_case, np.arange(128, dtype="u1"), np.zeros(128, "u1"))


@device_func
def search(values, wanted):
    low, high = 0, values.size
    while low < high:
        middle = (low + high) // 2
        if values[middle] == wanted:
            return middle
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle


@device_func
def raise_to_one(values, i):
    if values[i] >= 1:
        return 0
    values[i] = 1


@device_func
def raise_through_another(values, i):
    return raise_to_one(values, i)


@device_func
def count_small(values, i):
    if values[i] > 3:
        return False
    kapi.AtomicRef(values, 0).fetch_add(1)


@dpjit
def small_ones(values):
    for i in prange(1, values.size):
        count_small(values, i)


@dpjit
def at_least_one_in_other_ways(values, odd):
    for i in prange(values.size):
        raise_to_one(values, i) if i % 2 == odd else raise_through_another(values, i)
        if raise_to_one(values, i):
            values[i] = 100
        i > 2 and raise_through_another(values, i)


@dpjit
def positions(values, found):
    for i in prange(values.size):
        found[i] = search(values, values[i])


@dpjit
def at_least_one(values):
    for i in prange(values.size):
        raise_to_one(values, i)


def test_functions_that_may_end_without_a_value():
    """Their result counts where they do return one, and where nothing uses it."""
    values, found = dpnp.arange(1000, dtype="i8") * 3, dpnp.zeros(1000, dtype="i8")
    positions(values, found)
    assert (found == dpnp.arange(1000)).all()
    at_least_one(values)
    assert values[0] == 1 and values[1] == 3
    values = dpnp.arange(-2, 6, dtype="i8")
    at_least_one_in_other_ways(values, 1)
    np.testing.assert_array_equal(values.asnumpy(), [1, 1, 1, 1, 2, 3, 4, 5])
    values = dpnp.arange(8, dtype="i8")
    small_ones(values)
    np.testing.assert_array_equal(values.asnumpy(), [3, 1, 2, 3, 4, 5, 6, 7])
