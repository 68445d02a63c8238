"""Programs of few elements, executed again: their first executions may be operation by operation."""

from __future__ import annotations

import time

import dpctl.tensor as dpt
import numpy as np
import pytest

A = np.linspace(0.1, 2, 3000).reshape(50, 60)
B = np.linspace(-1, 1, 3000).reshape(50, 60)


def overwritten(xp, a, b):
    c = xp.asarray(a, copy=True)
    c *= b
    c[1:-1] = c[2:] - c[:-2]
    c += a
    return c


def shifted(xp, a, b):
    c = xp.roll(a, 1, axis=0) + xp.roll(b, -1, axis=1)
    return xp.where(c > 1, c - a, c * b)


def swapped(xp, a, b):
    c = xp.asarray(a, copy=True)
    c[:, :30], c[:, 30:] = c[:, 30:] + 1, c[:, :30] * 2
    return c


PROGRAMS = {
    "chain": lambda xp, a, b: (a * b + 1) / (a + b * b),
    "row sums": lambda xp, a, b: a / xp.sum(a, axis=1, keepdims=True) - xp.max(b, axis=0),
    "variance": lambda xp, a, b: xp.var(a * b, axis=1),
    "transposed": lambda xp, a, b: (a.T * 2 + b.T) @ (a - b),
    "overwritten": overwritten,
    "shifted": shifted,
    "swapped": swapped,
    "positions": lambda xp, a, b: xp.argmax(a * b, axis=1) + xp.argmin(b, axis=1),
    "numbers": lambda xp, a, b: xp.astype(xp.reshape(xp.arange(3000), (50, 60)), xp.float64) * a + xp.sin(b),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_do_not_depend_on_how_often_it_was_executed(name):
    program = PROGRAMS[name]
    expected = program(np, A, B)
    a, b = dpt.asarray(A), dpt.asarray(B)
    for _ in range(5):
        result = dpt.asnumpy(program(dpt, a, b))
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-10)
        time.sleep(0.02)  # compilations on other threads
