"""Prints the polynomials of the special functions in src/device/math: run it with mpmath installed.

The polynomials interpolate at Chebyshev nodes, which is within a small factor of the best error, and takes a second
where a minimax fit of forty coefficients takes minutes. Coefficients are rounded to doubles. Floats are computed in
double precision, so there are none of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import mpmath as mp

mp.mp.dps = 50
Function = Callable[[mp.mpf], mp.mpf]


def interpolated(target: Function, count: int, low: object, high: object, zero: object, unit: object) -> list[float]:
    """Return the coefficients of powers of (x - zero) / unit of the polynomial that interpolates in [low, high]."""
    low, high = mp.mpf(low), mp.mpf(high)
    middle, half = (low + high) / 2, (high - low) / 2
    angles = [mp.pi * (2 * i + 1) / (2 * count) for i in range(count)]
    values = [target(middle + half * mp.cos(angle)) for angle in angles]
    chebyshev = [
        mp.fsum(v * mp.cos(k * angle) for v, angle in zip(values, angles)) * (1 if k == 0 else 2) / count
        for k in range(count)
    ]
    # Chebyshev polynomials as powers of u = (x - middle) / half
    before, now = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    powers = [chebyshev[0]] + [mp.mpf(0)] * (count - 1)
    for factor in chebyshev[1:]:
        for j, c in enumerate(now):
            powers[j] += factor * c
        after = [mp.mpf(0)] + [2 * c for c in now]
        for j, c in enumerate(before):
            after[j] -= c
        before, now = now, after
    # u = a + b v for v = (x - zero) / unit
    a, b = (mp.mpf(zero) - middle) / half, mp.mpf(unit) / half
    made = [mp.mpf(0)]
    for c in reversed(powers):
        longer = [mp.mpf(0)] * (len(made) + 1)
        for j, old in enumerate(made):
            longer[j] += old * a
            longer[j + 1] += old * b
        longer[0] += c
        made = longer[:count]
    return [float(c) for c in made]


def inverse_error_ratio(w: mp.mpf) -> mp.mpf:
    """erfinv(x) / x for w = -log(1 - x^2)."""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    if w < 2:
        return mp.erfinv(x) / x
    log_of_complement = -w - mp.log1p(x)
    z = mp.sqrt(w - mp.log(w) / 2) if w > 4 else mp.mpf(1)
    for _ in range(60):  # Newton's iteration for log(erfc(z))
        complement = mp.erfc(z)
        step = (mp.log(complement) - log_of_complement) * complement * mp.sqrt(mp.pi) / -2 * mp.exp(z * z)
        z -= step
        if abs(step) < mp.mpf(10) ** -45:
            break
    return z / x


def scaled_complement(t: mp.mpf) -> mp.mpf:
    """(1/2 + x) exp(x^2) erfc(x) for t = (x - 7/2) / (x + 7/2)."""
    if t == 1:
        return 1 / mp.sqrt(mp.pi)
    x = mp.mpf("3.5") * (1 + t) / (1 - t)
    return (mp.mpf(1) / 2 + x) * mp.exp(x * x) * mp.erfc(x)


DIGAMMA_ROOT = mp.findroot(mp.digamma, 1.4616)


def digamma_ratio(t: mp.mpf) -> mp.mpf:
    """digamma(x) / (x - its positive root) for t = (x - 3/2) / (x + 3/2)."""
    x = mp.mpf("1.5") * (1 + t) / (1 - t)
    return mp.digamma(x) / (x - DIGAMMA_ROOT)


def digamma_rest(z: mp.mpf) -> mp.mpf:
    """(digamma(v + 1/2) - log(v)) / z for z = 1 / v^2."""
    with mp.workdps(80):
        v = 1 / mp.sqrt(z)
        return (mp.digamma(v + mp.mpf(1) / 2) - mp.log(v)) / z


def i1_factor(u: mp.mpf) -> mp.mpf:
    """I1(x) sqrt(x) e^-x for u = 16 / x - 1."""
    x = 16 / (u + 1)
    return mp.besseli(1, x) * mp.sqrt(x) * mp.exp(-x)


def j_ratio(order: int) -> Function:
    """J(x) / (z - the square of its first positive root) for z = x^2; for order 1 divided by x."""
    root = mp.besseljzero(order, 1)
    return lambda z: mp.besselj(order, mp.sqrt(z)) / mp.sqrt(z) ** order / (z - root**2)


def y_rest(order: int) -> Function:
    """Y(x) without its logarithm, and without its pole, divided by x for order 1, for z = x^2."""

    def rest(z: mp.mpf) -> mp.mpf:
        with mp.workdps(90):
            x = mp.sqrt(z)
            pole = 1 / x if order else 0
            return (mp.bessely(order, x) - 2 / mp.pi * (mp.log(x) * mp.besselj(order, x) - pole)) / x**order

    return rest


def hankel(order: int, part: int) -> Function:
    """Hankel's P and Q x / 5 for y = 25 / x^2."""

    def value(y: mp.mpf) -> mp.mpf:
        x = 5 / mp.sqrt(y)
        phase, unit = x - (2 * order + 1) * mp.pi / 4, mp.sqrt(mp.pi * x / 2)
        j, y_ = mp.besselj(order, x) * unit, mp.bessely(order, x) * unit
        if part == 0:
            return j * mp.cos(phase) + y_ * mp.sin(phase)
        return (y_ * mp.cos(phase) - j * mp.sin(phase)) * x / 5

    return value


def temme(terms: int, length: int) -> list[list[float]]:
    """Coefficients d[k][n] of Temme's expansion of the incomplete gamma functions (DLMF 8.12), computed exactly.

    The sum of d[k][n] eta^n a^-k; eta^2 / 2 = mu - log(1 + mu).
    """
    size = length + 2 * terms + 4
    mu = [Fraction(0), Fraction(1)]  # mu mu' = eta (1 + mu)
    for n in range(2, size + 2):
        known = (1 if n == 1 else 0) + mu[n - 1] - sum(mu[i] * (n - i + 1) * mu[n - i + 1] for i in range(2, n))
        mu.append(known / (n + 1))
    inverse = [Fraction(1)]  # of mu / eta
    for n in range(1, size):
        inverse.append(-sum(mu[i + 1] * inverse[n - i] for i in range(1, n + 1)))
    bernoulli = [Fraction(1)]
    for k in range(1, 2 * terms + 2):
        bernoulli.append(-sum(comb(k + 1, j) * bernoulli[j] for j in range(k)) / (k + 1))
    logarithm = [Fraction(0)] * (terms + 1)  # of the scaled gamma function
    for j in range(1, terms + 1, 2):
        logarithm[j] = bernoulli[j + 1] / (j * (j + 1))
    gamma = [Fraction(1)]
    for n in range(1, terms + 1):
        gamma.append(sum(i * logarithm[i] * gamma[n - i] for i in range(1, n + 1)) / n)
    rows = [inverse[1:]]
    for k in range(1, terms):
        last, factor = rows[-1], (-1) ** k * gamma[k]
        rows.append([(n + 2) * last[n + 2] + factor * inverse[n + 1] for n in range(len(last) - 2)])
    return [[float(c) for c in row[:length]] for row in rows]


def show(title: str, coefficients: list[float]) -> None:
    """Print coefficients as literals of C++."""
    print(f"{title}:\n    " + ", ".join(c.hex() for c in coefficients))


def reciprocal_of(low: object, high: object, count: int) -> list[float]:
    """Return coefficients of inverse_error_ratio(s^2) / s for 1 / s, scaled to [-1, 1], low <= s <= high."""
    first, last = 1 / mp.mpf(high), 1 / mp.mpf(low)
    return interpolated(
        lambda t: inverse_error_ratio(1 / t**2) * t, count, first, last, (first + last) / 2, (last - first) / 2
    )


def main() -> None:
    """Print all coefficients."""
    show("inverse_error.hpp, w below 16", interpolated(inverse_error_ratio, 40, 0, 16, 8, 8))
    show("inverse_error.hpp, s from 4 to 9", reciprocal_of(4, 9, 20))
    show("inverse_error.hpp, s from 9 to 27.5", reciprocal_of(9, 27.5, 20))
    show("scaled_error.hpp", interpolated(scaled_complement, 26, -1, 1, 0, 1))
    high = mp.mpf(float(DIGAMMA_ROOT))
    show("digamma.hpp, the root in two parts", [float(high), float(DIGAMMA_ROOT - high)])
    show("digamma.hpp, near", interpolated(digamma_ratio, 20, mp.mpf(-1) / 5, mp.mpf(1) / 3, 0, 1))
    show("digamma.hpp, far", interpolated(digamma_rest, 14, 0, mp.mpf(4) / 25, 0, 1))
    show("modified_bessel.hpp, order 1", interpolated(i1_factor, 25, -1, 1, 0, 1))
    for order in (0, 1):
        root = mp.besseljzero(order, 1)
        show(f"bessel.hpp, root of order {order}", [float(root), float(root - mp.mpf(float(root)))])
        show(f"bessel.hpp, J{order}", interpolated(j_ratio(order), 14, 0, 25, mp.mpf(25) / 2, mp.mpf(25) / 2))
        show(f"bessel.hpp, Y{order}", interpolated(y_rest(order), 15, 0, 25, mp.mpf(25) / 2, mp.mpf(25) / 2))
        show(f"bessel.hpp, P{order}", interpolated(hankel(order, 0), 18, 0, 1, 0, 1))
        show(f"bessel.hpp, Q{order}", interpolated(hankel(order, 1), 18, 0, 1, 0, 1))
    for k, row in enumerate(temme(10, 17)):
        needed = [n for n, c in enumerate(row) if abs(c) * 0.34**n * 20.0**-k > 3e-18]
        show(f"incomplete_gamma.hpp, k = {k}", row[: needed[-1] + 1])


if __name__ == "__main__":
    main()
