"""A kernel for each construct of the language. `case` gives its arguments; CPython computes the expected result.

A kernel gets an output array `out` first, then the arguments of its case. Arrays are NumPy's here; the tests put them
on a device.
"""

from __future__ import annotations

import cmath
import enum
import math
from collections import namedtuple
from dataclasses import dataclass

import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi

R = np.random.default_rng(3)
TABLE2D = R.normal(size=(8, 6)).astype("f8")
SINGLES = R.normal(size=16).astype("f4")
INTS = R.integers(-50, 50, 16)
COMPLEX = R.normal(size=16) + 1j * R.normal(size=16)


@dataclass
class Case:
    function: object
    out: np.ndarray
    arguments: tuple
    space: object


CASES: list[Case] = []


def case(out, *arguments, space=ndx.Range(16), dtype="f8"):  # noqa: B008
    def add(function):
        CASES.append(Case(function, np.zeros(out, dtype), arguments, space))
        return function

    return add


Point = namedtuple("Point", ["x", "y"])


class Color(enum.IntEnum):
    RED = 3
    BLUE = 5


SCALE = 2.5
TABLE = (1, 4, 9, 16)
SIZES = np.array([2, 3, 5, 7])


# Scalars and operators.


@case((16, 9), INTS)
def integer_operators(item, out, a):
    i = item.get_id(0)
    x, y = a[i], a[15 - i]
    out[i, 0] = x + y * 3 - 7
    out[i, 1] = x // 7
    out[i, 2] = x % 7
    out[i, 3] = x / 4
    out[i, 4] = (x & y) | (x ^ 5)
    out[i, 5] = (x << 3) >> 1
    out[i, 6] = ~x
    out[i, 7] = x**2
    out[i, 8] = -x // 3 + (-x) % 3


@case((16, 6), SINGLES, INTS)
def float_operators(item, out, a, b):
    i = item.get_id(0)
    x = a[i]
    out[i, 0] = x * 2.0 + b[i]
    out[i, 1] = x // 0.5
    out[i, 2] = x % 0.5
    out[i, 3] = x**2
    out[i, 4] = abs(x) ** 0.5
    out[i, 5] = -x / 3


@case((16, 4), INTS, dtype="?")
def comparisons(item, out, a):
    i = item.get_id(0)
    x = a[i]
    out[i, 0] = -10 < x <= 20 != 3
    out[i, 1] = (x > 3 and not x > 20) or x == -7
    out[i, 2] = not x
    out[i, 3] = (x == 3) == (x < 100)


@case((16, 4), COMPLEX, dtype="c16")
def complex_numbers(item, out, a):
    i = item.get_id(0)
    z = a[i]
    out[i, 0] = z * z.conjugate() + 2j
    out[i, 1] = complex(z.imag, -z.real) / z
    out[i, 2] = abs(z)
    out[i, 3] = cmath.exp(z) + cmath.sqrt(z)


@case((16, 3), INTS, SINGLES)
def conversions(item, out, a, b):
    i = item.get_id(0)
    out[i, 0] = int(b[i] * 10) + np.int8(a[i])
    out[i, 1] = np.float32(a[i]) / 3
    out[i, 2] = float(a[i]) + bool(a[i]) + np.uint16(a[i])


@case((16, 7), INTS, SINGLES)
def builtin_functions(item, out, a, b):
    i = item.get_id(0)
    out[i, 0] = min(a[i], 3) + max(a[i], 5, 7)
    out[i, 1] = abs(a[i]) + abs(b[i])
    out[i, 2] = round(b[i] * 10)
    out[i, 3] = pow(a[i], 2)
    quotient, rest = divmod(a[i], 7)
    out[i, 4] = quotient * 100 + rest
    out[i, 5] = len(a) + len(TABLE)
    out[i, 6] = round(float(b[i]), 2)


@case((16, 10), np.abs(SINGLES) + np.float32(0.1))
def math_functions(item, out, a):
    i = item.get_id(0)
    x = float(a[i])
    out[i, 0] = math.sin(x) + math.cos(x) + math.tan(x)
    out[i, 1] = math.exp(x) + math.log(x) + math.log1p(x) + math.expm1(x)
    out[i, 2] = math.sqrt(x) + math.hypot(x, 2.0)
    out[i, 3] = math.floor(x) + math.ceil(x) + math.trunc(x)
    out[i, 4] = math.erf(x) + math.erfc(x) + math.lgamma(x)
    out[i, 5] = math.atan2(x, 3.0) + math.pi + math.e
    out[i, 6] = math.pow(x, 1.5) + math.fmod(x, 0.3)
    out[i, 7] = math.copysign(x, -1.0) + math.fabs(-x)
    out[i, 8] = math.isnan(x) + math.isinf(x) + math.isfinite(x)
    out[i, 9] = math.sinh(x) + math.acosh(1 + x) + math.log10(x) + math.log2(x)


@case((16, 4), SINGLES)
def numpy_functions(item, out, a):
    i = item.get_id(0)
    x = a[i]
    out[i, 0] = np.exp(x) + np.sin(x) + np.square(x)
    out[i, 1] = np.maximum(x, 0) + np.minimum(x, 1)
    out[i, 2] = np.where(x > 0, x, -x) if x > 5 else np.sign(x)
    out[i, 3] = np.floor(x) + np.hypot(x, np.float32(3))


# Control flow.


@case((16,), INTS, dtype="i8")
def loops(item, out, a):
    i = item.get_id(0)
    total = 0
    for k in range(10):
        if k == a[i] % 10:
            continue
        for m in range(k, 0, -2):
            if m == 3:
                break
            total += m
        else:
            total += 100
    else:
        total += 1000
    n = a[i] * a[i]
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        total += 1
        if total > 5000:
            break
    else:
        total = -total
    out[i] = total


@case((16,), INTS, dtype="i8")
def branches(item, out, a):
    i = item.get_id(0)
    if a[i] > 20:
        result = 1
    elif a[i] > 0:
        result = 2 if a[i] % 2 else 3
    elif a[i] == 0:
        return
    else:
        pass
        result = 4
    out[i] = result


@case((16,), dtype="i8")
def loops_over_tuples(item, out):
    i = item.get_id(0)
    total = 0
    for k, value in enumerate(TABLE):
        total += k * value
    for x, y in zip(TABLE, (10, 20, 30)):
        total += x * y
    for value in (i, 2 * i):
        total += value
    out[i] = total


# Tuples, names, constants.


@case((16, 3), INTS, (3, 4.5), Point(2, 0.5))
def tuples(item, out, a, pair, point):
    i = item.get_id(0)
    first, second = pair
    x, y = a[i], i
    x, y = y, x
    t = (x, y, first)
    out[i, 0] = t[0] + t[1] * 2 + t[-1]
    out[i, 1] = second + point.x + point.y + pair[1]
    out[i, 2] = len(t) + TABLE[i % 4] + SIZES[i % 4]


@case((16,), dtype="i8")
def enums(item, out):
    i = item.get_id(0)
    out[i] = Color.RED + Color.BLUE.value if i == Color.RED else kapi.MemoryScope.DEVICE


def make_power(n):
    scale = 10 * n

    def powers(item, out, a):
        i = item.get_id(0)
        out[i] = scale
        for _ in range(n):
            out[i] *= a[i]

    return powers


case((16,), INTS)(make_power(3))


@ndx.device_func
def clamp(x, low=-1.0, high=1.0):
    if x < low:
        return low
    return high if x > high else x


@ndx.device_func
def both(x, y):
    return x + y, x - y


@ndx.device_func
def first_row(a, i):
    return a[i]


@case((16, 4), SINGLES, TABLE2D)
def device_functions(item, out, a, table):
    i = item.get_id(0)
    out[i, 0] = clamp(float(a[i]))
    out[i, 1] = clamp(float(a[i]), high=0.5) + clamp(float(a[i]), -0.2, 0.2)
    plus, minus = both(a[i], 3)
    out[i, 2] = plus * 10 + minus
    out[i, 3] = first_row(table, i % 8)[2]


# Arrays.


@case((8, 6), TABLE2D)
def shapes(item, out, a):
    i = item.get_id(0)
    if i < a.shape[0]:
        out[i, 0] = a.size
        out[i, 1] = a.ndim
        out[i, 2] = a.shape[1]
        out[i, 3] = len(a)
        out[i, 4] = a[i].size
        out[i, 5] = a[i, 2] + a[i][-1] + a[-1, -2]


@case((8, 6), TABLE2D[::2], TABLE2D[:, ::-1], np.asfortranarray(TABLE2D), space=ndx.Range(8, 6))
def layouts(item, out, strided, backwards, column_major):
    i, j = item.get_id(0), item.get_id(1)
    out[i, j] = strided[i // 2, j] + 10 * backwards[i, j] + 100 * column_major[i, j]


@case((8, 6), TABLE2D)
def slices(item, out, a):
    i = item.get_id(0)
    if i < 8:
        row = a[i, 1:5]
        out[i, 0] = row[0] + row.size
        out[i, 1] = a[i, ::2][1]
        out[i, 2] = a[:, 3][i]
        view = out[i, 3:]
        view[0] = row[-1]
        view[1] += 7


@case((16,), SINGLES)
def private_arrays(item, out, a):
    i = item.get_id(0)
    p = kapi.PrivateArray((3, 4), np.float64, fill_zeros=True)
    for k in range(12):
        p[k // 4, k % 4] += a[(i + k) % 16]
    total = 0.0
    for k in range(3):
        for m in range(4):
            total += p[k, m] * (k + m)
    out[i] = total


# Work-groups. Sums over floats are of integers, so that their order does not matter.


@case((16,), np.arange(16.0), kapi.LocalAccessor((2, 4), "f8"), space=ndx.NdRange((16,), (4,)))
def local_memory(item, out, a, tile):
    k, i = item.get_local_id(0), item.get_global_id(0)
    tile[0, k] = a[i]
    tile[1, k] = 2 * a[i]
    kapi.group_barrier(item.get_group())
    out[i] = tile[0, 3 - k] + tile[1, (k + 1) % 4]


@case((16, 4), INTS, space=ndx.NdRange((16,), (8,)), dtype="i8")
def group_reductions(item, out, a):
    i, group = item.get_global_id(0), item.get_group()
    out[i, 0] = kapi.reduce_over_group(group, a[i], kapi.plus)
    out[i, 1] = kapi.reduce_over_group(group, a[i], kapi.maximum)
    out[i, 2] = kapi.inclusive_scan_over_group(group, a[i], kapi.plus)
    out[i, 3] = kapi.exclusive_scan_over_group(group, a[i], kapi.plus)


@case((16, 6), INTS, space=ndx.NdRange((16,), (8,)), dtype="i8")
def group_exchange(item, out, a):
    i, group = item.get_global_id(0), item.get_group()
    out[i, 0] = kapi.any_of_group(group, a[i] > 40)
    out[i, 1] = kapi.all_of_group(group, a[i] > -60)
    out[i, 2] = kapi.none_of_group(group, a[i] > 40)
    out[i, 3] = kapi.group_broadcast(group, a[i], 3)
    out[i, 4] = group.get_local_linear_range() + group.get_group_id(0)
    out[i, 5] = kapi.joint_reduce(group, a, kapi.plus)


@case((16, 4), INTS, space=ndx.NdRange((16,), (8,)), dtype="i8")
def group_functions_by_keyword(item, out, a):
    i, group = item.get_global_id(0), item.get_group()
    out[i, 0] = kapi.select_from_group(group, a[i], remote_local_id=7 - item.get_local_id(0))
    out[i, 1] = kapi.group_broadcast(group, a[i], local_linear_id=5)
    out[i, 2] = kapi.any_of_group(group, predicate=a[i] > 40)
    out[i, 3] = kapi.permute_group_by_xor(group, x=a[i], mask=2)


@case((4, 6), np.arange(24), space=ndx.NdRange((4, 6), (2, 3)), dtype="i8")
def two_dimensions(item, out, a):
    group = item.get_group()
    value = item.get_local_linear_id() + 10 * group.get_group_linear_id() + 100 * item.get_global_linear_id()
    out[item.get_global_id(0), item.get_global_id(1)] = value + 1000 * item.get_group().get_group_range(1)


@case((6,), INTS, dtype="i8")
def atomic_operations(item, out, a):
    i = item.get_id(0)
    kapi.AtomicRef(out, 0).fetch_add(a[i])
    kapi.AtomicRef(out, 1).fetch_max(a[i])
    kapi.AtomicRef(out, 2).fetch_min(a[i])
    kapi.AtomicRef(out, 3).fetch_or(a[i] & 255)
    kapi.AtomicRef(out, 4).fetch_xor(a[i])
    kapi.AtomicRef(out, 5).fetch_sub(a[i])


@case((16,), INTS, space=ndx.NdRange((16,), (4,)), dtype="i8")
def older_style(out, a):
    i, k = ndx.get_global_id(0), ndx.get_local_id(0)
    tile = ndx.local.array(4, np.int64)
    tile[k] = a[i]
    ndx.barrier(ndx.LOCAL_MEM_FENCE)
    own = ndx.private.array(2, np.int64)
    own[0] = tile[ndx.get_local_size(0) - 1 - k]
    own[1] = ndx.get_group_id(0) * 100 + ndx.get_num_groups(0) * 1000 + ndx.get_global_size(0) * 10000
    out[i] = own[0] + own[1]
    ndx.atomic.add(out, 0, 0)
