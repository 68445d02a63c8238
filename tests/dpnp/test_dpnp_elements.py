"""Elements of dpnp's arrays are no views, as NumPy's scalars are none."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from reference import assert_same


@pytest.mark.parametrize("n", [5, 100_000])
@pytest.mark.parametrize("pending", [False, True])
class TestElements:
    def array(self, n, pending):
        return dpnp.arange(n) + 1 if pending else dpnp.asarray(np.arange(1, n + 1))

    def test_exchange(self, n, pending):
        x = self.array(n, pending)
        x[0], x[n - 1] = x[n - 1], x[0]
        x[1], x[-2] = x[-2], x[1]
        expected = np.arange(1, n + 1)
        expected[[0, 1, -2, -1]] = expected[[-1, -2, 1, 0]]
        assert_same(x, expected)

    def test_elements_keep_their_values(self, n, pending):
        x = self.array(n, pending)
        kept, of_flat, listed = x[2], x.flat[3], list(x[:3])
        x[...] = 0
        assert [int(e) for e in (kept, of_flat, *listed)] == [3, 4, 1, 2, 3]

    def test_views_of_no_axes(self, n, pending):
        x = self.array(n, pending)
        view = x[2, ...]
        view[...] = 9
        x[3] += 5
        assert [int(x[2]), int(x[3])] == [9, 9]


def test_elements_of_tables():
    x = dpnp.arange(6).reshape(2, 3)
    kept, row = x[1, 2], x[1]
    x[1] = 7
    assert int(kept) == 5
    assert_same(row, np.full(3, 7))


def test_elements_of_dpctl_are_views():
    x = dpt.arange(3)
    element = x[0]
    x[0] = 5
    assert int(element) == 5
