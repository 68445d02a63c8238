"""Operations of reductions and scans, named as SYCL's function objects: `plus`, `multiplies`, `minimum`, …"""

from __future__ import annotations


def plus(x, y):
    """Return x + y."""
    return x + y


def multiplies(x, y):
    """Return x * y."""
    return x * y


def minimum(x, y):
    """Return the smaller of x and y."""
    return y if y < x else x


def maximum(x, y):
    """Return the larger of x and y."""
    return y if x < y else x


def bit_and(x, y):
    """Return x & y."""
    return x & y


def bit_or(x, y):
    """Return x | y."""
    return x | y


def bit_xor(x, y):
    """Return x ^ y."""
    return x ^ y
