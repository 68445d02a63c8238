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


class TestIteration:
    @pytest.mark.parametrize("n", [0, 1, 10, 1000])
    @pytest.mark.parametrize("code", "?bHqefdFD")
    def test_elements_of_one_axis(self, n, code):
        host = (np.arange(3 * n) % 5).astype(code)
        for x, expected in ((dpnp.asarray(host), host), (dpnp.asarray(host)[::-3], host[::-3])):
            found = list(x)
            assert len(found) == len(expected)
            assert all(isinstance(e, dpnp.ndarray) and e.shape == () and e.dtype == expected.dtype for e in found)
            assert [e.item() for e in found] == expected.tolist()

    def test_statements_between_elements_are_seen(self):
        for make in (lambda xp: xp.arange(600), lambda xp: xp.arange(1200)[::2]):
            sums = []
            for xp in (np, dpnp):
                x = make(xp)
                for i, e in enumerate(x):
                    if i + 1 < len(x):
                        x[i + 1] += e
                    if i == 300:
                        x *= 2
                sums.append(np.asarray(x.tolist()))
            np.testing.assert_array_equal(*sums)

    def test_elements_are_their_own(self):
        x = dpnp.arange(5)
        first, second = list(x)[:2]
        x[...] = 9
        assert (int(first), int(second)) == (0, 1)
        elements = iter(x)
        next(elements)[...] = 7
        assert x.tolist() == [9] * 5
        assert [int(e) for e in elements] == [9] * 4

    def test_results_that_are_not_computed_yet(self):
        x = dpnp.arange(100_000.0) * 2 + 1
        assert sum(float(e) for e in x) == float((np.arange(100_000.0) * 2 + 1).sum())

    def test_functions_of_python(self):
        x = dpnp.asarray([3, 1, 2])
        assert (int(max(x)), int(min(x)), int(sum(x))) == (3, 1, 6)
        assert [int(e) for e in sorted(x)] == [1, 2, 3]
        assert [int(e) for e in reversed(x)] == [2, 1, 3]

    @pytest.mark.parametrize("shape", [(), (0,), (2, 0), (7,), (2, 3, 4)])
    def test_flat(self, shape):
        host = np.arange(int(np.prod(shape))).reshape(shape)
        for x, expected in ((dpnp.asarray(host), host), (dpnp.asarray(host).T, host.T)):
            assert [int(e) for e in x.flat] == expected.ravel().tolist()
