"""Minimax polynomials with coefficients that are floating-point numbers of the target type.

Lawson's iteration minimises the weighted error, at 60 digits. Coefficients are rounded one after another, lowest
first. The others are fitted again after each, so that they compensate its rounding error.
"""

import mpmath as mp

mp.mp.dps = 60


def round_to(x, bits):
    """The nearest number with `bits` significant bits."""
    if x == 0:
        return mp.mpf(0)
    mantissa, exponent = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), int(exponent) - bits)


def _fit(target, weight, powers, low, high):
    """The c_k that nearly minimise max |weight(x) (sum of c_k x^k - target(x))|: iterated weighted least squares."""
    count = 8 * len(powers) + 16
    nodes = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    values = [(target(x), weight(x)) for x in nodes]
    importance = [mp.mpf(1)] * count
    for _ in range(12):
        matrix = mp.matrix(count, len(powers))
        right_side = mp.matrix(count, 1)
        for i, (x, (f, w)) in enumerate(zip(nodes, values)):
            scale = w * mp.sqrt(importance[i])
            for j, power in enumerate(powers):
                matrix[i, j] = scale * x**power
            right_side[i] = scale * f
        solution = mp.lu_solve(matrix, right_side)
        errors = [
            abs(w * (sum(solution[j] * x**k for j, k in enumerate(powers)) - f)) for x, (f, w) in zip(nodes, values)
        ]
        mean = sum(errors) / count
        if mean == 0:
            break
        importance = [(i * (e / mean + mp.mpf("0.05"))) for i, e in zip(importance, errors)]
    return list(solution)


def minimax(target, weight, powers, low, high, bits, short=0):
    """Coefficients for `powers`, each with `bits` significant bits, and the weighted error that is left.

    The last `short` of them have 21 bits, which fit into an instruction of a GPU. They are rounded first, from the last
    on, so that the others compensate most of their errors.
    """
    low, high = mp.mpf(low), mp.mpf(high)
    fixed = []
    remaining = list(powers)
    while remaining:
        from_end = len(fixed) < short

        def rest(x):
            return target(x) - sum(c * x**k for c, k in fixed)

        free = _fit(rest, weight, remaining, low, high)
        next_index = -1 if from_end else 0
        fixed.append((round_to(free[next_index], 21 if from_end else bits), remaining.pop(next_index)))
    fixed.sort(key=lambda term: term[1])
    samples = [low + (high - low) * i / 997 for i in range(998)]
    worst = max(abs(weight(x) * (sum(c * x**k for c, k in fixed) - target(x))) for x in samples if x != 0)
    return [c for c, _ in fixed], worst


def literal(x, bits):
    """A hexadecimal literal of C++ for a number with at most `bits` significant bits."""
    return float(x).hex() + ("f" if bits == 24 else "")
