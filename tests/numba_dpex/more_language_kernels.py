"""More kernels of the language, for language_kernels.py's table: tuples, slices and further Python functions."""

from __future__ import annotations

import cmath
import enum
import math
import operator
from collections import namedtuple

import numba_dpex as ndx
import numpy as np
from language_kernels import INTS, SINGLES, TABLE2D, case
from numba_dpex import kernel_api as kapi

Point = namedtuple("Point", ["x", "y"])
PAIRS = ((1, 2.5), (3, 4.5))
NESTED = Point(3, Point(1.5, 2))


class Kind(enum.Enum):
    HALF = 1.5
    TWO = 2


class Mode(enum.IntEnum):
    SLOW = 1
    FAST = 2


@ndx.device_func
def swapped(p):
    return Point(p.y, p.x)


@ndx.device_func
def shifted(p, by=Point(1, 1)):  # noqa: B008
    return Point(p.x + by.x, y=p.y + by.y)


@case((16, 4), SINGLES)
def named_tuples(item, out, a):
    i = item.get_id(0)
    p = shifted(Point(y=i, x=a[i]))
    x, y = swapped(p)
    out[i, 0] = x * 10 + y
    out[i, 1] = NESTED.y.x + NESTED[0] + p[-1] + len(p)
    out[i, 2] = shifted(p, by=Point(0, 1)).y
    (first, second), third = (1, p.x), 3
    out[i, 3] = first + second + third


@case((16, 4), INTS)
def tuples_as_values(item, out, a):
    i = item.get_id(0)
    first = (1, 2)
    t = first + (3, a[i])  # noqa: RUF005
    out[i, 0] = t[3] + t[1:][0] + len(t[:-1])
    out[i, 1] = sum(t) + min(t) + max(t[1:])
    out[i, 2] = (2 in (1, 2, 3)) + 10 * ((1, i) == (1, 3)) + 100 * (7 not in t)
    out[i, 3] = math.pow(*(2, 3))


WEIGHTS = ((0.0, 1.0, 0.0), (1.0, -4.0, 1.0), (0.0, 2.0, 5.0))


@case((16, 2), INTS, (2, (3, 4)))
def tuples_of_tuples_by_variables(item, out, a, given):
    i = item.get_id(0)
    for di in (-1, 0, 1):
        for dj in (-1, 0, 1):
            out[i, 0] += WEIGHTS[di + 1][dj + 1] * (10 * di + dj)
    point = ((1, 2), (a[i], 4), given[1])[i % 3]
    out[i, 1] = point[0] * 10 + point[1]


@case((16, 3), SINGLES)
def loops_over_zip_and_enumerate(item, out, a):
    i = item.get_id(0)
    total = 0.0
    for (p, q), k in zip(PAIRS, (10, 20, 30)):
        total += p * q + k
    out[i, 0] = total
    total = 0.0
    for n, (p, q) in enumerate(zip((1, 2), (3, i)), start=5):
        total += n * p - q
    for n, (p, q) in enumerate(PAIRS, 1):
        total += n * p - q
    out[i, 1] = total
    total = 0.0
    for v in reversed((1, 2, 3)):
        total = total * 2 + v
    for k, v in enumerate(a):
        total += k * v
    for v in a[2:5]:
        total += v
    out[i, 2] = total


@case((16, 3), INTS)
def enums_and_strings_are_constants(item, out, a):
    i = item.get_id(0)
    mode = Mode.FAST if a[i] > 0 else Mode.SLOW
    out[i, 0] = mode + (100 if mode == Mode.FAST else 0) + 10 * (Mode.FAST in (Mode.SLOW, Mode.FAST))
    out[i, 1] = Kind.HALF.value * Kind.TWO.value
    how = "fast"
    if how == "fast":
        out[i, 2] = 2
    if how != "slow":
        out[i, 2] += 1


@case((16, 6), SINGLES)
def slices_of_slices(item, out, a):
    i = item.get_id(0)
    part = a[2:-1:2]
    turned = part[::-1]
    out[i, 0] = part[1] + 10 * turned[0] + turned[-1]
    out[i, 1] = len(part) + part.shape[0] + a[-3:].size + turned.ndim
    out[i, 2] = part.strides[0] + turned.strides[0]
    n = i % 5
    out[i, 3] = 0
    for v in a[n : n + 3]:
        out[i, 3] += v
    out[i, 4] = a[100:].size + a[5:2].size + a[:-100].size
    out[i, 5] = a[None, ...][0, 1] + a[..., 2]


@case((16, 6), TABLE2D)
def numbers_fill_slices(item, out, a):
    i = item.get_id(0)
    out[i, :] = 7
    out[i, 1:3] = a[0, 1]
    p = kapi.PrivateArray((3, 4), np.float64)
    p[...] = 2
    p[1:, ::2] = i
    out[i, 5] = p[0, 0] + p[2, 2] * 10 + p[1, 1] * 100


@case((16, 6), TABLE2D)
def arrays_fill_slices(item, out, a):
    i = item.get_id(0)
    out[i] = a[i % 8]
    out[i, 1:4] = a[0, ::2]
    out[i, ::-1] = a[1]
    p = kapi.PrivateArray((3, 4), np.float64)
    p[:] = a[2, 1:5]  # each row
    p[1:, :2] = a[:2, 4:]
    p[0] = (1, i, 2.5, i + 1)
    out[i, :4] += p[2, 3]
    out[i, 4:] = p[1, 1:3]


@case((16, 6), INTS)
def parts_of_one_array_are_moved(item, out, a):
    i = item.get_id(0)
    p = kapi.PrivateArray(8, np.int64)
    for k in range(8):
        p[k] = a[(i + k) % 16]
    p[1:] = p[:-1]
    p[:-2] = p[2:]
    out[i] = p[:6]
    out[i, 2:] -= out[i, :4]
    out[i, :3] *= 2


@case((16, 6), np.abs(SINGLES) + np.float32(0.1), dtype="c16")
def more_of_cmath(item, out, a):
    i = item.get_id(0)
    z = complex(a[i], 1 - a[i])
    out[i, 0] = cmath.exp(z) + cmath.log(z) + cmath.sin(z) * cmath.cos(z)
    out[i, 1] = cmath.tanh(z) + cmath.asin(z) + cmath.atan(z)
    r, phi = cmath.polar(z)
    out[i, 2] = cmath.rect(r, phi) + r * 10
    out[i, 3] = cmath.phase(z) + abs(z)
    out[i, 4] = cmath.isfinite(z) + cmath.isclose(z, z + 1e-12) + cmath.pi
    out[i, 5] = z**2 + z.conjugate() - z.imag


@case((16, 8), INTS, SINGLES)
def rounding_and_remainders(item, out, a, b):
    i = item.get_id(0)
    x = float(b[i])
    out[i, 0] = round(a[i], -1) + round(i * 25, -2) * 1000
    out[i, 1] = round(2.5) + round(3.5) + round(-x * 4) + round(x, 1)
    q, r = divmod(x, 0.7)
    out[i, 2] = q * 100 + r
    q, r = divmod(-a[i], 7)
    out[i, 3] = q * 100 + r
    out[i, 4] = pow(x, 2) + pow(2, 3) + pow(a[i], 3)
    out[i, 5] = int(x * 10) + int(-x * 10) + float(a[i]).is_integer() + x.is_integer()
    out[i, 6] = (i + 1).bit_length() + int(a[i]).bit_count()
    out[i, 7] = -7 // 2 + -7 % 3 + 7.5 // -2 + 7.5 % -2


@case((16, 4), INTS, SINGLES)
def smaller_functions(item, out, a, b):
    i = item.get_id(0)
    out[i, 0] = math.gcd(a[i], 12) + math.lcm(i + 1, 6) + np.gcd(i, 4)
    out[i, 1] = math.isclose(b[i], b[i] + 1e-12) + 10 * math.isclose(1.0, 1.1, rel_tol=0.2) + np.isclose(b[i], 5)
    out[i, 2] = operator.add(a[i], 2) - operator.mul(i, 3) + operator.lt(a[i], 0) + operator.floordiv(a[i], 3)
    out[i, 3] = operator.neg(a[i]) + operator.xor(i, 3)


@case((16, 3), INTS, dtype="i8")
def while_else_and_chains(item, out, a):
    i = item.get_id(0)
    n = i
    while n > 0:
        n -= 3
        if n == 1:
            break
    else:
        n = 100
    out[i, 0] = n
    x = a[i]
    out[i, 1] = (0 < x < 20 <= 70) + (x == x == x) * 2 + (4 if -5 <= x - 3 <= 5 != 2 else 0)
    out[i, 2] = 1 if x > 20 else 2 if x > 0 else 3
    ...
    "a text that says nothing"


@case((16, 2), INTS, dtype="i8")
def codes_of_characters(item, out, a):
    i = item.get_id(0)
    out[i, 0] = a[i] if a[i] > ord("A") else ord("~") - a[i]
    out[i, 1] = b"abc"[1] + b"z"[-1] + ord(b"!")
